import { equal } from "node:assert/strict";
import { addedRow, isReached, type Pair, ratioRow, valueRow } from "./row.ts";

const pair: Pair = { unit: "ms", ours: [3, 12, 5], besideName: "bare", beside: [1, 6, 5] };

Deno.test("ratioRow() takes the median of the rounds' ratios when rounds differ", () => {
  const { figure, figureUnit, ours } = ratioRow("x", pair);
  equal(figure.median, 2); // of 3, 2, 1; the ratio of the medians would be 1
  equal(figureUnit, "×");
  equal(ours?.median, 5);
});

Deno.test("addedRow() takes the median of the rounds' differences when rounds differ", () => {
  const { figure, figureUnit } = addedRow("x", pair);
  equal(figure.median, 2); // of 2, 6, 0
  equal(figureUnit, "ms");
});

Deno.test("isReached() holds the median against either kind of goal", () => {
  equal(isReached(valueRow("x", [1, 2, 90], { unit: "ms", goal: { atMost: 2 } })), true);
  equal(isReached(valueRow("x", [1, 2, 90], { unit: "ms", goal: { atMost: 1.9 } })), false);
  equal(isReached(valueRow("x", [1, 2, 90], { unit: "ms", goal: { atLeast: 2.1 } })), false);
  equal(isReached(valueRow("x", [1], { unit: "ms" })), null);
});
