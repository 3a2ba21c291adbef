/**
 * Two traces held against each other: steps matched by K(s), and not by position (paper IV-D).
 *
 * @module
 */
import { type AlignedPair, type Alignment, lowerBound } from "./align.ts";
import { alignSteps } from "./_align_steps.ts";
import { pairChanged } from "./_pair_changed.ts";
import type { ComparedStep, ComparedTrace } from "./compared.ts";
import { stepDifference, type StepOptions } from "./step_difference.ts";
import type { Delta } from "./tier.ts";
import { wereAtOnce } from "./_at_once.ts";

/** What two traces are compared with. */
export interface TraceOptions extends Omit<StepOptions, "sameKey"> {
  /**
   * Leave out what is no signal, once it is counted: of long traces it would fill the memory.
   *
   * @default {false}
   */
  readonly signalOnly?: boolean;
  /** Called before each step. */
  readonly onProgress?: (done: number, all: number) => void;
}

/** How a step of one trace relates to the other trace. */
export type StepRelation = "matched" | "changed_request" | "only_a" | "only_b";

/** Enough of a step to name it. */
export interface NamedStep {
  readonly seq: number;
  readonly type: string;
  readonly method: string;
  readonly url: string;
  readonly latencyMs: number;
  readonly optional: boolean;
}

/** One step that differs, or a pair of them. */
export interface StepDifference {
  readonly relation: StepRelation;
  /** In the first trace; `null` when only the second has it. */
  readonly a: NamedStep | null;
  readonly b: NamedStep | null;
  /** It stands before or behind steps that it did not stand before or behind. */
  readonly moved: boolean;
  /** What it weighs that a step is only here, or stands elsewhere; `null` where neither is the case. */
  readonly place: { readonly tier: "signal" | "noise"; readonly why: string } | null;
  readonly deltas: readonly Delta[];
}

/** How many differences there are of each tier, steps that are in one trace only or have moved counted as one each. */
export interface TierCounts {
  readonly signal: number;
  readonly noise: number;
  readonly removed: number;
}

/** Two traces, held against each other. */
export interface TraceDifference {
  /** How many steps each trace has. */
  readonly stepsA: number;
  readonly stepsB: number;
  /** Steps of one key in both. */
  readonly matched: number;
  /** Matched steps in which not even noise differs. */
  readonly same: number;
  /** Pairs of steps that are asked otherwise. */
  readonly changed: number;
  /** Those that differ in something, or with `signalOnly` in something of signal; in the order of the first trace. */
  readonly steps: readonly StepDifference[];
  readonly counts: TierCounts;
}

/**
 * Compares two traces.
 *
 * @param a The first.
 * @param b The second.
 * @param options Rules, and how much is told.
 * @returns All that differs. A trace and itself give nothing.
 */
export function traceDifference(a: ComparedTrace, b: ComparedTrace, options: TraceOptions): TraceDifference {
  const alignment = alignSteps(a, b, options.rules);
  const counts = { signal: 0, noise: 0, removed: 0, equal: 0 };
  const found: Found[] = [];
  let differing = 0;
  const changed = pairChanged(a, b, alignment);
  for (const each of differencesOf(a, b, { alignment, changed, options })) {
    count(each.step, counts);
    if (each.step.relation === "matched") differing++;
    if (options.signalOnly !== true) found.push(each);
    else found.push(...onlySignal(each));
  }
  const { equal: _, ...tiers } = counts;
  return {
    stepsA: a.keys.length,
    stepsB: b.keys.length,
    matched: alignment.pairs.length,
    same: alignment.pairs.length - differing,
    changed: changed.length,
    steps: found.sort((x, y) => x.at - y.at).map(({ step }) => step),
    counts: tiers,
  };
}

interface Matching {
  readonly alignment: Alignment;
  readonly changed: readonly (readonly [a: number, b: number])[];
  readonly options: TraceOptions;
}

/** One after the other: of long traces not all are kept. */
function* differencesOf(
  a: ComparedTrace,
  b: ComparedTrace,
  { alignment, changed, options }: Matching,
): Iterable<Found> {
  const anchors = alignment.pairs.filter((pair) => !pair.moved);
  let done = 0;
  const all = alignment.pairs.length + changed.length;
  for (const pair of alignment.pairs) {
    options.onProgress?.(done++, all);
    yield* matchedDifference(a, b, { pair, anchors }, options);
  }
  for (const [i, j] of changed) {
    options.onProgress?.(done++, all);
    yield { at: i, step: changedDifference(a.step(i), b.step(j), options) };
  }
  yield* loneSteps(a, b, { alignment, anchors, changed });
}

