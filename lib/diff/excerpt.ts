/**
 * Two long values, cut around the place where they part.
 *
 * @module
 */

/** Two values as they are shown; `null` where a side has none. */
export interface Excerpt {
  readonly a: string | null;
  readonly b: string | null;
}

/**
 * Cuts two values so that what differs is what is shown.
 *
 * @param a The first, or `null`.
 * @param b The second, or `null`.
 * @param characters How many of each are kept at most, ellipses not counted.
 * @returns Both, with an ellipsis wherever something is gone.
 *
 * @example The change stays in sight
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(excerpt(`${"x".repeat(50)}1`, `${"x".repeat(50)}2`, 8).b, "…xx2");
 * ```
 */
export function excerpt(a: string | null, b: string | null, characters: number): Excerpt {
  const from = Math.max(0, commonStart(a ?? "", b ?? "") - Math.floor(characters / 4));
  return { a: cut(a, from, characters), b: cut(b, from, characters) };
}

function commonStart(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) if (a[index] !== b[index]) return index;
  return length;
}

function cut(text: string | null, from: number, characters: number): string | null {
  if (text === null || text.length <= characters) return text;
  const end = from + characters;
  return `${from > 0 ? "…" : ""}${text.slice(from, end)}${end < text.length ? "…" : ""}`;
}
