import { deepEqual, throws } from "node:assert/strict";
import { formatPreloadOrder, formatPreloadOutcome, parsePreloadOrder, parsePreloadOutcome } from "./preload_words.ts";

Deno.test("parsePreloadOrder() reads what formatPreloadOrder() wrote", () => {
  const order = { trace: "/a/b.ndjson", store: "/a", report: "/c.json", ignoreQuery: ["x"], timing: 2 } as const;
  deepEqual(parsePreloadOrder(formatPreloadOrder(order)), order);
});

Deno.test("parsePreloadOrder() refuses what is no order, and says who should have set it", () => {
  throws(() => parsePreloadOrder(undefined), /AGREPL_PRELOAD is not set, expected agrepl to have set it/);
  for (const text of ["{", "1", "{}", '{"trace":1,"report":2}']) throws(() => parsePreloadOrder(text), TypeError);
});

Deno.test("parsePreloadOutcome() reads what formatPreloadOutcome() wrote", () => {
  const outcome = {
    steps: 3,
    fidelity: 0.5,
    diverged: [1],
    hits: 2,
    misses: [],
    unused: [2],
    differences: new Map([[1, "body"]]),
    damaged: [],
  };
  deepEqual(parsePreloadOutcome(formatPreloadOutcome(outcome)), outcome);
});

Deno.test("parsePreloadOutcome() refuses a report that was cut off, or is of another version", () => {
  for (const text of ["", '{"version":1', '{"version":2}', "null"]) throws(() => parsePreloadOutcome(text), TypeError);
});