function onlySignal({ at, step }: Found): Found[] {
  const deltas = step.deltas.filter(({ tier }) => tier === "signal");
  return deltas.length === 0 && step.place?.tier !== "signal" ? [] : [{ at, step: { ...step, deltas } }];
}

interface Found {
  /** Where in the first trace it is told. */
  readonly at: number;
  readonly step: StepDifference;
}

interface PairPlace {
  readonly pair: AlignedPair;
  /** The pairs that kept their place, in the order of both traces. */
  readonly anchors: readonly AlignedPair[];
}

function matchedDifference(a: ComparedTrace, b: ComparedTrace, place: PairPlace, options: TraceOptions): Found[] {
  const { pair } = place;
  const [first, second] = [a.step(pair.a), b.step(pair.b)];
  const differing = stepDifference(first, second, { ...options, sameKey: true, withEqual: false });
  if (differing.length === 0 && !pair.moved) return [];
  const all = options.withEqual === true ? stepDifference(first, second, { ...options, sameKey: true }) : differing;
  const deltas = weighed(all, first, second);
  const moved = pair.moved ? movedPlace(a, b, place) : null;
  const step = { relation: "matched", ...named(first, second), moved: pair.moved, place: moved, deltas } as const;
  return [{ at: pair.a, step }];
}

function movedPlace(a: ComparedTrace, b: ComparedTrace, place: PairPlace): StepDifference["place"] {
  if (wereAtOnce(a, b, place)) {
    return { tier: "noise", why: "it was under way at once with those it changed places with" };
  }
  return { tier: "signal", why: "it is asked in another order" };
}

function changedDifference(first: ComparedStep, second: ComparedStep, options: TraceOptions): StepDifference {
  const deltas = weighed(stepDifference(first, second, { ...options, sameKey: false }), first, second);
  return { relation: "changed_request", ...named(first, second), moved: false, place: null, deltas };
}

/** What a package registry answers is no difference of the agent's, as it is none in F. */
function weighed(deltas: readonly Delta[], a: ComparedStep, b: ComparedStep): readonly Delta[] {
  if (!a.optional || !b.optional) return deltas;
  return deltas.map((delta) =>
    delta.tier === "signal" ? { ...delta, tier: "noise", why: `of an optional step; else: ${delta.why}` } : delta
  );
}

function named(a: ComparedStep | null, b: ComparedStep | null): Pick<StepDifference, "a" | "b"> {
  return { a: a && nameOf(a), b: b && nameOf(b) };
}

function nameOf({ seq, type, method, url, latencyMs, optional }: ComparedStep): NamedStep {
  return { seq, type, method, url, latencyMs, optional };
}

interface Paired {
  readonly alignment: Alignment;
  readonly anchors: readonly AlignedPair[];
  readonly changed: readonly (readonly [a: number, b: number])[];
}

/** Steps without any partner; those of the second trace are told behind the step that they follow there. */
function loneSteps(a: ComparedTrace, b: ComparedTrace, { alignment, anchors, changed }: Paired): Found[] {
  const [takenA, takenB] = [new Set(changed.map(([i]) => i)), new Set(changed.map(([, j]) => j))];
  const onlyA = alignment.onlyA.filter((index) => !takenA.has(index));
  const onlyB = alignment.onlyB.filter((index) => !takenB.has(index));
  return [
    ...onlyA.map((index) => ({ at: index, step: lone("only_a", a.step(index)) })),
    ...onlyB.map((index) => {
      const before = anchors[lowerBound(anchors, (pair) => pair.b < index) - 1];
      return { at: (before?.a ?? -1) + 0.5, step: lone("only_b", b.step(index)) };
    }),
  ];
}

function lone(relation: "only_a" | "only_b", step: ComparedStep): StepDifference {
  const place = step.optional
    ? { tier: "noise", why: "optional: it comes or not, depending on caches" } as const
    : { tier: "signal", why: "the other run did not ask it" } as const;
  const sides = relation === "only_a" ? named(step, null) : named(null, step);
  return { relation, ...sides, moved: false, place, deltas: [] };
}

function count({ place, deltas }: StepDifference, counts: Record<Delta["tier"], number>): void {
  if (place !== null) counts[place.tier]++;
  for (const { tier } of deltas) counts[tier]++;
}
