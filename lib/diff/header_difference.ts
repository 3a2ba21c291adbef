/**
 * Where two lists of headers differ, name by name, cookie by cookie.
 *
 * @module
 */
import type { Header } from "../step/mod.ts";
import { neutralText } from "./_neutral.ts";
import { type CompiledDiffRules, headerVerdict, isListedSignal } from "./rules.ts";
import { type Delta, type DeltaPart, keptCharacters } from "./tier.ts";
import { excerpt } from "./excerpt.ts";

/** How headers are compared. */
export interface HeaderOptions {
  readonly part: DeltaPart;
  readonly kind: "header" | "trailer";
  /** One of the messages has a body, and so its bodies are compared. */
  readonly besideBody: boolean;
  readonly rules: CompiledDiffRules;
  /** Name those too that are listed as signal and are the same. */
  readonly withEqual: boolean;
}

/**
 * Compares headers. Names count without their case, repeats in their order, cookies each by its name.
 *
 * @param a Of the first message.
 * @param b Of the second.
 * @param options How.
 * @returns What differs, in the order in which the names stand.
 */
export function headerDifference(a: readonly Header[], b: readonly Header[], options: HeaderOptions): Delta[] {
  if (!options.withEqual && isSameList(a, b)) return [];
  const [first, second] = [byName(a), byName(b)];
  return mergedOrder([...first.keys()], [...second.keys()]).flatMap((name) => {
    return deltaOf(name, [first.get(name) ?? null, second.get(name) ?? null], options);
  });
}

function isSameList(a: readonly Header[], b: readonly Header[]): boolean {
  return a.length === b.length && a.every(([name, value], at) => name === b[at]?.[0] && value === b[at]?.[1]);
}

type Values = readonly [a: string | null, b: string | null];

function deltaOf(name: string, [a, b]: Values, options: HeaderOptions): Delta[] {
  const { part, kind, besideBody, rules, withEqual } = options;
  const field = `${kind} ${name}`;
  if (a !== null && b !== null && comparable(name, a) === comparable(name, b)) {
    const why = "listed as signal, and the same in both";
    return withEqual && isListedSignal(name) ? [{ part, field, a, b, tier: "equal", why }] : [];
  }
  return [{ part, field, ...excerpt(a, b, keptCharacters), ...headerVerdict({ name, a, b, besideBody }, rules) }];
}

/** What of a value counts: not which secret was replaced, not a boundary or nonce that was drawn, not when a cookie ends. */
function comparable(name: string, value: string): string {
  const neutral = neutralText(value);
  if (name === "content-type") return neutral.replace(/(;\s*boundary=)(?:"[^"]*"|[^\s;]+)/i, "$1*");
  if (name.startsWith("content-security-policy")) return neutral.replace(/'nonce-[^']*'/g, "'nonce-*'");
  return name.startsWith("set-cookie/") ? neutral.replace(/;\s*expires=([^;]*)/i, cookieEnd) : neutral;
}

/** A date in the past removes the cookie, any other keeps it for a while. */
function cookieEnd(_: string, date: string): string {
  return /\b19[67]\d\b/.test(date) ? "; expires=past" : "; expires=later";
}

function byName(headers: readonly Header[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of headers.flatMap(byCookie)) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return values;
}

function byCookie([name, value]: Header): Header[] {
  const lower = name.toLowerCase();
  if (lower === "set-cookie") return [cookieOf(lower, value)];
  if (lower !== "cookie") return [[lower, value]];
  return value.split(";").map((pair) => cookieOf(lower, pair.trim()));
}

function cookieOf(header: string, text: string): Header {
  const end = text.indexOf("=");
  return end === -1 ? [`${header}/`, text] : [`${header}/${text.slice(0, end).trim()}`, text.slice(end + 1)];
}

/** The names of the first, and those that only the second has behind the ones that they follow there. */
function mergedOrder(a: readonly string[], b: readonly string[]): string[] {
  const known = new Set(a);
  const followers = new Map<string, string[]>();
  let before = "";
  for (const name of b) {
    if (known.has(name)) before = name;
    else followers.set(before, [...followers.get(before) ?? [], name]);
  }
  return [...followers.get("") ?? [], ...a.flatMap((name) => [name, ...followers.get(name) ?? []])];
}
