import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { alignByKey, gapsOf } from "./align.ts";

/** Pairs as `a-b`, with a star where they moved. */
function align(a: string, b: string): readonly [pairs: string, onlyA: readonly number[], onlyB: readonly number[]] {
  const { pairs, onlyA, onlyB } = alignByKey([...a], [...b]);
  return [pairs.map((pair) => `${pair.a}-${pair.b}${pair.moved ? "*" : ""}`).join(" "), onlyA, onlyB];
}

const cases: readonly (readonly [what: string, a: string, b: string, expected: ReturnType<typeof align>])[] = [
  ["nothing", "", "", ["", [], []]],
  ["the same", "xyz", "xyz", ["0-0 1-1 2-2", [], []]],
  ["one gone", "xyz", "xz", ["0-0 2-1", [1], []]],
  ["one new", "xz", "xyz", ["0-0 1-2", [], [1]]],
  ["a key that comes twice, once less", "xxy", "xy", ["0-0 2-1", [1], []]],
  ["the first at the end", "wxyz", "xyzw", ["0-3* 1-0 2-1 3-2", [], []]],
  ["nothing in common", "ab", "cd", ["", [0, 1], [0, 1]]],
];
for (const [what, a, b, expected] of cases) {
  Deno.test(`alignByKey() pairs by key when there is ${what}`, () => deepEqual(align(a, b), expected));
}

Deno.test("alignByKey() calls one of two that changed places moved", () => {
  equal(alignByKey(["x", "y"], ["y", "x"]).pairs.filter((pair) => pair.moved).length, 1);
});

const keys = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 30 });

Deno.test("alignByKey() gives every index once, and keeps the order of what did not move", () => {
  fc.assert(fc.property(keys, keys, (a, b) => {
    const { pairs, onlyA, onlyB } = alignByKey(a, b);
    deepEqual([...pairs.map((pair) => pair.a), ...onlyA].sort((x, y) => x - y), [...a.keys()]);
    deepEqual([...pairs.map((pair) => pair.b), ...onlyB].sort((x, y) => x - y), [...b.keys()]);
    ok(pairs.every((pair) => a[pair.a] === b[pair.b]));
    const kept = pairs.filter((pair) => !pair.moved).map((pair) => pair.b);
    deepEqual(kept, kept.toSorted((x, y) => x - y));
  }));
});

Deno.test("alignByKey() moves nothing between a sequence and itself", () => {
  fc.assert(fc.property(keys, (a) => {
    const { pairs, onlyA, onlyB } = alignByKey(a, [...a]);
    deepEqual([pairs.some((pair) => pair.moved), onlyA, onlyB], [false, [], []]);
  }));
});

Deno.test("alignByKey() takes a moment for 100,000 against 100,000 in any order", () => {
  const a = Array.from({ length: 100_000 }, (_, index) => `step ${index}`);
  const b = a.map((_, index) => `step ${(index * 7919) % 100_000}`);
  const begun = performance.now();
  equal(alignByKey(a, b).pairs.length, 100_000);
  ok(performance.now() - begun < 10_000, "quadratic");
});

Deno.test("gapsOf() tells what lies between pairs that kept their place", () => {
  const alignment = alignByKey(["a", "x", "b", "y"], ["a", "u", "v", "b"]);
  deepEqual(gapsOf(alignment), [{ onlyA: [1], onlyB: [1, 2] }, { onlyA: [3], onlyB: [] }]);
});
