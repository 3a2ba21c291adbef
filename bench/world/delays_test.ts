import assert from "node:assert/strict";
import fc from "fast-check";
import { type DelayTable, drawDelayMs, type Exchange, paperDelays, schedule, toDelayTable } from "./delays.ts";
import { createSampler } from "./sampler.ts";

function sumOf(...exchanges: readonly Exchange[]): number {
  return exchanges.reduce((sum, exchange) => sum + (paperDelays[exchange] ?? 0), 0);
}

Deno.test("paperDelays adds up to Table II when a workload makes its exchanges", () => {
  assert.equal(sumOf("fetch"), 48);
  assert.equal(sumOf("user", "orders", "order"), 185);
  assert.equal(sumOf("tool_call", "tool_answer"), 620);
  assert.equal(sumOf("search", "page", "search", "page"), 340);
  assert.equal(sumOf("completion"), 510);
});

Deno.test("toDelayTable() keeps a table and reads the flags when given either", () => {
  const own: DelayTable = { fetch: 5 };
  assert.equal(toDelayTable(own), own);
  assert.equal(toDelayTable(true), paperDelays);
  assert.deepEqual([toDelayTable(false), toDelayTable(undefined)], [{}, {}]);
});

Deno.test("drawDelayMs() stays within two per cent when it jitters", () => {
  fc.assert(fc.property(fc.string(), (seed) => {
    const delayMs = drawDelayMs(paperDelays, "completion", createSampler(seed));
    assert.ok(delayMs >= 499.8 && delayMs <= 520.2, String(delayMs));
  }));
});

Deno.test("drawDelayMs() is nothing when the table does not name the exchange", () => {
  assert.equal(drawDelayMs({ fetch: 5 }, "page", createSampler("")), 0);
  assert.equal(drawDelayMs({ fetch: 5 }, null, createSampler("")), 0);
});

Deno.test("schedule() ends at the total and never goes back when there are writes", () => {
  fc.assert(fc.property(fc.nat(5_000), fc.integer({ min: 1, max: 60 }), (totalMs, writes) => {
    const atMs = schedule(totalMs, writes);
    assert.equal(atMs.length, writes);
    assert.equal(atMs.at(-1), totalMs);
    assert.deepEqual(atMs, atMs.toSorted((a, b) => a - b));
  }));
});

Deno.test("schedule() thinks before the first write when there are several", () => {
  assert.deepEqual(schedule(100, 4), [40, 60, 80, 100]);
  assert.deepEqual(schedule(100, 0), []);
});
