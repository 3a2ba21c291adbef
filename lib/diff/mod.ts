/**
 * Two things held against each other: two traces, an emission and what was stored, a request and the steps it came near.
 *
 * Takes recorded and live values; gives verdicts and differences. Never reads, serves or prints. Invariant: a thing held
 * against itself gives no difference.
 *
 * What is noise stands as data: `header_rules.ts`, `cookie_rules.ts`, `body_rules.ts`; a rule is a line there. Where
 * streams carry text stands in `streamed_text.ts`.
 *
 * @module
 */
export * from "./align.ts";
export { type BodyRule, bodyRules } from "./body_rules.ts";
export * from "./compared.ts";
export { type CookieRule, cookieRules } from "./cookie_rules.ts";
export * from "./excerpt.ts";
export * from "./explain_message.ts";
export * from "./explain_miss.ts";
export * from "./fidelity.ts";
export { type HeaderRule, headerRules } from "./header_rules.ts";
export * from "./json_difference.ts";
export * from "./learn.ts";
export * from "./request_difference.ts";
export * from "./rules.ts";
export * from "./step_difference.ts";
export * from "./text_difference.ts";
export * from "./tier.ts";
export * from "./trace_difference.ts";
