import { deepEqual, equal } from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { ThrowawayStore } from "../../tests/support/throwaway_store.ts";
import { LineSource } from "./_line_source.ts";

/** Everything that a source tells of a text's lines. */
function linesOf(text: string, limits: { readonly keptBytes?: number; readonly slabBytes?: number }) {
  using room = new ThrowawayStore();
  const source = new LineSource(room.write("a", Buffer.from(text, "latin1")), "a", limits);
  try {
    return [
      ...source.lines().map(({ line, start, lastByte }) => {
        const seen = { ...line, start, lastByte };
        return { ...seen, text: source.read(line).toString("latin1"), place: source.place(line) };
      }),
    ];
  } finally {
    source.close();
  }
}

/** The same, by the simplest means. */
function expectedLines(text: string) {
  const parts = text.split("\n");
  let offset = 0;
  return parts.map((part, index) => {
    const at = offset;
    offset += part.length + 1;
    const lastByte = part.length === 0 ? 0 : part.charCodeAt(part.length - 1);
    const place = { path: "a", line: index + 1, offset: at };
    const whole = index < parts.length - 1;
    const start = part.slice(0, 320);
    return { number: index + 1, offset: at, bytes: part.length, whole, start, lastByte, text: part, place };
  }).filter((line) => line.whole || line.bytes > 0);
}

const anyText = fc.string({ unit: fc.constantFrom("a", "b", "}", "\n"), maxLength: 60 });

Deno.test("LineSource gives the same lines when a file is kept and when it is read slab by slab, of any size", () => {
  fc.assert(fc.property(anyText, fc.integer({ min: 1, max: 8 }), (text, slabBytes) => {
    deepEqual(linesOf(text, { keptBytes: 0, slabBytes }), expectedLines(text));
    deepEqual(linesOf(text, {}), expectedLines(text));
  }));
});

for (const slabBytes of [1, 100, 319, 320, 321, 500]) {
  Deno.test(`LineSource gives the first 320 bytes of a line when slabs of ${slabBytes} bytes cut it`, () => {
    const text = `short\n${"0123456789".repeat(70)}}\n`;
    deepEqual(linesOf(text, { keptBytes: 0, slabBytes }), expectedLines(text));
  });
}

Deno.test("LineSource gives a torn line for what is gone when a file shrinks while it is read", () => {
  using room = new ThrowawayStore();
  const path = room.write("a", "one\ntwo\nthree\n");
  const source = new LineSource(path, "a", { keptBytes: 0, slabBytes: 4 });
  Deno.truncateSync(path, 6);
  deepEqual([...source.lines().map(({ line }) => [line.number, line.whole])], [[1, true], [2, false]]);
  equal(source.text({ number: 3, offset: 8, bytes: 5, whole: true }), "");
  source.close();
});
