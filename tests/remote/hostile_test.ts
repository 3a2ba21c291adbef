/** A remote store that wants to write elsewhere than into the store that pulls. */

import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { formatLine, type Step } from "../../lib/step/mod.ts";
import { listRemoteRuns, pullRun, remoteKeys } from "../../lib/store/mod.ts";
import { ThrowawayStore } from "../support/throwaway_store.ts";
import { endLine, headerLine, stepLine } from "../support/trace_lines.ts";
import { S3Server } from "./s3_server.ts";
import { pulledFiles } from "./shared_store.ts";

function put(server: S3Server, key: string, text: string): void {
  const path = join(server.bucketFolder, key);
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeTextFileSync(path, text);
}

/** Puts a trace whose digest fits, and a ref that leads to it. */
function putTrace(server: S3Server, runId: string, step: Step, ref: Record<string, unknown> = {}): void {
  const lines = [headerLine({ runId }), step].map((line) => `${formatLine(line)}\n`);
  const digest = `sha256:${createHash("sha256").update(lines.join("")).digest("hex")}`;
  put(server, remoteKeys.trace(digest), `${lines.join("")}${formatLine(endLine({ digest }))}\n`);
  const whole = { run_id: runId, digest, command: [], timestamp: "2026-11-20T00:00:00Z", status: "completed", ...ref };
  put(server, "runs/evil.json", JSON.stringify(whole));
}

const escapes = ["../../x", "/etc/passwd", "..\\..\\x", "sha256:../../../../tmp/x", `sha256:${"a".repeat(63)}/`];

for (const text of escapes) {
  Deno.test(`pull refuses ${JSON.stringify(text)} as a run id, a digest and a body's name`, async () => {
    await using server = await S3Server.start();
    using there = new ThrowawayStore();
    using bucket = await server.open();
    const attempts: readonly (() => void)[] = [
      () => putTrace(server, text, stepLine(0)),
      () => putTrace(server, "evil", stepLine(0), { digest: text }),
      () =>
        putTrace(server, "evil", stepLine(0, { request: { ...stepLine(0).request, body: { blob: text, bytes: 9 } } })),
    ];
    for (const attempt of attempts) {
      attempt();
      await rejects(pullRun(there.layout, "evil", bucket), { name: "RemoteStoreError", code: "damaged", exitCode: 5 });
    }
    await rejects(pullRun(there.layout, text, bucket), { name: "RemoteStoreError", code: "not_found" });
    deepEqual(pulledFiles(there), []);
  });
}

Deno.test("pull takes what the store knows of a run from its trace, whatever the ref says", async () => {
  await using server = await S3Server.start();
  using there = new ThrowawayStore();
  putTrace(server, "evil", stepLine(0), { command: ["rm", "-rf", "/"], name: "latest", steps: 99 });
  using bucket = await server.open();
  const { ref } = await pullRun(there.layout, "evil", bucket);
  deepEqual([ref.command, ref.name, ref.steps, ref.origin], [["python", "agent.py"], null, 1, "s3://team/"]);
});

Deno.test("pull refuses a ref that leads to the trace of another run", async () => {
  await using server = await S3Server.start();
  using there = new ThrowawayStore();
  putTrace(server, "other", stepLine(0));
  using bucket = await server.open();
  await rejects(pullRun(there.layout, "evil", bucket), /it is the run other/);
  deepEqual(pulledFiles(there), []);
});

Deno.test("pull replaces a link in the store and does not follow it", async () => {
  await using server = await S3Server.start();
  using there = new ThrowawayStore();
  putTrace(server, "evil", stepLine(0));
  using bucket = await server.open();
  const { ref } = await pullRun(there.layout, "evil", bucket);
  const trace = join(there.layout.traces, `${ref.digest?.slice(7)}.ndjson`);
  const outside = there.write("outside", "mine");
  Deno.removeSync(trace);
  Deno.symlinkSync(outside, trace);
  await pullRun(there.layout, "evil", bucket);
  equal(Deno.readTextFileSync(outside), "mine");
  ok(Deno.lstatSync(trace).isFile);
});

Deno.test("listing passes over what is no ref, and shows the others", async () => {
  await using server = await S3Server.start();
  putTrace(server, "evil", stepLine(0));
  for (const name of ["broken.json", "UPPER.json", "note.txt", "a/b.json"]) put(server, `runs/${name}`, "{");
  using bucket = await server.open();
  deepEqual((await listRemoteRuns(bucket)).runs.map(({ runId }) => runId), ["evil"]);
});
