import { deepEqual, equal } from "node:assert/strict";
import type { ReplayOutcome } from "../engine/mod.ts";
import { joinOutcomes } from "./_joined_outcome.ts";

/** Of a trace of four steps, of which some were served as recorded and some otherwise. */
function outcome(served: readonly number[], otherwise: readonly number[] = []): ReplayOutcome {
  const all = [0, 1, 2, 3];
  const diverged = all.filter((seq) => !served.includes(seq));
  return {
    steps: 4,
    diverged,
    fidelity: 1 - diverged.length / 4,
    hits: served.length + otherwise.length,
    misses: [],
    unused: diverged.filter((seq) => !otherwise.includes(seq)),
    differences: new Map(otherwise.map((seq) => [seq, "body"])),
    damaged: [],
  };
}

Deno.test("joinOutcomes() counts a step as replayed that either of two served", () => {
  deepEqual(joinOutcomes(outcome([0, 2]), outcome([1, 3])), outcome([0, 1, 2, 3]));
});

Deno.test("joinOutcomes() counts a step as diverged that one of two served otherwise", () => {
  deepEqual(joinOutcomes(outcome([0, 1]), outcome([], [1, 2])), {
    ...outcome([0], [1, 2]),
    hits: 4,
  });
});

Deno.test("joinOutcomes() gives the proxy's outcome where there is no other", () => {
  const outer = outcome([1]);
  equal(joinOutcomes(outer, null), outer);
});
