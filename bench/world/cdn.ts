/** The headers that stand between an answer and its meaning: what edges, limiters and tracers stamp on everything. */

import type { Call, HeaderPair } from "./answer.ts";
import { alphanumeric, hexadecimal, type Sampler } from "./sampler.ts";

const airports = ["AMS", "CPT", "FRA", "GRU", "IAD", "JNB", "LHR", "NRT", "SIN", "SYD"];

/**
 * Draws what a caching edge says about itself.
 *
 * @param call The call to answer.
 * @returns `via`, `age`, `x-served-by`, `x-timer` and two request ids, all fresh.
 */
export function edgeHeaders({ sample, now }: Call): readonly HeaderPair[] {
  const airport = sample.pick(airports);
  const node = `cache-${airport.toLowerCase()}${sample.int(10_000, 99_999)}`;
  return [
    ["via", `1.1 varnish (${node})`],
    ["age", String(sample.int(1, 99_999))],
    ["x-served-by", `${node}-${airport}`],
    ["x-timer", `S${(now.getTime() / 1000).toFixed(6)},VS0,VE${sample.int(1, 250)}`],
    ["x-fastly-request-id", sample.text(40, hexadecimal)],
    requestId(sample),
  ];
}

/**
 * Draws what a proxying edge adds to an API's answer.
 *
 * @param sample Draws the ids.
 * @returns `cf-ray`, `cf-cache-status`, `server` and a fresh bot-management cookie.
 */
export function proxyHeaders(sample: Sampler): readonly HeaderPair[] {
  return [
    ["server", "cloudflare"],
    ["cf-cache-status", "DYNAMIC"],
    ["cf-ray", `${sample.text(16, hexadecimal)}-${sample.pick(airports)}`],
    ["set-cookie", `__cf_bm=${sample.text(43, alphanumeric)}; path=/; HttpOnly; Secure; SameSite=None`],
  ];
}

/**
 * Draws the cookie of a new session.
 *
 * @param sample Draws the id.
 * @returns A `set-cookie` header.
 */
export function sessionCookie(sample: Sampler): HeaderPair {
  return ["set-cookie", `session=${sample.text(32, alphanumeric)}; Path=/; HttpOnly; SameSite=Lax`];
}

/**
 * Draws the id that a service gives to a request.
 *
 * @param sample Draws the id.
 * @returns An `x-request-id` header.
 */
export function requestId(sample: Sampler): HeaderPair {
  return ["x-request-id", `req_${sample.text(32, hexadecimal)}`];
}
