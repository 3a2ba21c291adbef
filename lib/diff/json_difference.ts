/**
 * Two JSON values held against each other by their structure.
 *
 * @module
 */
import { alignByKey, gapsOf } from "./align.ts";
import { pairAlike, sketchOf } from "./_similarity.ts";

/** One place at which two values differ. */
export interface JsonChange {
  /** The reference tokens of a pointer (RFC 6901), those of the first value where it has the place. */
  readonly path: readonly string[];
  /** `undefined` where the first value has nothing. */
  readonly a: unknown;
  /** `undefined` where the second value has nothing. */
  readonly b: unknown;
  /** The members of an array are the same and stand in another order: the values are the indices they had before. */
  readonly moved: boolean;
}

/** Tells whether a value is to be looked past when members of arrays are matched. */
export type IsNoise = (path: readonly string[], value: unknown) => boolean;

/**
 * Compares two values as `JSON.parse` makes them. Members of arrays are matched by what they are: one more or less is
 * one change, another order is one change.
 *
 * @param a The first value, at most 256 levels deep.
 * @param b The second.
 * @param isNoise What to look past in matching; it is reported all the same.
 * @returns Every place that differs, in the order of the first value.
 *
 * @example A member of a list that is gone is one change
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const changes = jsonDifference({ list: ["a", "b", "c"] }, { list: ["a", "c"] });
 * deepEqual(changes, [{ path: ["list", "1"], a: "b", b: undefined, moved: false }]);
 * ```
 */
export function jsonDifference(a: unknown, b: unknown, isNoise: IsNoise = () => false): JsonChange[] {
  return differenceAt({ path: [], a, b }, isNoise);
}

interface Place {
  readonly path: readonly string[];
  readonly a: unknown;
  readonly b: unknown;
}

function differenceAt(place: Place, isNoise: IsNoise): JsonChange[] {
  const { path, a, b } = place;
  if (Object.is(a, b) || (a === 0 && b === 0)) return [];
  if (Array.isArray(a) && Array.isArray(b)) return arrayDifference({ path, a, b }, isNoise);
  if (isRecord(a) && isRecord(b)) return recordDifference({ path, a, b }, isNoise);
  return [{ path, a, b, moved: false }];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface RecordPlace extends Place {
  readonly a: Record<string, unknown>;
  readonly b: Record<string, unknown>;
}

function recordDifference({ path, a, b }: RecordPlace, isNoise: IsNoise): JsonChange[] {
  return mergedNames(a, b).flatMap((name) => {
    const place = { path: [...path, name], a: own(a, name), b: own(b, name) };
    return differenceAt(place, isNoise);
  });
}

function mergedNames(a: Record<string, unknown>, b: Record<string, unknown>): string[] {
  return [...Object.keys(a), ...Object.keys(b).filter((name) => !Object.hasOwn(a, name))];
}

function own(record: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

interface ArrayPlace extends Place {
  readonly a: readonly unknown[];
  readonly b: readonly unknown[];
}

function arrayDifference({ path, a, b }: ArrayPlace, isNoise: IsNoise): JsonChange[] {
  const same = (i: number, j: number) => isSame({ path: [...path, String(i)], a: a[i], b: b[j] }, isNoise);
  const pairs: [number, number][] = [];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && same(start, start)) pairs.push([start, start++]);
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && same(endA - 1, endB - 1)) pairs.push([--endA, --endB]);
  const middle = { path, a: a.slice(start, endA), b: b.slice(start, endB) };
  const matched = matchMembers(middle, start, isNoise);
  const all = [...pairs, ...matched.pairs].sort(([first], [second]) => first - second);
  return [
    ...matched.changes,
    ...all.flatMap(([i, j]) => differenceAt({ path: [...path, String(i)], a: a[i], b: b[j] }, isNoise)),
  ];
}

interface MatchedMembers {
  /** Indices of members to be compared in depth. */
  readonly pairs: [a: number, b: number][];
  /** Members without a partner, and a new order. */
  readonly changes: JsonChange[];
}

