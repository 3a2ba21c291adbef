import assert from "node:assert/strict";
import fc from "fast-check";
import { createSampler } from "./sampler.ts";

Deno.test("createSampler() draws the same values when the seed is the same", () => {
  fc.assert(fc.property(fc.string(), (seed) => {
    const [one, other] = [createSampler(seed), createSampler(seed)];
    for (let draw = 0; draw < 20; draw++) assert.equal(one.fraction(), other.fraction());
  }));
});

Deno.test("Sampler.int() reaches both bounds and nothing beyond when drawn often", () => {
  const sample = createSampler("dice");
  const drawn = new Set(Array.from({ length: 500 }, () => sample.int(1, 6)));
  assert.deepEqual([...drawn].sort(), [1, 2, 3, 4, 5, 6]);
});

Deno.test("Sampler.text() draws from its alphabet alone when given one", () => {
  fc.assert(fc.property(fc.string(), fc.nat(100), (seed, length) => {
    assert.match(createSampler(seed).text(length, "xyz"), new RegExp(`^[xyz]{${length}}$`));
  }));
});

Deno.test("Sampler.pick() throws when there is no choice", () => {
  assert.throws(() => createSampler("none").pick([]), RangeError);
});
