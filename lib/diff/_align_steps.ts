import { alignByKey, type Alignment, gapsOf } from "./align.ts";
import type { ComparedTrace } from "./compared.ts";
import { valueKey } from "./json_difference.ts";
import { parseBoth } from "./_parse_both.ts";
import { type CompiledDiffRules, memberVerdict } from "./rules.ts";

/**
 * Matches steps by K(s), equal keys in the order of recording. Where a key comes more often in one trace, those steps
 * stay alone that leave the others with their own answers: of three polls, the one that was not made.
 */
export function alignSteps(a: ComparedTrace, b: ComparedTrace, rules: CompiledDiffRules): Alignment {
  const plain = alignByKey(a.keys, b.keys);
  const lonely = new Set([...plain.onlyA.map((at) => a.keys[at]), ...plain.onlyB.map((at) => b.keys[at])]);
  if (lonely.size === 0) return plain;
  const [first, second] = [placesOf(a.keys, lonely), placesOf(b.keys, lonely)];
  const [labelsA, labelsB] = [[...a.keys], [...b.keys]];
  for (const [key, placesA] of first) {
    const placesB = second.get(key) ?? [];
    if (placesB.length === 0) continue;
    const answersA = placesA.map((place) => answerKey(a, place, rules));
    const answersB = placesB.map((place) => answerKey(b, place, rules));
    for (const place of placesA) labelsA[place] = `a ${place}`;
    for (const [i, j] of pairInOrder(answersA, answersB)) labelsB[placesB[j] ?? 0] = `a ${placesA[i]}`;
  }
  return alignByKey(labelsA, labelsB);
}

/** The places of each key of which one is without a partner. */
function placesOf(keys: readonly string[], lonely: ReadonlySet<string | undefined>): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [index, key] of keys.entries()) {
    if (!lonely.has(key)) continue;
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
  }
  return places;
}

/** Equal answers first, then in each gap one after the other. */
function pairInOrder(a: readonly string[], b: readonly string[]): [a: number, b: number][] {
  const { pairs, onlyA, onlyB } = alignByKey(a, b);
  const kept = pairs.filter((pair) => !pair.moved);
  const moved = pairs.filter((pair) => pair.moved);
  const sorted = (indices: readonly number[]) => [...indices].sort((x, y) => x - y);
  const gaps = gapsOf({
    pairs: kept,
    onlyA: sorted([...onlyA, ...moved.map((pair) => pair.a)]),
    onlyB: sorted([...onlyB, ...moved.map((pair) => pair.b)]),
  });
  const inGaps = gaps.flatMap((gap) =>
    gap.onlyA.slice(0, gap.onlyB.length).map((index, at): [number, number] => [index, gap.onlyB[at] ?? 0])
  );
  return [...kept.map((pair): [number, number] => [pair.a, pair.b]), ...inGaps];
}

/** What came back, but for noise. */
function answerKey(trace: ComparedTrace, index: number, rules: CompiledDiffRules): string {
  const { response, error, method, url } = trace.step(index);
  if (response === null) return `error ${error?.code}`;
  const { body: { text, bytes }, status } = response;
  const parsed = text === null ? null : parseBoth(text, text);
  if (parsed === null) return `${status} ${text ?? bytes}`;
  const verdict = memberVerdict({ method, url }, rules);
  return `${status} ${valueKey([], parsed.a, (path, value) => verdict(path, value)?.tier === "noise")}`;
}
