import { deepEqual, equal, throws } from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { endLine, headerLine, stepLine } from "../../tests/support/trace_lines.ts";
import { ThrowawayStore } from "../../tests/support/throwaway_store.ts";
import { formatLine } from "../step/mod.ts";
import { growingTracePath, storeLayout, tracePath } from "./layout.ts";
import { digestBeforeEnd } from "./trace_digest.ts";
import { TraceFile } from "./trace_file.ts";
import { type RunOutcome, TraceWriter } from "./trace_writer.ts";

const completed: RunOutcome = { status: "completed", exitCode: 0, durationMs: 81.5 };

function modeOf(path: string): string {
  return ((Deno.statSync(path).mode ?? 0) & 0o777).toString(8);
}

Deno.test("TraceWriter writes what TraceFile reads back: header, steps in the order of seq, end", () => {
  using room = new ThrowawayStore();
  const writer = new TraceWriter(room.layout, headerLine({ name: "answer" }));
  for (const seq of [2, 0, 7]) writer.append(stepLine(seq));
  const { digest } = writer.finish(completed);
  using trace = new TraceFile(tracePath(room.layout, digest ?? ""), room.layout);
  deepEqual(trace.header, headerLine({ name: "answer" }));
  deepEqual(trace.entries.map((entry) => trace.step(entry)), [stepLine(0), stepLine(2), stepLine(7)]);
  deepEqual(trace.end, endLine({ steps: 3, digest: digest ?? "" }));
  deepEqual(trace.warnings, []);
});

Deno.test("TraceWriter has every step in the file when the next thing happens: a kill loses nothing that ended", () => {
  using room = new ThrowawayStore();
  const writer = new TraceWriter(room.layout, headerLine());
  writer.append(stepLine(0));
  const text = Deno.readTextFileSync(growingTracePath(room.layout, headerLine().runId));
  equal(text, `${formatLine(headerLine())}\n${formatLine(stepLine(0))}\n`);
  writer.discard();
});

Deno.test("TraceWriter counts a step once, however many lines it has", () => {
  using room = new ThrowawayStore();
  const writer = new TraceWriter(room.layout, headerLine());
  writer.append(stepLine(0));
  writer.append({ kind: "more", seq: 0, chunks: [], body: null, end: "complete" });
  equal(writer.finish(completed).steps, 1);
});

Deno.test("TraceWriter keeps files and folders to their owner, and out of git", () => {
  using room = new ThrowawayStore();
  const writer = new TraceWriter(room.layout, headerLine());
  equal(modeOf(growingTracePath(room.layout, writer.header.runId)), "600");
  const { digest } = writer.finish(completed);
  const { root, runs, traces } = room.layout;
  deepEqual([root, runs, traces].map(modeOf), ["700", "700", "700"]);
  const files = [tracePath(room.layout, digest ?? ""), join(runs, `${writer.header.runId}.json`)];
  deepEqual([...files, join(root, ".gitignore")].map(modeOf), ["600", "600", "600"]);
  equal(Deno.readTextFileSync(join(root, ".gitignore")), "*\n");
});

Deno.test("TraceWriter leaves a .gitignore alone when the user has written one", () => {
  using room = new ThrowawayStore();
  room.write(".agrepl/.gitignore", "blobs\n");
  new TraceWriter(room.layout, headerLine()).discard();
  equal(Deno.readTextFileSync(join(room.layout.root, ".gitignore")), "blobs\n");
});

Deno.test("finish() gives the digest of all lines before the end, and the ref that list() reads", () => {
  using room = new ThrowawayStore();
  const writer = new TraceWriter(room.layout, headerLine({ name: "answer" }));
  writer.append(stepLine(0));
  const ref = writer.finish({ ...completed, status: "failed", exitCode: 3 });
  const lines = `${formatLine(headerLine({ name: "answer" }))}\n${formatLine(stepLine(0))}\n`;
  equal(ref.digest, `sha256:${createHash("sha256").update(lines).digest("hex")}`);
  equal(digestBeforeEnd(tracePath(room.layout, ref.digest ?? "")), ref.digest);
  const { runId, command, timestamp } = headerLine();
  const { digest } = ref;
  deepEqual(room.store.list(), [
    { runId, name: "answer", digest, command, timestamp, status: "failed", exitCode: 3, steps: 1 },
  ]);
});

Deno.test("discard() leaves no trace of the run", () => {
  using room = new ThrowawayStore();
  const writer = new TraceWriter(room.layout, headerLine());
  writer.append(stepLine(0));
  writer.discard();
  deepEqual(room.store.list(), []);
  deepEqual([...Deno.readDirSync(room.layout.runs)], []);
});

Deno.test("TraceWriter refuses a run id that is taken", () => {
  using room = new ThrowawayStore();
  const first = new TraceWriter(room.layout, headerLine());
  throws(() => new TraceWriter(room.layout, headerLine()), Deno.errors.AlreadyExists);
  first.discard();
});

Deno.test("two TraceWriters record into one store at once without touching each other", () => {
  using room = new ThrowawayStore();
  const a = new TraceWriter(room.layout, headerLine({ runId: "run-a" }));
  const b = new TraceWriter(room.layout, headerLine({ runId: "run-b" }));
  for (const seq of [0, 1]) [a, b].forEach((writer) => writer.append(stepLine(seq)));
  deepEqual(room.store.list().map((ref) => ref.status), ["recording", "recording"]);
  const refs = [b.finish(completed), a.finish(completed)];
  deepEqual(refs.map((ref) => ref.steps), [2, 2]);
  deepEqual(room.store.list().map((ref) => [ref.runId, ref.status]), [["run-a", "completed"], ["run-b", "completed"]]);
});

Deno.test("TraceWriter says what the system says when the folder cannot be written", () => {
  using room = new ThrowawayStore();
  const inTheWay = room.write("file", "");
  throws(() => new TraceWriter(storeLayout(join(inTheWay, ".agrepl")), headerLine()), /Not a directory/);
});

Deno.test("find() leads to the whole trace when the recorder was killed between ref and address", () => {
  using room = new ThrowawayStore();
  const writer = new TraceWriter(room.layout, headerLine());
  writer.append(stepLine(0));
  const { digest } = writer.finish(completed);
  Deno.renameSync(tracePath(room.layout, digest ?? ""), growingTracePath(room.layout, headerLine().runId));
  using trace = room.store.open(room.store.find("latest"));
  equal(trace.entries.length, 1);
});
