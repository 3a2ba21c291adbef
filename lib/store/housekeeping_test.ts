import { deepEqual, equal } from "node:assert/strict";
import { basename } from "node:path";
import { headerLine, stepLine } from "../../tests/support/trace_lines.ts";
import { ThrowawayStore } from "../../tests/support/throwaway_store.ts";
import { collect, type CollectionRules, planCollection, removeUnsharedBlobs, unreadableRefs } from "./housekeeping.ts";
import { blobPath, growingTracePath, runRefPath, tracePath } from "./layout.ts";
import { TraceWriter } from "./trace_writer.ts";

const dayMs = 86_400_000;
/** Tomorrow: what the tests write is old by then. */
const later = () => Date.now() + dayMs;
const digestOf = (digit: string) => `sha256:${digit.repeat(64)}`;

/** A store in which each run names the blobs that it is given. */
class Room extends ThrowawayStore {
  run(runId: string, day: number, blobs: readonly string[] = []): string {
    const writer = this.begin(runId, day, blobs);
    return writer.finish({ status: "completed", exitCode: 0, durationMs: 1 }).digest ?? "";
  }

  begin(runId: string, day: number, blobs: readonly string[] = []): TraceWriter {
    const timestamp = new Date(Date.UTC(2026, 0, day)).toISOString();
    const writer = new TraceWriter(this.layout, headerLine({ runId, timestamp }));
    for (const [seq, digit] of blobs.entries()) {
      this.blob(digit);
      const { request } = stepLine(seq);
      writer.append(stepLine(seq, { request: { ...request, body: { blob: digestOf(digit), bytes: 70_000 } } }));
    }
    return writer;
  }

  blob(digit: string): string {
    const path = blobPath(this.layout, digestOf(digit));
    return this.write(path.slice(this.folder.length + 1), digit);
  }

  plan(rules: Partial<CollectionRules>) {
    const plan = planCollection(this.layout, { nowMs: later(), ...rules });
    const of = (kind: string) => plan.files.filter((file) => file.kind === kind).map(({ path }) => basename(path));
    return {
      runs: plan.runs.map(({ runId }) => runId),
      blobs: of("blob").map((name) => name[0]),
      traces: of("trace").length,
    };
  }
}

Deno.test("planCollection() names no run unless it is asked to", () => {
  using room = new Room();
  room.run("a", 1, ["1"]);
  deepEqual(room.plan({}), { runs: [], blobs: [], traces: 0 });
});

Deno.test("planCollection() keeps the newest, and the blobs that they share with what goes", () => {
  using room = new Room();
  room.run("a", 1, ["1", "2"]);
  room.run("b", 2, ["2", "3"]);
  deepEqual(room.plan({ keep: 1 }), { runs: ["a"], blobs: ["1"], traces: 1 });
});

Deno.test("planCollection() lets go what is both old and beyond the newest", () => {
  using room = new Room();
  for (const day of [1, 2, 3]) room.run(`d${day}`, day);
  const nowMs = Date.UTC(2026, 0, 3, 12);
  const runs = (rules: Partial<CollectionRules>) => room.plan({ nowMs, ...rules }).runs;
  deepEqual(runs({ olderThanMs: dayMs }), ["d1", "d2"]);
  deepEqual(runs({ olderThanMs: 2 * dayMs, keep: 1 }), ["d1"]);
  deepEqual(runs({ olderThanMs: 0, keep: 0 }), ["d1", "d2", "d3"]);
});

Deno.test("planCollection() leaves a run that is recording, and every blob written since it began", () => {
  using room = new Room();
  room.run("a", 1, ["1"]);
  const writer = room.begin("b", 2, ["2"]);
  room.blob("3");
  deepEqual(room.plan({ keep: 0 }), { runs: ["a"], blobs: [], traces: 1 });
  writer.discard();
});

Deno.test("planCollection() lets go a run that was cut off", () => {
  using room = new Room();
  room.begin("a", 1, ["1"]).finish({ status: "completed", exitCode: 0, durationMs: 1 });
  room.writeLines(growingTracePath(room.layout, "b").slice(room.folder.length + 1), [headerLine({ runId: "b" })]);
  deepEqual(room.plan({ keep: 0 }), { runs: ["a", "b"], blobs: ["1"], traces: 2 });
});

Deno.test("planCollection() finds blobs and temporary files that nothing names, once they are old enough", () => {
  using room = new Room();
  room.run("a", 1, ["1"]);
  room.blob("9");
  room.write(".agrepl/blobs/.0123.tmp", "half");
  const files = (nowMs: number) => planCollection(room.layout, { nowMs }).files.map(({ kind }) => kind);
  deepEqual(files(later()), ["blob", "temporary"]);
  deepEqual(files(Date.now()), []);
  equal(planCollection(room.layout, { nowMs: Date.now() }).spared, 2);
});

Deno.test("planCollection() lets go a trace without a ref, unless some ref cannot be read", () => {
  using room = new Room();
  room.run("a", 1, ["1"]);
  Deno.removeSync(runRefPath(room.layout, "a"));
  deepEqual(room.plan({}), { runs: [], blobs: ["1"], traces: 1 });
  const damaged = room.write(".agrepl/runs/b.json", "{");
  deepEqual(room.plan({}), { runs: [], blobs: [], traces: 0 });
  deepEqual(unreadableRefs(room.layout), [damaged]);
});

Deno.test("planCollection() keeps what a damaged trace names", () => {
  using room = new Room();
  const digest = room.run("a", 1, ["1"]);
  Deno.writeTextFileSync(tracePath(room.layout, digest), `{ half a line with "${digestOf("1")}"`);
  deepEqual(room.plan({}).blobs, []);
});

Deno.test("collect() removes what was planned and nothing that was written again since", () => {
  using room = new Room();
  room.run("a", 1, ["1", "2"]);
  const plan = planCollection(room.layout, { nowMs: later(), keep: 0 });
  Deno.utimeSync(room.blob("2"), new Date(), new Date(Date.now() + 5000));
  equal(collect(plan).files, 3);
  deepEqual(room.store.list(), []);
  deepEqual(Deno.readTextFileSync(blobPath(room.layout, digestOf("2"))), "2");
});

Deno.test("removeUnsharedBlobs() leaves what another trace names", () => {
  using room = new Room();
  room.run("a", 1, ["1"]);
  room.blob("2");
  equal(removeUnsharedBlobs(room.layout, new Set(["1", "2", "3"].map(digestOf))), 1);
  equal(Deno.readTextFileSync(blobPath(room.layout, digestOf("1"))), "1");
});

Deno.test("planCollection() finds nothing where there is no store", () => {
  using room = new Room();
  deepEqual(room.plan({ keep: 0 }), { runs: [], blobs: [], traces: 0 });
});
