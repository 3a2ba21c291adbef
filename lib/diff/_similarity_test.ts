import { deepEqual, equal, ok } from "node:assert/strict";
import { pairAlike, sketchOf, sketchSimilarity } from "./_similarity.ts";

function likeness(a: string, b: string): number {
  return sketchSimilarity(sketchOf([a]), sketchOf([b]));
}

const chat = (prompt: string) => JSON.stringify({ model: "m", messages: [{ role: "user", content: prompt }] });

Deno.test("sketchSimilarity() is 1 for equal texts and 0 for texts that share nothing", () => {
  equal(likeness(chat("hi"), chat("hi")), 1);
  equal(likeness("", ""), 1);
  equal(likeness("one two", "three four"), 0);
});

Deno.test("sketchSimilarity() finds a request with another prompt more alike than another request", () => {
  ok(likeness(chat("what of tides?"), chat("and of clocks?")) > 0.5);
  ok(likeness(chat("what of tides?"), '{"input":["what of tides?"]}') < 0.3);
});

Deno.test("pairAlike() pairs the most alike first, and nothing that is not alike", () => {
  const sketches = (...texts: string[]) => texts.map((text) => sketchOf([text]));
  const pairs = pairAlike(sketches("a b c d", "e f g h", "zz"), sketches("e f g x", "a b c d", "yy"));
  deepEqual(pairs, [[0, 1], [1, 0]]);
});

Deno.test("pairAlike() pairs in order when thousands are equally alike", () => {
  const sketches = Array.from({ length: 2000 }, () => sketchOf(["the same words"]));
  const pairs = pairAlike(sketches, sketches);
  deepEqual([pairs.length, pairs[1999]], [2000, [1999, 1999]]);
});
