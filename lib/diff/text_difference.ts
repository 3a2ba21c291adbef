/**
 * Two texts held against each other, by lines or by words.
 *
 * @module
 */
import { alignByKey, type Alignment, gapsOf, lowerBound } from "./align.ts";

/** One place at which two texts differ. */
export interface TextChange {
  readonly unit: "line" | "word";
  /** Where in the first text it begins, counted from 1; what is only added stands before this. */
  readonly at: number;
  /** Nothing where the second text has something more. */
  readonly a: string;
  /** Nothing where the second text has something less. */
  readonly b: string;
}

/** Deeper stretches are given as one change: their order is too wild to be read. */
const maxDepth = 32;

/**
 * Compares two texts: by lines where one of them has several, else by words.
 *
 * @param a The first text.
 * @param b The second.
 * @returns The stretches that differ, in order.
 *
 * @example A word
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(textDifference("good morning all", "good night all"), [{ unit: "word", at: 2, a: "morning", b: "night" }]);
 * ```
 */
export function textDifference(a: string, b: string): TextChange[] {
  const several = /\n./.test(a) || /\n./.test(b);
  const unit = several ? "line" : "word";
  const pattern = several ? /[^\n]*\n|[^\n]+$/g : /\s*\S+|\s+$/g;
  const stretches = compare(a.match(pattern) ?? [], b.match(pattern) ?? [], { at: 0, depth: 0 });
  return stretches.map(({ at, a, b }) => ({ unit, at: at + 1, a: trim(a), b: trim(b) }));
}

/** Blanks around a change say nothing, unless they are all there is to it. */
function trim(tokens: readonly string[]): string {
  const text = tokens.join("");
  return text.trim() === "" ? text : text.trim();
}

interface Stretch {
  readonly at: number;
  readonly a: readonly string[];
  readonly b: readonly string[];
}

interface Depth {
  /** How many tokens of the whole text stand before. */
  readonly at: number;
  readonly depth: number;
}

function compare(a: readonly string[], b: readonly string[], { at, depth }: Depth): Stretch[] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1];
  const [restA, restB] = [a.slice(start, endA), b.slice(start, endB)];
  if (restA.length === 0 && restB.length === 0) return [];
  const whole = [{ at: at + start, a: restA, b: restB }];
  if (restA.length === 0 || restB.length === 0 || depth === maxDepth) return whole;
  const alignment = inPlace(alignByKey(restA, restB));
  if (alignment.pairs.length === 0) return whole;
  // A word that comes often may have found the wrong partner; within a gap it finds the right one.
  return gapsOf(alignment).flatMap(({ onlyA, onlyB }) => {
    const tokensA = onlyA.map((index) => restA[index] ?? "");
    const tokensB = onlyB.map((index) => restB[index] ?? "");
    return compare(tokensA, tokensB, { at: at + start + placeOf(alignment, onlyA, onlyB), depth: depth + 1 });
  });
}

/** A word that stands elsewhere is one word less here and one more there. */
function inPlace({ pairs, onlyA, onlyB }: Alignment): Alignment {
  const moved = pairs.filter((pair) => pair.moved);
  if (moved.length === 0) return { pairs, onlyA, onlyB };
  return {
    pairs: pairs.filter((pair) => !pair.moved),
    onlyA: [...onlyA, ...moved.map((pair) => pair.a)].sort((x, y) => x - y),
    onlyB: [...onlyB, ...moved.map((pair) => pair.b)].sort((x, y) => x - y),
  };
}

/** Where in the first text a gap begins: at its first own token, or behind the pair before it. */
function placeOf({ pairs }: Alignment, onlyA: readonly number[], onlyB: readonly number[]): number {
  const [first] = onlyA;
  if (first !== undefined) return first;
  const [next = 0] = onlyB;
  const before = pairs[lowerBound(pairs, (pair) => pair.b < next) - 1];
  return before === undefined ? 0 : before.a + 1;
}