/** Matches the members between the first and the last that differ. */
function matchMembers({ path, a, b }: ArrayPlace, start: number, isNoise: IsNoise): MatchedMembers {
  if (a.length === 1 && b.length === 1) return { pairs: [[start, start]], changes: [] };
  const keysOf = (members: readonly unknown[]) => members.map((each) => valueKey([...path, "*"], each, isNoise));
  const alignment = alignByKey(keysOf(a), keysOf(b));
  const pairs: [number, number][] = alignment.pairs.map((pair) => [pair.a + start, pair.b + start]);
  const changes: JsonChange[] = [];
  if (alignment.pairs.some((pair) => pair.moved)) changes.push(newOrder(path, alignment.pairs, start));
  for (const gap of gapsOf(alignment)) {
    const alike = pairMembers(gap.onlyA.map((index) => a[index]), gap.onlyB.map((index) => b[index]));
    const partners = alike.map(([i, j]): [number, number] => [gap.onlyA[i] ?? 0, gap.onlyB[j] ?? 0]);
    for (const [i, j] of partners) pairs.push([i + start, j + start]);
    const [takenA, takenB] = [new Set(partners.map(([i]) => i)), new Set(partners.map(([, j]) => j))];
    for (const index of gap.onlyA) if (!takenA.has(index)) changes.push(gone(path, index + start, a[index]));
    for (const index of gap.onlyB) if (!takenB.has(index)) changes.push(added(path, index + start, b[index]));
  }
  return { pairs, changes };
}

function gone(path: readonly string[], index: number, a: unknown): JsonChange {
  return { path: [...path, String(index)], a, b: undefined, moved: false };
}

function added(path: readonly string[], index: number, b: unknown): JsonChange {
  return { path: [...path, String(index)], a: undefined, b, moved: false };
}

function newOrder(
  path: readonly string[],
  pairs: readonly { readonly a: number; readonly b: number }[],
  start: number,
): JsonChange {
  const before = pairs.map((pair) => pair.a + start);
  const after = [...pairs].sort((first, second) => first.b - second.b).map((pair) => pair.a + start);
  return { path, a: before, b: after, moved: true };
}

/** In a stretch without equal members: one for one where there are as many, else those that are alike. */
function pairMembers(a: readonly unknown[], b: readonly unknown[]): [number, number][] {
  if (a.length === b.length) return a.map((_, index) => [index, index]);
  const sketches = (members: readonly unknown[]) => members.map((each) => sketchOf([JSON.stringify(each)]));
  return pairAlike(sketches(a), sketches(b));
}

/** Equal but for noise. */
function isSame({ path, a, b }: Place, isNoise: IsNoise): boolean {
  if (Object.is(a, b) || (a === 0 && b === 0)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length &&
      a.every((each, index) => isSame({ path: [...path, String(index)], a: each, b: b[index] }, isNoise));
  }
  if (isRecord(a) && isRecord(b)) {
    return mergedNames(a, b).every((name) =>
      isSame({ path: [...path, name], a: own(a, name), b: own(b, name) }, isNoise)
    );
  }
  return isBlank(a, path, isNoise) && isBlank(b, path, isNoise);
}

/** Noise, or nothing where the other has noise. */
function isBlank(value: unknown, path: readonly string[], isNoise: IsNoise): boolean {
  return value === undefined || value === null || isNoise(path, value);
}

/**
 * Spells a value so that values that are the same but for noise are spelled alike.
 *
 * @param path Where the value stands.
 * @param value As `JSON.parse` makes it.
 * @param isNoise What is left out.
 * @returns A text, members sorted.
 */
export function valueKey(path: readonly string[], value: unknown, isNoise: IsNoise): string {
  if (isNoise(path, value)) return "noise";
  if (Array.isArray(value)) return `[${value.map((each) => valueKey([...path, "*"], each, isNoise)).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort().flatMap((name) => {
    const key = valueKey([...path, name], value[name], isNoise);
    return key === "noise" ? [] : [`${JSON.stringify(name)}:${key}`];
  });
  return `{${members.join()}}`;
}
