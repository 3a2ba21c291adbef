import { deepEqual, equal } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { ThrowawayStore } from "../../tests/support/throwaway_store.ts";
import { endLine, headerLine, stepLine } from "../../tests/support/trace_lines.ts";
import type { ComparedStep } from "../diff/mod.ts";
import type { RecordedResponse, Step } from "../step/mod.ts";
import { comparedTrace } from "./compared_trace.ts";

/** A step with another response, as it is compared. */
function readStep(
  room: ThrowawayStore,
  response: Partial<RecordedResponse>,
  changes: Partial<Step> = {},
): ComparedStep {
  const step = stepLine(0);
  const whole = {
    ...step,
    ...(step.response === undefined ? {} : { response: { ...step.response, ...response } }),
    ...changes,
  };
  const path = room.writeLines(".agrepl/traces/t.ndjson", [headerLine(), whole, endLine()]);
  using trace = room.store.open({ path, ref: null });
  const { step: read } = comparedTrace(trace, trace.entries);
  return read(0);
}

Deno.test("comparedTrace() undoes a content-encoding", () => {
  using room = new ThrowawayStore();
  const body = { base64: Buffer.from(gzipSync("hello")).toString("base64") };
  const { response } = readStep(room, { headers: [["content-encoding", "gzip"]], body });
  deepEqual([response?.body.text, response?.body.bytes], ["hello", 5]);
});

Deno.test("comparedTrace() gives the bytes as they are when they are not of their encoding", () => {
  using room = new ThrowawayStore();
  const { response } = readStep(room, { headers: [["content-encoding", "gzip"]], body: { text: "plain" } });
  deepEqual([response?.body.text, response?.body.bytes], [null, 5]);
});

Deno.test("comparedTrace() makes placeholders alike", () => {
  using room = new ThrowawayStore();
  equal(readStep(room, { body: { text: "k=[redacted-7**]" } }).response?.body.text, "k=[redacted]");
});

Deno.test("comparedTrace() reads a blob, and knows it by its address", () => {
  using room = new ThrowawayStore();
  const bytes = new Uint8Array(100_000).fill(255);
  const hex = createHash("sha256").update(bytes).digest("hex");
  room.write(`.agrepl/blobs/${hex.slice(0, 2)}/${hex}`, bytes);
  const { response } = readStep(room, { body: { blob: `sha256:${hex}`, bytes: bytes.length } });
  deepEqual([response?.body.text, response?.body.bytes, response?.body.identity], [null, 100_000, `sha256:${hex}`]);
});

Deno.test("comparedTrace() reads a body above the limit piece by piece, and only when it is asked for", () => {
  using room = new ThrowawayStore();
  const bytes = Buffer.alloc(17 * 1024 * 1024, "a");
  const hex = createHash("sha256").update(bytes).digest("hex");
  room.write(`.agrepl/blobs/${hex.slice(0, 2)}/${hex}`, bytes);
  const path = room.writeLines(".agrepl/traces/t.ndjson", [
    headerLine(),
    stepLine(0, {
      response: { ...stepLine(0).response as RecordedResponse, body: { blob: `sha256:${hex}`, bytes: bytes.length } },
    }),
    endLine(),
  ]);
  using trace = room.store.open({ path, ref: null });
  const body = comparedTrace(trace, trace.entries).step(0).response?.body;
  const pieces = [...body?.pieces() ?? []].map(({ length }) => length);
  deepEqual([body?.text, pieces.length, pieces.reduce((sum, length) => sum + length, 0)], [null, 17, bytes.length]);
});

Deno.test("comparedTrace() names how a stream was reset, and why nothing came", () => {
  using room = new ThrowawayStore();
  equal(readStep(room, { end: "upstream_reset", resetCode: 8 }).response?.end, "upstream_reset 8");
  const { response: _, ...rest } = stepLine(0);
  const error = { phase: "dns", code: "ENOTFOUND", message: "no" } as const;
  const path = room.writeLines("f.ndjson", [headerLine(), { ...rest, error }, endLine()]);
  using trace = room.store.open({ path, ref: null });
  deepEqual(comparedTrace(trace, trace.entries).step(0).error, error);
});

Deno.test("comparedTrace() gives what a WebSocket carried", () => {
  using room = new ThrowawayStore();
  const { response } = readStep(room, {
    frames: [[1, "client", 1, { text: "hi" }], [2, "server", 2, { base64: "/w==" }]],
  });
  deepEqual(response?.frames.map(({ from, opcode, body }) => [from, opcode, body.text]), [
    ["client", 1, "hi"],
    ["server", 2, null],
  ]);
});
