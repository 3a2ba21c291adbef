import { leavesOf } from "./_leaves.ts";

/** Text above this is compared by its start only; it serves to rank and to pair, not to decide. */
const comparedCharacters = 256 * 1024;
const comparedLeaves = 4096;
/** So many features stand for a body: enough to tell likeness to a tenth. */
const sketchSize = 128;
/** Below this two requests to one place are two questions. */
const alike = 0.3;
/** Up to so many combinations all are tried; beyond, only neighbours in order. */
const triedCombinations = 250_000;
const neighbours = 16;

/** Shared words over all words (Jaccard). */
export function wordSimilarity(a: string, b: string): number {
  return jaccard(wordsOf(a), wordsOf(b));
}

/** Leaves that two JSON texts share, by pointer, over all pointers. */
export function leafSimilarity(a: string, b: string): number {
  const [first, second] = [leavesOf(a) ?? new Map<string, string>(), leavesOf(b) ?? new Map<string, string>()];
  const pointers = new Set([...first.keys(), ...second.keys()]);
  let shared = 0;
  for (const pointer of pointers) if (first.get(pointer) === second.get(pointer)) shared++;
  return shared / pointers.size;
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const each of a) if (b.has(each)) shared++;
  const all = a.size + b.size - shared;
  return all === 0 ? 1 : shared / all;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.slice(0, comparedCharacters).split(/\W+/));
}

/** A body's features, boiled down: the smallest hashes, ascending (bottom-k, Broder 1997). */
export type Sketch = readonly number[];

/**
 * Boils texts down, so that two can be held against each other in no time.
 *
 * @param texts A body, the values of a query.
 */
export function sketchOf(texts: readonly string[]): Sketch {
  const hashes = new Set<number>();
  for (const text of texts) for (const feature of featuresOf(text)) hashes.add(hashOf(feature));
  return [...hashes].sort((a, b) => a - b).slice(0, sketchSize);
}

/** Of JSON both the shape and the values count, so that a new prompt in the same request is still like it. */
function featuresOf(text: string): Set<string> {
  const leaves = text.length > comparedCharacters ? null : leavesOf(text, comparedLeaves);
  if (leaves === null) return wordsOf(text);
  const features = new Set<string>();
  for (const [pointer, value] of leaves) {
    features.add(pointer);
    features.add(`${pointer} ${value.slice(0, 200)}`);
  }
  return features;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Likeness of two sketches, from 0 to 1. */
export function sketchSimilarity(a: Sketch, b: Sketch): number {
  if (a.length === 0 && b.length === 0) return 1;
  let [i, j, shared, seen] = [0, 0, 0, 0];
  const size = Math.min(sketchSize, a.length + b.length);
  while (seen < size && (i < a.length || j < b.length)) {
    const [first, second] = [a[i] ?? Infinity, b[j] ?? Infinity];
    if (first === second) shared++;
    if (first <= second) i++;
    if (second <= first) j++;
    seen++;
  }
  return shared / seen;
}

/**
 * Pairs members that are alike, the most alike first; among equals those that stand nearest.
 *
 * @param a Sketches of the first sequence.
 * @param b Sketches of the second.
 * @returns Pairs of indices, in the order of `a`.
 */
export function pairAlike(a: readonly Sketch[], b: readonly Sketch[]): [a: number, b: number][] {
  const candidates: { readonly i: number; readonly j: number; readonly likeness: number }[] = [];
  const all = a.length * b.length <= triedCombinations;
  for (const [i, sketch] of a.entries()) {
    const middle = Math.round(i * b.length / a.length);
    const from = all ? 0 : Math.max(0, middle - neighbours);
    const to = all ? b.length : Math.min(b.length, middle + neighbours);
    for (let j = from; j < to; j++) {
      const likeness = sketchSimilarity(sketch, b[j] ?? []);
      if (likeness >= alike) candidates.push({ i, j, likeness });
    }
  }
  candidates.sort((x, y) => y.likeness - x.likeness || Math.abs(x.i - x.j) - Math.abs(y.i - y.j) || x.i - y.i);
  return takeBest(candidates).sort(([x], [y]) => x - y);
}

function takeBest(candidates: readonly { readonly i: number; readonly j: number }[]): [number, number][] {
  const [takenA, takenB] = [new Set<number>(), new Set<number>()];
  const pairs: [number, number][] = [];
  for (const { i, j } of candidates) {
    if (takenA.has(i) || takenB.has(j)) continue;
    takenA.add(i);
    takenB.add(j);
    pairs.push([i, j]);
  }
  return pairs;
}
