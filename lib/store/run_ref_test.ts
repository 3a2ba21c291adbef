import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import { headerLine, stepLine } from "../../tests/support/trace_lines.ts";
import { ThrowawayStore } from "../../tests/support/throwaway_store.ts";
import { listRuns, type RunRef, traceFileOf, writeRunRef } from "./run_ref.ts";
import { TraceWriter } from "./trace_writer.ts";

const ref: RunRef = {
  runId: "run-a",
  name: "answer",
  digest: `sha256:${"a".repeat(64)}`,
  command: ["python", "agent.py"],
  timestamp: "2026-11-20T09:12:33.120Z",
  status: "failed",
  exitCode: 3,
  steps: 12,
};

Deno.test("listRuns() gives back the refs that writeRunRef() wrote, oldest first", () => {
  using room = new ThrowawayStore();
  const later = { ...ref, runId: "run-0", name: null, timestamp: "2026-11-20T09:12:34.000Z" };
  for (const each of [later, ref, { ...ref, runId: "run-b" }]) writeRunRef(room.layout, each);
  deepEqual(listRuns(room.layout), [ref, { ...ref, runId: "run-b" }, later]);
});

Deno.test("listRuns() gives none when there is no store", () => {
  using room = new ThrowawayStore();
  deepEqual(listRuns(room.layout), []);
});

Deno.test("listRuns() tells a run that goes on from one that was cut off, by its lock", () => {
  using room = new ThrowawayStore();
  const writer = new TraceWriter(room.layout, headerLine({ runId: "run-a", name: "answer" }));
  room.writeLines(".agrepl/runs/run-b.ndjson", [headerLine({ runId: "run-b" }), stepLine(0)]);
  deepEqual(listRuns(room.layout).map(({ runId, status }) => [runId, status]), [
    ["run-a", "recording"],
    ["run-b", "interrupted"],
  ]);
  writer.discard();
});

Deno.test("listRuns() knows of a run that was cut off what its header says", () => {
  using room = new ThrowawayStore();
  room.writeLines(".agrepl/runs/run-b.ndjson", [headerLine({ runId: "run-b", name: "answer" })]);
  const { command, timestamp } = headerLine();
  const rest = { digest: null, status: "interrupted", exitCode: null, steps: null };
  deepEqual(listRuns(room.layout), [{ runId: "run-b", name: "answer", command, timestamp, ...rest }]);
});

const garbage: Readonly<Record<string, string>> = {
  "a.json": "",
  "b.json": "{",
  "c.json": "null",
  "d.json": "[]",
  "e.json": "7",
  "f.json": '{"timestamp":1,"command":[]}',
  "g.json": '{"timestamp":"2026","command":"python"}',
  "h.ndjson": "",
  "i.ndjson": '{"kind":"trace"',
  "j.ndjson": "not a trace\n",
  "k.ndjson": '{"kind":"end","status":"completed","exit_code":0,"steps":0,"duration_ms":1,"digest":"x"}\n',
  "..json": "{}",
  "L.json": '{"timestamp":"2026","command":[]}',
  "run-a.json.0b5c9a52.tmp": "{}",
  "notes.txt": "mine",
};
Deno.test("listRuns() passes over everything in its folder that is no run", () => {
  using room = new ThrowawayStore();
  for (const [name, text] of Object.entries(garbage)) room.write(join(".agrepl/runs", name), text);
  room.write(".agrepl/runs/folder.json/x", "");
  writeRunRef(room.layout, ref);
  deepEqual(listRuns(room.layout), [ref]);
});

Deno.test("listRuns() gives no digest and no status that could not be its own", () => {
  using room = new ThrowawayStore();
  const text = '{"timestamp":"2026","command":["x",1],"digest":"sha256:../../x","status":"fine","exit_code":"0"}';
  room.write(".agrepl/runs/run-a.json", text);
  const [found] = listRuns(room.layout);
  deepEqual([found?.digest, found?.status, found?.exitCode, found?.steps], [null, "interrupted", null, null]);
  deepEqual(found?.command, ["x", "1"]);
});

Deno.test("writeRunRef() leaves nothing half written beside the ref", () => {
  using room = new ThrowawayStore();
  for (const steps of [1, 2]) writeRunRef(room.layout, { ...ref, steps });
  deepEqual([...Deno.readDirSync(room.layout.runs)].map((entry) => entry.name), ["run-a.json"]);
  equal(listRuns(room.layout)[0]?.steps, 2);
});

Deno.test("traceFileOf() names the growing file of a run that has no digest", () => {
  using room = new ThrowawayStore();
  equal(traceFileOf(room.layout, { ...ref, digest: null }), join(room.layout.runs, "run-a.ndjson"));
});
