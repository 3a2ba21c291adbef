import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { textDifference } from "./text_difference.ts";

function changesOf(a: string, b: string): string[] {
  return textDifference(a, b).map((each) => `${each.unit} ${each.at}: ${each.a} -> ${each.b}`);
}

const cases: readonly (readonly [what: string, a: string, b: string, expected: string[]])[] = [
  ["the same", "one two", "one two", []],
  ["a word", "one two three", "one 2 three", ["word 2: two -> 2"]],
  ["two words", "a b c d e", "a x c y e", ["word 2: b -> x", "word 4: d -> y"]],
  ["a word more", "one three", "one two three", ["word 2:  -> two"]],
  ["a word less at the end", "one two", "one", ["word 2: two -> "]],
  ["a word that comes often", "the cat saw the dog and the bird", "the big the cat saw the dog and the small bird", [
    "word 2:  -> big the",
    "word 8:  -> small",
  ]],
  ["a line", "a b\nc d\ne f\n", "a b\nc x\ne f\n", ["line 2: c d -> c x"]],
  ["a line more", "a\nc\n", "a\nb\nc\n", ["line 2:  -> b"]],
  ["a newline at the end", "a\nb", "a\nb\n", ["line 2: b -> b"]],
  ["everything", "a b", "c d", ["word 1: a b -> c d"]],
];
for (const [what, a, b, expected] of cases) {
  Deno.test(`textDifference() names the stretch when what differs is ${what}`, () =>
    deepEqual(changesOf(a, b), expected));
}

const texts = fc.array(fc.constantFrom("a", "b", "the", " ", "\n", "x y"), { maxLength: 30 }).map((all) =>
  all.join("")
);

Deno.test("textDifference() finds something exactly when two texts are not the same", () => {
  fc.assert(fc.property(texts, texts, (a, b) => equal(textDifference(a, b).length === 0, a === b)));
});

Deno.test("textDifference() takes a moment for a hundred thousand words", () => {
  const words = Array.from({ length: 100_000 }, (_, index) => `w${(index * 7919) % 997}`);
  const begun = performance.now();
  equal(textDifference(words.join(" "), words.toSpliced(5000, 2, "new").join(" ")).length, 1);
  ok(performance.now() - begun < 10_000, "quadratic");
});
