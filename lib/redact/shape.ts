/**
 * Secrets known by their shape: a literal prefix, then a run of characters.
 *
 * @module
 */
import { shapeRules } from "./shape_rules.ts";
import { type Found, toSpan, type Window } from "./span.ts";
import { isRandomLooking, maxSecretLength } from "./value.ts";

interface Shape {
  readonly prefix: string;
  readonly min: number;
  readonly keepPrefix: boolean;
  readonly tail: RegExp;
  readonly holds: RegExp;
}

const shapes: readonly Shape[] = shapeRules.map((rule) => ({
  ...rule,
  prefix: rule.prefix.toLowerCase(),
  tail: new RegExp(`[${rule.tail}]*`, "y"),
  holds: new RegExp(rule.holds ?? ""),
}));

/**
 * Reads a shape whose prefix stands at a place.
 *
 * @param window The text.
 * @param start Where the prefix begins.
 * @param prefix The prefix as it was met.
 * @returns The secret, `null`, `"pending"`, or how far no shape needs to be looked for, since the tail is too long.
 */
export function readShape(window: Window, start: number, prefix: string): Found | number {
  const shape = shapes.find((other) => other.prefix === prefix.toLowerCase());
  if (shape === undefined) return null;
  if (!shape.keepPrefix && isGlued(window, start)) return null;
  const from = start + prefix.length;
  const limit = from + maxSecretLength + 1;
  shape.tail.lastIndex = from;
  shape.tail.test(window.text.length > limit ? window.text.slice(0, limit) : window.text);
  const tailEnd = shape.tail.lastIndex;
  if (tailEnd === limit) return tailEnd;
  if (tailEnd === window.text.length && !window.final) return "pending";
  const end = withoutSlashes(window.text, from, tailEnd);
  if (end - from < shape.min || !shape.holds.test(window.text.slice(from, end))) return null;
  return toFound(window.text.slice(start, end), { start, from, shape });
}

function toFound(
  whole: string,
  { start, from, shape }: { readonly start: number; readonly from: number; readonly shape: Shape },
): Found {
  if (!shape.keepPrefix && !isRandomLooking(whole)) return null;
  const at = shape.keepPrefix ? from : start;
  const raw = whole.slice(at - start);
  return [toSpan(at, raw, raw)];
}

/** A backslash at the end escapes what follows: without it a JSON string would end there. */
function withoutSlashes(text: string, from: number, end: number): number {
  let at = end;
  while (at > from && text[at - 1] === "\\") at--;
  return at;
}

/** What follows a word character, or another secret, is the inside of something else. */
function isGlued(window: Window, start: number): boolean {
  return start > 0 && (start === window.floor || /\w/.test(window.text[start - 1] ?? ""));
}
