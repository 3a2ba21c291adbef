/**
 * Canonical JSON (RFC 8785), for texts that it can carry without loss.
 *
 * @module
 */
import { dropPointer, type JsonPointer, toRecord } from "./pointer.ts";

/** Deeper texts have no canonical form. */
const maxDepth = 512;
/** Fewer digits than this always survive the way through a double. */
const suspect = /[\d.]{16}|\d[eE]/;
const escape = /\\[^]/g;
const string = /"[^"]*"/g;
const number = /-?\d[\d.eE+-]*/g;
const simple = /^[ !#-[\]-~]*$/;

/**
 * Writes a JSON text in its one canonical form.
 *
 * @param text Any text.
 * @param drop Pointers to what is left out.
 * @returns The form of RFC 8785, or `null` when the text is not JSON or would lose something: a number that no double
 * carries (integers above 2^53, more digits than a double has), duplicate members, lone surrogates, more than 512 levels.
 *
 * @example Order, blanks and escapes do not matter
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(canonicalJson('{ "b": 1.0, "a": "\\u0041" }'), '{"a":"A","b":1}');
 * equal(canonicalJson("9007199254740993"), null);
 * ```
 */
export function canonicalJson(text: string, drop: readonly JsonPointer[] = []): string | null {
  const parsed = parseExactly(text);
  if (parsed === null) return null;
  return formatCanonical(drop.reduce(dropPointer, parsed.value));
}

/**
 * Parses a JSON text, if nothing is lost by it.
 *
 * @param text Any text.
 * @returns The value, or `null` in the cases of {@link canonicalJson} but for lone surrogates.
 */
export function parseExactly(text: string): { readonly value: unknown } | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null; // SyntaxError is the parser's only way to say "not JSON"
  }
  const members = countMembers(value, 0);
  const skeleton = text.replace(escape, "").replace(string, ""); // in two steps: one expression overflows V8's stack
  if (members === null || members !== countColons(skeleton)) return null; // a duplicate name is in the text only
  return suspect.test(skeleton) && !areNumbersExact(skeleton) ? null : { value };
}

/**
 * Formats a value by RFC 8785.
 *
 * @param value A value as `JSON.parse` makes it, at most 512 levels deep.
 * @returns The text, or `null` when a string holds a lone surrogate.
 */
export function formatCanonical(value: unknown): string | null {
  const text = format(value);
  return text.isWellFormed() ? text : null;
}

function format(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(format).join(",")}]`;
  const members = toRecord(value);
  let text = "";
  for (const name of Object.keys(value).sort()) { // by UTF-16 code units (RFC 8785, 3.2.3)
    text += `${text === "" ? "" : ","}${quote(name)}:${format(members[name])}`;
  }
  return `{${text}}`;
}

/** JSON.stringify escapes as RFC 8785 does, but also lone surrogates, which must stay visible. */
function quote(text: string): string {
  return simple.test(text) || !text.isWellFormed() ? `"${text}"` : JSON.stringify(text);
}

/** All members at all levels, or `null` when there are too many levels. */
function countMembers(value: unknown, depth: number): number | null {
  if (typeof value !== "object" || value === null) return 0;
  if (depth === maxDepth) return null;
  const children = Object.values(value);
  let count = Array.isArray(value) ? 0 : children.length;
  for (const child of children) {
    const below = countMembers(child, depth + 1);
    if (below === null) return null;
    count += below;
  }
  return count;
}

function countColons(skeleton: string): number {
  let count = 0;
  for (let at = skeleton.indexOf(":"); at >= 0; at = skeleton.indexOf(":", at + 1)) count++;
  return count;
}

function areNumbersExact(skeleton: string): boolean {
  for (const [token] of skeleton.matchAll(number)) {
    if (suspect.test(token) && toDecimal(token) !== toDecimal(String(Number(token)))) return false;
  }
  return true;
}

/** A number's value as digits and exponent, so that `1.50e3`, `1500` and `15e2` are alike. */
function toDecimal(token: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return whole === "" ? token : "0";
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
