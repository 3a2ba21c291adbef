/** What a comparison says of pairs of runs, counted. */

import type { StepDifference, TraceDifference } from "../../lib/diff/mod.ts";
import { createSampler } from "../world/sampler.ts";
import { differenceOf } from "./in_memory.ts";
import { type Expected, type Injection, injections } from "./injections.ts";
import { restlessRun } from "./restless_run.ts";

/** What is shown by default. */
export interface Signal {
  readonly seq: number;
  /** The field, or how the step as a whole differs. */
  readonly field: string;
}

/** All that a comparison shows by default. */
export function signalsOf({ steps }: TraceDifference): Signal[] {
  return steps.flatMap((step) => {
    const seq = step.a?.seq ?? step.b?.seq ?? -1;
    const whole = step.place?.tier === "signal" ? [{ seq, field: relationOf(step) }] : [];
    return [...whole, ...step.deltas.filter(({ tier }) => tier === "signal").map(({ field }) => ({ seq, field }))];
  });
}

function relationOf({ relation, moved }: StepDifference): string {
  return moved ? "moved" : relation;
}

/** One pair in which nothing changed. */
export interface QuietPair {
  readonly steps: number;
  /** Shown although nothing changed. */
  readonly signals: readonly Signal[];
  /** How many differences there are, shown or not. */
  readonly unfiltered: number;
}

/** Compares a pair of runs in which nothing but noise differs. */
export function quietPair(index: number): QuietPair {
  const content = `content ${index}`;
  const run = restlessRun({ content, noise: `first ${index}` });
  const difference = differenceOf(run, restlessRun({ content, noise: `second ${index}` }));
  const { noise, removed, signal } = difference.counts;
  return { steps: run.length, signals: signalsOf(difference), unfiltered: noise + removed + signal };
}

/** One change of meaning, and what was made of it. */
export interface InjectedPair {
  readonly kind: string;
  readonly signals: readonly Signal[];
  /** Of these, how many are the change. */
  readonly hits: number;
}

/** Compares runs with one change of meaning, of every kind in turn. */
export function injectedPairs(roundsPerKind: number): InjectedPair[] {
  const rounds = [...Array(roundsPerKind).keys()];
  return injections.flatMap((injection) => rounds.map((round) => injectedPair(injection, round)));
}

function injectedPair({ kind, inject }: Injection, round: number): InjectedPair {
  const content = `${kind} ${round}`;
  const before = restlessRun({ content, noise: `first ${round}` });
  const { steps, expected } = inject(restlessRun({ content, noise: `second ${round}` }), createSampler(content));
  const signals = signalsOf(differenceOf(before, steps));
  return { kind, signals, hits: signals.filter((each) => isExpected(each, expected, kind)).length };
}

/** Of two steps that changed places either may be the one that moved. */
function isExpected(signal: Signal, { seq, field }: Expected, kind: string): boolean {
  const near = kind === "steps swapped" ? [seq, seq + 1] : [seq];
  return near.includes(signal.seq) && field.test(signal.field);
}
