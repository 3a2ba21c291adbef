import { deepEqual, equal, throws } from "node:assert/strict";
import { pairwise, quantile, spreadOf } from "./statistics.ts";

Deno.test("quantile() gives the nearest rank when values come in any order", () => {
  equal(quantile([9, 1, 5, 3, 7], 0.5), 5);
  equal(quantile([9, 1, 5, 3, 7], 0), 1);
  equal(quantile([9, 1, 5, 3, 7], 1), 9);
});

Deno.test("quantile() throws when there is no value", () => {
  throws(() => quantile([], 0.5), RangeError);
});

Deno.test("spreadOf() gives the mean of the middle two when rounds are even in number", () => {
  deepEqual(spreadOf([4, 1, 2, 10]), { median: 3, min: 1, max: 10, rounds: 4 });
});

Deno.test("spreadOf() gives the middle one when rounds are odd in number", () => {
  deepEqual(spreadOf([4, 1, 2]), { median: 2, min: 1, max: 4, rounds: 3 });
});

Deno.test("pairwise() combines what belongs to one round when series are equally long", () => {
  deepEqual(pairwise([6, 8], [2, 4], (a, b) => a / b), [3, 2]);
  throws(() => pairwise([1], [], (a, b) => a - b), RangeError);
});
