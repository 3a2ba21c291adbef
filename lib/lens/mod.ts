/**
 * What a step is about: its type, from where it goes and what it says.
 *
 * Takes a request: method, URL, headers, and its decoded body where that is at hand.
 * Gives its type (`LLM`, `TOOL`, `SYSTEM`, `HTTP`), whether it is optional, and whose endpoint it is.
 * Never changes a step, never decides what is served.
 * Invariant: one request, one answer; what no rule names is `HTTP`, and never optional.
 *
 * The rules stand as data in `endpoints.ts`; a provider is a line there.
 *
 * @module
 */
export { type Classification, type ClassifiedRequest, classify } from "./classify.ts";
export { type EndpointRule, endpointRules } from "./endpoints.ts";
