/** The paper's VII-C, wider: pairs of runs in which nothing changes, and changes of every kind put into one of them. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { createSampler } from "../../bench/world/sampler.ts";
import type { StepDifference, TraceDifference } from "../../lib/diff/mod.ts";
import { differenceOf } from "./support/in_memory.ts";
import { type Expected, injections } from "./support/injections.ts";
import { restlessRun } from "./support/restless_world.ts";

const pairs = 1000;
const roundsPerKind = 8;

/** What is shown by default. */
interface Signal {
  readonly seq: number;
  /** The field, or how the step as a whole differs. */
  readonly field: string;
}

function signalsOf({ steps }: TraceDifference): Signal[] {
  return steps.flatMap((step) => {
    const seq = step.a?.seq ?? step.b?.seq ?? -1;
    const whole = step.place?.tier === "signal" ? [{ seq, field: relationOf(step) }] : [];
    return [...whole, ...step.deltas.filter(({ tier }) => tier === "signal").map(({ field }) => ({ seq, field }))];
  });
}

function relationOf({ relation, moved }: StepDifference): string {
  return moved ? "moved" : relation;
}

Deno.test(`diff shows nothing for ${pairs} pairs of runs without a change of meaning`, () => {
  let hidden = 0;
  let steps = 0;
  for (let index = 0; index < pairs; index++) {
    const content = `content ${index}`;
    const run = restlessRun({ content, noise: `first ${index}` });
    const difference = differenceOf(run, restlessRun({ content, noise: `second ${index}` }));
    deepEqual(signalsOf(difference), [], `pair ${index}`);
    hidden += difference.counts.noise + difference.counts.removed;
    steps += run.length;
  }
  const perStep = hidden / steps;
  console.log(`${pairs} pairs: 0 shown; unfiltered ${perStep.toFixed(1)} a step (the paper: 7.2 a pair of one step)`);
  ok(perStep > 3, "the world is restless");
});

Deno.test("diff finds every change of meaning, and names nothing beside it", () => {
  let [all, found, named] = [0, 0, 0];
  const wrong: string[] = [];
  for (const { kind, inject } of injections) {
    for (let round = 0; round < roundsPerKind; round++) {
      const content = `${kind} ${round}`;
      const before = restlessRun({ content, noise: `first ${round}` });
      const drawn = restlessRun({ content, noise: `second ${round}` });
      const { steps, expected } = inject(drawn, createSampler(content));
      const signals = signalsOf(differenceOf(before, steps));
      const hits = signals.filter((each) => isExpected(each, expected, kind));
      all++;
      found += Math.min(1, hits.length);
      named += signals.length;
      if (hits.length !== 1 || signals.length !== 1) {
        wrong.push(`${kind}: ${JSON.stringify(signals)}`);
      }
    }
  }
  console.log(`${all} changes of ${injections.length} kinds: precision ${found / named}, recall ${found / all}`);
  deepEqual(wrong, []);
  equal(all >= 200, true);
});

/** Of two steps that changed places either may be the one that moved. */
function isExpected(signal: Signal, { seq, field }: Expected, kind: string): boolean {
  const near = kind === "steps swapped" ? [seq, seq + 1] : [seq];
  return near.includes(signal.seq) && field.test(signal.field);
}
