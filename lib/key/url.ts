/**
 * norm(url): one spelling for all URLs that ask the same.
 *
 * @module
 */
import type { KeyRules } from "../step/mod.ts";
import { type TransientRule, transientRules } from "./transient.ts";

interface Parameter {
  /** As it stood: `a=b`, `a=`, `a`. */
  readonly raw: string;
  /** Still percent-encoded. */
  readonly name: string;
}

const rulesByName: ReadonlyMap<string, TransientRule> = new Map(
  transientRules.flatMap((rule) => rule.names.map((name) => [name, rule])),
);

/**
 * Normalises a URL (design: K(s), scheme 1).
 *
 * @param url In its keyed form: secrets are `[redacted]` already. What is no URL (`*`, `host:443`) comes back as it is.
 * @param rules Its `ignoreQuery` names parameters, percent-decoded and in their own case, to be removed too.
 * @returns WHATWG form without default port and fragment, transient parameters removed, the rest sorted by name in
 * UTF-16 code units with repeats in order; their percent-encoding is not touched. Idempotent.
 *
 * @example Two spellings of one question
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { defaultKeyRules } from "../step/mod.ts";
 *
 * equal(normalizeUrl("HTTPS://Example.com:443/a?b=2&a=1&utm_source=x#top", defaultKeyRules), "https://example.com/a?a=1&b=2");
 * ```
 */
export function normalizeUrl(url: string, rules: KeyRules): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url;
  const whole = parsed.href;
  const hash = whole.indexOf("#");
  const href = hash < 0 ? whole : whole.slice(0, hash);
  const mark = href.indexOf("?");
  if (mark < 0) return href;
  const query = normalizeQuery(href.slice(mark + 1), rules.ignoreQuery);
  return href.slice(0, mark) + (query === "" ? "" : `?${query}`);
}

function normalizeQuery(query: string, ignored: readonly string[]): string {
  const all = query.split("&").filter((raw) => raw !== "").map(toParameter);
  const names = all.map(({ name }) => name.toLowerCase());
  const kept = all.filter((parameter) =>
    !isTransient(parameter, names) && !ignored.includes(decodeName(parameter.name))
  );
  kept.sort((a, b) => a.name < b.name ? -1 : Number(a.name > b.name)); // stable (ECMAScript 2019)
  return kept.map(({ raw }) => raw).join("&");
}

function toParameter(raw: string): Parameter {
  const equals = raw.indexOf("=");
  return { raw, name: equals < 0 ? raw : raw.slice(0, equals) };
}

function isTransient({ raw, name }: Parameter, names: readonly string[]): boolean {
  const rule = rulesByName.get(name.toLowerCase());
  if (rule === undefined) return false;
  if (rule.value !== undefined && !rule.value.test(raw.slice(name.length + 1))) return false;
  return rule.beside === undefined || rule.beside.some((other) => names.includes(other));
}

function decodeName(name: string): string {
  if (!/[%+]/.test(name)) return name;
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name; // URIError: not percent-encoding, so the name stands for itself
  }
}
