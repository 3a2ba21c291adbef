import { deepEqual, equal, match } from "node:assert/strict";
import { ThrowawayStore } from "../../tests/support/throwaway_store.ts";
import { defaultKeyRules, type Step, type TraceHeader } from "../step/mod.ts";
import { CassetteWriter } from "./cassette.ts";
import { digestBeforeEnd } from "./trace_digest.ts";
import { TraceFile } from "./trace_file.ts";

const outcome = { status: "completed", exitCode: null, durationMs: 5 } as const;
let runs = 0;

function header(): TraceHeader {
  return {
    kind: "trace",
    version: 1,
    runId: `run-${runs++}`,
    name: null,
    command: [],
    cwd: ".",
    timestamp: new Date(1e12 + runs).toISOString(),
    agrepl: "0.0.0",
    env: [],
    key: defaultKeyRules,
    redaction: { version: 1 },
  };
}

/** A step; each call makes other times. */
function step(seq: number, path: string, answer = path): Step {
  const time = ++runs;
  const head = { httpVersion: "1.1", headers: [["date", `day ${time}`]] } as const;
  return {
    kind: "step",
    seq,
    type: "HTTP",
    key: path.padEnd(64, "0"),
    timestamp: new Date(1e12 + time).toISOString(),
    latencyMs: time,
    ttfbMs: time,
    request: { httpVersion: "1.1", headers: [], method: "GET", url: `https://h/${path}`, body: null },
    response: {
      ...head,
      status: 200,
      statusText: "OK",
      body: { text: answer },
      chunks: [[time, answer.length]],
      trailers: [],
      end: "complete",
    },
  };
}

/** Records steps over what is there; gives the file's lines. */
function record(room: ThrowawayStore, steps: readonly Step[]): string[] {
  const writer = new CassetteWriter(`${room.folder}/c.ndjson`, header());
  for (const each of steps) writer.append(each);
  writer.finish(outcome);
  return Deno.readTextFileSync(writer.path).split("\n");
}

Deno.test("CassetteWriter.finish() sorts by seq and joins what was written in several lines", () => {
  using room = new ThrowawayStore();
  const open = step(1, "b");
  const response = open.response === undefined ? undefined : { ...open.response, end: "open" as const };
  const writer = new CassetteWriter(`${room.folder}/c.ndjson`, header());
  writer.append({ ...open, ...(response === undefined ? {} : { response }) });
  writer.append(step(0, "a"));
  writer.append({ kind: "more", seq: 1, chunks: [[9, 1]], body: { text: "!" }, end: "complete" });
  writer.finish(outcome);
  using trace = new TraceFile(writer.path, null);
  deepEqual(trace.entries.map((entry) => trace.step(entry).response?.body), [{ text: "a" }, { text: "b!" }]);
  deepEqual(trace.warnings, []);
  equal(trace.end?.digest, digestBeforeEnd(writer.path));
});

Deno.test("CassetteWriter.finish() leaves a cassette as it is when only times differ", () => {
  using room = new ThrowawayStore();
  const before = record(room, [step(0, "a"), step(1, "b")]);
  deepEqual(record(room, [step(0, "a"), step(1, "b")]), before);
});

Deno.test("CassetteWriter.finish() changes the line of the step that changed, and the end", () => {
  using room = new ThrowawayStore();
  const before = record(room, [step(0, "a"), step(1, "b"), step(2, "c")]);
  const after = record(room, [step(0, "a"), step(1, "b", "new"), step(2, "c")]);
  deepEqual(after.map((line, at) => line === before[at]), [true, true, false, true, false, true]);
  match(after[2] ?? "", /"text":"new"/);
});

Deno.test("CassetteWriter.finish() changes no line when only ids were drawn anew", () => {
  using room = new ThrowawayStore();
  const before = record(room, [step(0, "a", '{"id":"resp_1f3a9b7c5d2e4f60"}')]);
  deepEqual(record(room, [step(0, "a", '{"id":"resp_2f3a9b7c5d2e4f60"}')]), before);
});

Deno.test("CassetteWriter.finish() writes an id anew that a new question repeats", () => {
  using room = new ThrowawayStore();
  record(room, [step(0, "a", '{"id":"resp_1f3a9b7c5d2e4f60"}'), step(1, "resp_1f3a9b7c5d2e4f60")]);
  const after = record(room, [step(0, "a", '{"id":"resp_2f3a9b7c5d2e4f60"}'), step(1, "resp_2f3a9b7c5d2e4f60")]);
  match(after[1] ?? "", /resp_2f3a9b7c5d2e4f60/);
});

Deno.test("CassetteWriter.finish() keeps the lines behind a step that is gone", () => {
  using room = new ThrowawayStore();
  const before = record(room, [step(0, "a"), step(1, "b"), step(2, "c")]);
  const after = record(room, [step(0, "a"), step(1, "c")]);
  deepEqual(after.slice(1, 3), [before[1], before[3]]);
});

Deno.test("CassetteWriter.finish() numbers the steps behind a new one anew, and nothing else of them", () => {
  using room = new ThrowawayStore();
  const before = record(room, [step(0, "a"), step(1, "c")]);
  const after = record(room, [step(0, "a"), step(1, "b"), step(2, "c")]);
  equal(after[3], before[2]?.replace('"seq":1', '"seq":2'));
});

Deno.test("CassetteWriter.finish() holds equal keys against each other in their order", () => {
  using room = new ThrowawayStore();
  const before = record(room, [step(0, "a", "1"), step(1, "a", "2")]);
  const after = record(room, [step(0, "a", "1"), step(1, "a", "3")]);
  deepEqual([after[1] === before[1], after[2] === before[2]], [true, false]);
});

Deno.test("CassetteWriter.finish() writes over what is damaged", () => {
  using room = new ThrowawayStore();
  room.write("c.ndjson", "no cassette\n");
  equal(record(room, [step(0, "a")]).length, 4);
});

Deno.test("CassetteWriter.finish() leaves nothing beside the cassette", () => {
  using room = new ThrowawayStore();
  record(room, [step(0, "a")]);
  deepEqual([...Deno.readDirSync(room.folder)].map((entry) => entry.name), ["c.ndjson"]);
});

Deno.test("CassetteWriter.finish() leaves a cassette as it is that came there while it recorded", () => {
  using room = new ThrowawayStore();
  const writer = new CassetteWriter(`${room.folder}/c.ndjson`, header());
  const other = record(room, [step(0, "a")]);
  writer.append(step(0, "b"));
  equal(writer.finish(outcome), "outrun");
  deepEqual(Deno.readTextFileSync(writer.path).split("\n"), other);
});
