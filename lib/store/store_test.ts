import { deepEqual, equal, throws } from "node:assert/strict";
import { join, relative } from "node:path";
import { headerLine, stepLine } from "../../tests/support/trace_lines.ts";
import { ThrowawayStore } from "../../tests/support/throwaway_store.ts";
import { type RunRef, writeRunRef } from "./run_ref.ts";
import { TraceNotFoundError } from "./trace_not_found_error.ts";
import { TraceWriter } from "./trace_writer.ts";

function ref(runId: string, second: number, name: string | null = null): RunRef {
  const digest = `sha256:${second.toString(16).repeat(64)}`;
  const timestamp = `2026-11-20T09:12:0${second}.000Z`;
  return { runId, name, digest, command: ["x"], timestamp, status: "completed", exitCode: 0, steps: 1 };
}

/** A store of four runs. */
function storeOfFour(): ThrowawayStore {
  const room = new ThrowawayStore();
  const runs = [
    ref("20261119-080000-aaaa", 1, "answer"),
    ref("20261120-080000-bbbb", 2),
    ref("20261120-080000-cccc", 3, "answer"),
    ref("20261120-090000-dddd", 4, "ci/build"),
  ];
  for (const run of runs) writeRunRef(room.layout, run);
  return room;
}

const found: readonly (readonly [what: string, run: string, id: string])[] = [
  ["is latest", "latest", "20261120-090000-dddd"],
  ["is an id", "20261120-080000-bbbb", "20261120-080000-bbbb"],
  ["is the unique start of an id", "20261120-09", "20261120-090000-dddd"],
  ["is a name, which two runs have", "answer", "20261120-080000-cccc"],
  ["is a name that looks like a path", "ci/build", "20261120-090000-dddd"],
  ["is a whole digest", `sha256:${"2".repeat(64)}`, "20261120-080000-bbbb"],
  ["is the start of a digest", "sha256:2", "20261120-080000-bbbb"],
];
for (const [what, run, id] of found) {
  Deno.test(`find() finds a run when RUN ${what}`, () => {
    using room = storeOfFour();
    equal(room.store.find(run).ref?.runId, id);
  });
}

/** The error that find() throws. */
function failureOf(room: ThrowawayStore, run: string): TraceNotFoundError {
  try {
    room.store.find(run);
  } catch (error) {
    if (error instanceof TraceNotFoundError) return error;
    throw error;
  }
  throw new TypeError(`Cannot go on: "${run}" was found`);
}

Deno.test("find() says what RUN could mean when several ids begin like that", () => {
  using room = storeOfFour();
  const error = failureOf(room, "20261120-080000-");
  deepEqual(error.nearest.map((run) => run.runId), ["20261120-080000-cccc", "20261120-080000-bbbb"]);
  equal(
    error.message,
    'Cannot find run "20261120-080000-": 2 runs begin like that. ' +
      "The nearest are 20261120-080000-cccc (answer), 20261120-080000-bbbb",
  );
});

Deno.test("find() names the three nearest runs, ids and names alike, when none is meant", () => {
  using room = storeOfFour();
  const error = failureOf(room, "answr");
  equal(error.run, "answr");
  equal(error.nearest.length, 3);
  deepEqual(error.nearest.slice(0, 2).map((run) => run.runId), ["20261120-080000-cccc", "20261119-080000-aaaa"]);
  equal(error.message.startsWith('Cannot find run "answr": no run has that id or name. The nearest are '), true);
});

Deno.test("find() says how to begin when the store holds no run", () => {
  using room = new ThrowawayStore();
  const problem = "this store holds no run yet. Record one with: agrepl record -- COMMAND";
  equal(failureOf(room, "latest").message, `Cannot find run "latest": ${problem}`);
});

for (
  const run of [
    "sha256:",
    "sha256:f",
    "",
    "../secret",
    "a.ndjson",
    "20261120-080000-bbbb/",
    "..",
    "a\0/b",
    "a/".repeat(5000),
  ]
) {
  Deno.test(`find() finds nothing when RUN is ${JSON.stringify(run).slice(0, 30)}`, () => {
    using room = storeOfFour();
    throws(() => room.store.find(run), { name: "TraceNotFoundError" });
  });
}

Deno.test("find() takes a path for what it says, and nothing else", () => {
  using room = storeOfFour();
  const path = room.writeLines("tests/answer.ndjson", [headerLine(), stepLine(0)]);
  deepEqual(room.store.find(path), { path, ref: null });
  deepEqual(room.store.find(relative(Deno.cwd(), path)), { path: relative(Deno.cwd(), path), ref: null });
  const error = failureOf(room, join(room.folder, "tests"));
  equal(error.message.includes("there is no such file"), true);
});

Deno.test("open() finds the blobs of a store when the trace is named by its path there", async () => {
  using room = new ThrowawayStore();
  const writer = new TraceWriter(room.layout, headerLine());
  const spool = writer.spool();
  await spool.push(new Uint8Array(100_000));
  const body = spool.finish();
  writer.append(stepLine(0, { request: { ...stepLine(0).request, body } }));
  writer.finish({ status: "completed", exitCode: 0, durationMs: 1 });
  const { path } = room.store.find("latest");
  using elsewhere = new ThrowawayStore();
  using trace = elsewhere.store.open({ path, ref: null });
  const lengths = trace.entries.map((entry) => trace.readBody(trace.step(entry).request.body, entry).length);
  deepEqual(lengths, [100_000]);
});

Deno.test("readReport() gives what writeReport() kept last, and null before", () => {
  using room = new ThrowawayStore();
  equal(room.store.readReport("run-a"), null);
  for (const json of ["1", "2"]) room.store.writeReport("run-a", json);
  equal(room.store.readReport("run-a"), "2");
  throws(() => room.store.writeReport("../../x", ""), RangeError);
});
