/** The paper's VII-C, wider: pairs of runs in which nothing changes, and changes of every kind put into one of them. */
import { deepEqual, ok } from "node:assert/strict";
import { injectedPairs, quietPair } from "../../bench/pairs/found.ts";

const pairs = 1000;
const roundsPerKind = 8;

function sum<Member>(members: readonly Member[], count: (member: Member) => number): number {
  return members.reduce((all, member) => all + count(member), 0);
}

Deno.test(`diff shows nothing for ${pairs} pairs of runs without a change of meaning`, () => {
  const found = Array.from({ length: pairs }, (_, index) => quietPair(index));
  deepEqual(found.flatMap(({ signals }) => signals), []);
  const perStep = sum(found, ({ unfiltered }) => unfiltered) / sum(found, ({ steps }) => steps);
  console.log(`${pairs} pairs: 0 shown; unfiltered ${perStep.toFixed(1)} a step (the paper: 7.2)`);
  ok(perStep > 7.2, "the world is restless");
});

Deno.test("diff finds every change of meaning, and names nothing beside it", () => {
  const found = injectedPairs(roundsPerKind);
  const hits = sum(found, (each) => Math.min(1, each.hits));
  const precision = hits / sum(found, ({ signals }) => signals.length);
  console.log(`${found.length} changes: precision ${precision}, recall ${hits / found.length}`);
  deepEqual(found.filter((each) => each.hits !== 1 || each.signals.length !== 1), []);
  ok(found.length >= 200);
});
