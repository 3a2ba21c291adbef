/**
 * K(s), scheme 1: what makes two requests the same question.
 *
 * @module
 */
import { hash } from "node:crypto";
import { canonicalBody, type KeyedRequest } from "./body.ts";
import type { CompiledRules } from "./rules.ts";
import { normalizeUrl } from "./url.ts";

/**
 * Puts the three parts of a key together: `SHA256(method "\n" norm(url) "\n" hex(H_body))`.
 *
 * @param method As on the wire.
 * @param normalizedUrl What `normalizeUrl` gave.
 * @param bodyHashHex SHA-256 of the canonical body, 64 lower-case hexadecimal digits.
 * @returns 64 lower-case hexadecimal digits.
 */
export function keyOf(method: string, normalizedUrl: string, bodyHashHex: string): string {
  return hash("sha256", `${method}\n${normalizedUrl}\n${bodyHashHex}`, "hex");
}

/**
 * Hashes a canonical body.
 *
 * @param body What `canonicalBody` gave.
 * @returns 64 lower-case hexadecimal digits.
 */
export function hashBody(body: Uint8Array): string {
  return body.length === 0 ? emptyHash : hash("sha256", body, "hex");
}

const emptyHash = hash("sha256", "", "hex");

/**
 * Computes K(s) of a request whose body is in memory.
 *
 * @param request In its keyed form.
 * @param rules The user's rules.
 * @returns 64 lower-case hexadecimal digits.
 *
 * @example The order of members and parameters does not matter
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { defaultKeyRules } from "../step/mod.ts";
 * import { compileRules } from "./rules.ts";
 *
 * const rules = compileRules(defaultKeyRules, { cwd: "/work", home: "/home/me" });
 * const ask = (url: string, body: string) =>
 *   requestKey({ method: "POST", url, contentType: "application/json", body: new TextEncoder().encode(body) }, rules);
 * equal(ask("https://h/?a=1&b=2", '{"x":1,"y":2}'), ask("https://h/?b=2&a=1", '{ "y": 2, "x": 1 }'));
 * ```
 */
export function requestKey(request: KeyedRequest, rules: CompiledRules): string {
  const bodyHash = hashBody(canonicalBody(request, rules));
  return keyOf(request.method, normalizeUrl(request.url, rules.rules), bodyHash);
}
