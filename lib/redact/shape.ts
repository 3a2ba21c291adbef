/**
 * Secrets known by their shape: a literal prefix, then a run of characters.
 *
 * @module
 */
import { shapeRules } from "./rules.ts";
import { type Found, toSpan, type Window } from "./span.ts";
import { maxSecretLength } from "./value.ts";

interface Shape {
  readonly prefix: string;
  readonly min: number;
  readonly keepPrefix: boolean;
  readonly tail: RegExp;
}

const shapes: readonly Shape[] = shapeRules.map((rule) => ({
  ...rule,
  prefix: rule.prefix.toLowerCase(),
  tail: new RegExp(`[${rule.tail}]*`, "y"),
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
  const end = shape.tail.lastIndex;
  if (end === limit) return end;
  if (end === window.text.length && !window.final) return "pending";
  if (end - from < shape.min) return null;
  const at = shape.keepPrefix ? from : start;
  const raw = window.text.slice(at, end);
  return [toSpan(at, raw, raw)];
}

/** What follows a word character, or another secret, is the inside of something else. */
function isGlued(window: Window, start: number): boolean {
  return start > 0 && (start === window.floor || /\w/.test(window.text[start - 1] ?? ""));
}
