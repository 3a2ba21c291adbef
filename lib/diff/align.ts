/**
 * Two sequences held against each other by what their members are, and not by where they stand.
 *
 * @module
 */

/** Two members of one key. */
export interface AlignedPair {
  /** Index in the first sequence. */
  readonly a: number;
  /** Index in the second. */
  readonly b: number;
  /** It stands before or behind others that it did not stand before or behind. */
  readonly moved: boolean;
}

/** How two sequences correspond. */
export interface Alignment {
  /** In the order of `a`. */
  readonly pairs: readonly AlignedPair[];
  /** Indices without a partner, ascending. */
  readonly onlyA: readonly number[];
  /** Indices without a partner, ascending. */
  readonly onlyB: readonly number[];
}

/**
 * Pairs members of equal keys, the first of a key with the first, the second with the second; then finds the largest
 * set of pairs that keep their order: all others have moved. Takes n log n.
 *
 * @param a Keys of the first sequence.
 * @param b Keys of the second.
 * @returns The pairs, and what has no partner.
 *
 * @example One moved, one gone, one new
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const { pairs, onlyA, onlyB } = alignByKey(["x", "y", "z", "old"], ["z", "x", "y", "new"]);
 * deepEqual(pairs.filter((pair) => pair.moved), [{ a: 2, b: 0, moved: true }]);
 * deepEqual([onlyA, onlyB], [[3], [3]]);
 * ```
 */
export function alignByKey(a: readonly string[], b: readonly string[]): Alignment {
  const places = placesByKey(b);
  const onlyA: number[] = [];
  const matched: [a: number, b: number][] = [];
  for (const [index, key] of a.entries()) {
    const place = places.get(key)?.next();
    if (place === undefined) onlyA.push(index);
    else matched.push([index, place]);
  }
  const taken = new Set(matched.map(([, place]) => place));
  const kept = longestRise(matched.map(([, place]) => place));
  return {
    pairs: matched.map(([from, to], at) => ({ a: from, b: to, moved: !kept.has(at) })),
    onlyA,
    onlyB: [...b.keys()].filter((index) => !taken.has(index)),
  };
}

/** The places of one key, each given once, in order. */
class Places {
  readonly #all: number[] = [];
  #given = 0;

  add(place: number): void {
    this.#all.push(place);
  }

  next(): number | undefined {
    return this.#all[this.#given++];
  }
}

function placesByKey(keys: readonly string[]): Map<string, Places> {
  const places = new Map<string, Places>();
  for (const [index, key] of keys.entries()) {
    const known = places.get(key) ?? new Places();
    known.add(index);
    places.set(key, known);
  }
  return places;
}

/** The indices of a longest rising subsequence, by the smallest last member of each length (Fredman 1975). */
function longestRise(values: readonly number[]): Set<number> {
  const tails: number[] = [];
  const before: number[] = [];
  for (const [index, value] of values.entries()) {
    const length = lowerBound(tails, (tail) => (values[tail] ?? 0) < value);
    before[index] = length === 0 ? -1 : tails[length - 1] ?? -1;
    tails[length] = index;
  }
  const rise = new Set<number>();
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) rise.add(at);
  return rise;
}

/**
 * Finds where a sorted list stops being before something.
 *
 * @param list Sorted.
 * @param isBefore True for a first stretch of the list, false for the rest.
 * @returns The index of the first member that is not before; the length when there is none.
 */
export function lowerBound<Member>(list: readonly Member[], isBefore: (member: Member) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(list[middle] as Member)) low = middle + 1; // within the list: 0 <= middle < length
    else high = middle;
  }
  return low;
}

/** A stretch of both sequences between pairs that kept their place, in which members have no partner. */
export interface Gap {
  readonly onlyA: readonly number[];
  readonly onlyB: readonly number[];
}

/**
 * Collects what has no partner into the gaps between the pairs that kept their place.
 *
 * @param alignment What {@link alignByKey} gave.
 * @returns The gaps that hold something, in order.
 */
export function gapsOf({ pairs, onlyA, onlyB }: Alignment): Gap[] {
  const anchors = pairs.filter((pair) => !pair.moved);
  const gaps = new Map<number, { onlyA: number[]; onlyB: number[] }>();
  const gapAt = (number: number) => {
    const gap = gaps.get(number) ?? { onlyA: [], onlyB: [] };
    gaps.set(number, gap);
    return gap;
  };
  for (const index of onlyA) gapAt(lowerBound(anchors, (pair) => pair.a < index)).onlyA.push(index);
  for (const index of onlyB) gapAt(lowerBound(anchors, (pair) => pair.b < index)).onlyB.push(index);
  return [...gaps].sort(([first], [second]) => first - second).map(([, gap]) => gap);
}
