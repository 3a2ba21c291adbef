import { deepEqual, equal } from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { stepLine } from "../../tests/support/trace_lines.ts";
import { bodyBytes, encodeBody } from "./body.ts";
import { joinStep } from "./join.ts";
import type { Body, More, Step } from "./step.ts";

const blob = { blob: `sha256:${"a".repeat(64)}`, bytes: 70_000 };

function openStep(body: Body): Step {
  const step = stepLine(0);
  return step.response === undefined
    ? step
    : { ...step, response: { ...step.response, body, chunks: [], end: "open" } };
}

function more(body: Body, changes: Partial<More> = {}): More {
  return { kind: "more", seq: 0, chunks: [], body, end: "open", ...changes };
}

Deno.test("joinStep() gives the bytes of the whole when a text is cut anywhere, inside of characters too", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), fc.array(fc.nat(20)), (text, cuts) => {
    const whole = Buffer.from(text);
    const places = [...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length];
    const parts = places.map((to, index) => encodeBody(whole.subarray(places[index - 1] ?? 0, to)));
    const [first = null, ...rest] = parts;
    deepEqual(joinStep(openStep(first), rest.map((part) => more(part))).response?.body, encodeBody(whole));
  }));
});

Deno.test("joinStep() keeps blobs as parts, and joins what stands inline between them", () => {
  const { response } = joinStep(openStep({ text: "a" }), [
    more({ text: "b" }),
    more(blob),
    more(null),
    more({ text: "c" }),
  ]);
  deepEqual(response?.body, { parts: [{ text: "ab" }, blob, { text: "c" }] });
  equal(bodyBytes(response?.body ?? null), 70_003);
  deepEqual(joinStep(openStep(null), [more(blob)]).response?.body, blob);
});

Deno.test("joinStep() takes chunks and frames of all lines, and the last one's end, trailers and latency", () => {
  const frame = [1, "server", 1, { text: "x" }] as const;
  const { latencyMs, response } = joinStep(openStep(null), [
    more({ text: "b" }, { chunks: [[5, 1]], latencyMs: 10 }),
    more({ text: "cd" }, { chunks: [[6, 2]], latencyMs: 20, trailers: [["x", "y"]], frames: [frame], end: "complete" }),
  ]);
  deepEqual(response?.chunks, [[5, 1], [6, 2]]);
  deepEqual([latencyMs, response?.end, response?.trailers, response?.frames], [20, "complete", [["x", "y"]], [frame]]);
});

Deno.test("joinStep() leaves a step alone when nothing goes on with it", () => {
  const step = openStep({ text: "a" });
  equal(joinStep(step, []), step);
});
