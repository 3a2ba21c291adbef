import assert from "node:assert/strict";
import fc from "fast-check";
import { createSampler } from "./sampler.ts";
import { toDeltas, toEventWrites } from "./stream.ts";

const anyText = fc.string({ unit: "binary", maxLength: 200 });

Deno.test("toDeltas() makes up the text again when joined", () => {
  fc.assert(fc.property(anyText, fc.string(), (text, seed) => {
    const deltas = toDeltas(text, createSampler(seed));
    assert.equal(deltas.join(""), text);
    assert.ok(deltas.every((delta) => delta.length > 0));
  }));
});

Deno.test("toEventWrites() makes up the events again when joined", async () => {
  await fc.assert(fc.asyncProperty(fc.array(anyText), async (events) => {
    const text = await new Blob(toEventWrites(events).map((write) => new Uint8Array(write))).text();
    assert.equal(text, events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  }));
});

Deno.test("toEventWrites() cuts inside a character when it has several bytes", () => {
  const [first, second, ...rest] = toEventWrites(["a€"]);
  assert.deepEqual([first?.at(-1), second?.at(0), rest], [0xe2, 0x82, []]);
});
