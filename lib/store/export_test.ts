import { deepEqual, equal, throws } from "node:assert/strict";
import { join } from "node:path";
import { endLine, headerLine, stepLine } from "../../tests/support/trace_lines.ts";
import { ThrowawayStore } from "../../tests/support/throwaway_store.ts";
import type { Frame, RecordedResponse, Step } from "../step/mod.ts";
import { writeSelfContained } from "./export.ts";
import { blobPath } from "./layout.ts";
import { digestBeforeEnd } from "./trace_digest.ts";
import { TraceFile } from "./trace_file.ts";

const blob = `sha256:${"ab".repeat(32)}`;

function withResponse(seq: number, changes: Partial<RecordedResponse>): Step {
  const step = stepLine(seq);
  return step.response === undefined ? step : { ...step, response: { ...step.response, ...changes } };
}

function roomWithBlob(bytes: string | Uint8Array): ThrowawayStore {
  const room = new ThrowawayStore();
  room.write(blobPath(room.layout, blob).slice(room.folder.length + 1), bytes);
  return room;
}

/** Exports lines and reads the file as a stranger to the store. */
function exported(room: ThrowawayStore, lines: Parameters<ThrowawayStore["writeLines"]>[1]): TraceFile {
  const path = join(room.folder, "out.ndjson");
  using trace = new TraceFile(room.writeLines("in.ndjson", lines), room.layout);
  equal(writeSelfContained(trace, path), Deno.statSync(path).size);
  return new TraceFile(path, null);
}

Deno.test("writeSelfContained() puts blobs inline, text as text and bytes as base64", () => {
  for (const [bytes, body] of [["hello", { text: "hello" }], [Uint8Array.of(0xff, 0), { base64: "/wA=" }]] as const) {
    using room = roomWithBlob(bytes);
    const step = withResponse(0, { body: { blob, bytes: bytes.length } });
    using out = exported(room, [headerLine(), step, endLine()]);
    deepEqual(out.entries.map((entry) => out.step(entry).response?.body), [body]);
  }
});

Deno.test("writeSelfContained() joins the parts of a body and of a frame, and keeps that a frame was compressed", () => {
  using room = roomWithBlob("llo");
  const parts = { parts: [{ text: "he" }, { blob, bytes: 3 }] };
  const frames: Frame[] = [[1, "server", 1, { blob, bytes: 3, deflated: true }], [2, "client", 1, parts], [
    3,
    "server",
    8,
    null,
  ]];
  using out = exported(room, [headerLine(), withResponse(0, { body: parts, frames })]);
  const [response] = out.entries.map((entry) => out.step(entry).response);
  deepEqual(response?.body, { text: "hello" });
  deepEqual(response?.frames, [[1, "server", 1, { text: "llo", deflated: true }], [2, "client", 1, { text: "hello" }], [
    3,
    "server",
    8,
    null,
  ]]);
});

Deno.test("writeSelfContained() sorts steps by seq, joins their lines and gives a digest that fits", () => {
  using room = new ThrowawayStore();
  const open = withResponse(0, { end: "open" });
  const more = { kind: "more", seq: 0, chunks: [[9, 1]], body: { text: "!" }, end: "complete" } as const;
  using out = exported(room, [headerLine(), stepLine(1), open, more, endLine({ steps: 2 })]);
  deepEqual(out.entries.map((entry) => [entry.seq, entry.line.number, out.step(entry).response?.body]), [
    [0, 2, { text: "hello!" }],
    [1, 3, { text: "hello" }],
  ]);
  equal(out.end?.digest, digestBeforeEnd(out.path));
});

Deno.test("writeSelfContained() gives a run that was cut off an end of its own", () => {
  using room = new ThrowawayStore();
  using out = exported(room, [headerLine(), stepLine(0)]);
  const { status, exitCode, steps, durationMs } = out.end ?? {};
  deepEqual({ status, exitCode, steps, durationMs }, {
    status: "interrupted",
    exitCode: null,
    steps: 1,
    durationMs: 93,
  });
});

Deno.test("writeSelfContained() leaves the old file and no other when a blob is missing", () => {
  using room = new ThrowawayStore();
  const path = room.write("out/x.ndjson", "old");
  const lines = [headerLine(), withResponse(0, { body: { blob, bytes: 5 } })];
  using trace = new TraceFile(room.writeLines("in.ndjson", lines), room.layout);
  throws(() => writeSelfContained(trace, path), /the blob ".*" is missing, expected 5 bytes/);
  equal(Deno.readTextFileSync(path), "old");
  deepEqual([...Deno.readDirSync(join(room.folder, "out"))].map(({ name }) => name), ["x.ndjson"]);
});

Deno.test("writeSelfContained() refuses a step that no line can hold before it reads it", () => {
  using room = new ThrowawayStore();
  const lines = [headerLine(), withResponse(0, { body: { blob, bytes: 10 * 1024 ** 3 } })];
  using trace = new TraceFile(room.writeLines("in.ndjson", lines), room.layout);
  throws(() => writeSelfContained(trace, join(room.folder, "x")), /step 0 holds 10737418240 bytes/);
});
