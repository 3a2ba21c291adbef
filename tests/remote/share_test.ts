/** Sharing and pulling through a real S3 server. */

import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { listRemoteRuns, pullRun, remoteKeys, shareRun } from "../../lib/store/mod.ts";
import { ThrowawayStore } from "../support/throwaway_store.ts";
import { S3Server } from "./s3_server.ts";
import { filesOf, recordRun } from "./shared_store.ts";

Deno.test("a run that was shared is pulled byte for byte, and is known to come from elsewhere", async () => {
  await using server = await S3Server.start();
  using here = new ThrowawayStore();
  using there = new ThrowawayStore();
  const ref = await recordRun(here, { blobs: [70_000, 200_000], small: 5 });
  using bucket = await server.open({ prefix: "a/b/" });
  await shareRun(here.layout, ref, bucket);
  const { ref: pulled } = await pullRun(there.layout, ref.runId, bucket);
  const { runId, digest, steps, status } = ref;
  const { name: _name, command: _command, timestamp: _timestamp, exitCode: _exitCode, ...known } = pulled;
  deepEqual(known, { runId, digest, steps, status, origin: "s3://team/a/b/" });
  const content = (room: ThrowawayStore) => [...filesOf(room.folder)].filter(([name]) => !name.includes("/runs/"));
  deepEqual(content(there), content(here));
  ok([...filesOf(server.bucketFolder).keys()].every((name) => name.startsWith("a/b/")));
});

Deno.test("a second share sends nothing, in three requests", async () => {
  await using server = await S3Server.start();
  using here = new ThrowawayStore();
  const ref = await recordRun(here, { blobs: [70_000, 70_001, 70_002] });
  using first = await server.open();
  equal((await shareRun(here.layout, ref, first)).sentFiles, 4);
  using second = await server.open();
  deepEqual(await shareRun(here.layout, ref, second), { digest: ref.digest, blobs: 3, sentFiles: 0, sentBytes: 0 });
  ok(second.requests <= 3, `${second.requests} requests`);
});

Deno.test("of a run that shares bodies with another only the others are sent", async () => {
  await using server = await S3Server.start();
  using here = new ThrowawayStore();
  using bucket = await server.open();
  await shareRun(here.layout, await recordRun(here, { runId: "one", blobs: [70_000, 70_001] }), bucket);
  const { sentFiles } = await shareRun(
    here.layout,
    await recordRun(here, { runId: "two", blobs: [70_000, 70_001, 70_002] }),
    bucket,
  );
  equal(sentFiles, 2);
});

Deno.test("six people who share the same bodies, and two the same run, at once lose nothing", async () => {
  await using server = await S3Server.start();
  using here = new ThrowawayStore();
  const runs = [];
  for (const runId of ["a", "b", "c", "d", "e"]) {
    runs.push(await recordRun(here, { runId, blobs: [70_000, 90_000], small: 1 }));
  }
  await Promise.all([...runs, ...runs.slice(0, 1)].map(async (ref) => {
    using bucket = await server.open();
    await shareRun(here.layout, ref, bucket);
  }));
  using bucket = await server.open();
  deepEqual((await listRemoteRuns(bucket)).runs.map(({ runId }) => runId), ["a", "b", "c", "d", "e"]);
  for (const { runId } of runs) {
    using there = new ThrowawayStore();
    equal((await pullRun(there.layout, runId, bucket)).fetchedFiles, 3);
  }
});

Deno.test("a body of 20 MiB goes in parts and comes back whole", async () => {
  await using server = await S3Server.start();
  using here = new ThrowawayStore();
  using there = new ThrowawayStore();
  const ref = await recordRun(here, { blobs: [20 * 1024 * 1024 + 17] });
  using bucket = await server.open();
  await shareRun(here.layout, ref, bucket);
  ok(bucket.requests >= 3 + 5, `${bucket.requests} requests`);
  await pullRun(there.layout, ref.digest, bucket);
});

Deno.test("another trace of a run that was shared is refused unless it is to take the first one's place", async () => {
  await using server = await S3Server.start();
  using here = new ThrowawayStore();
  using other = new ThrowawayStore();
  using bucket = await server.open();
  await shareRun(here.layout, await recordRun(here, { small: 1 }), bucket);
  const ref = await recordRun(other, { small: 2 });
  await rejects(shareRun(other.layout, ref, bucket), { name: "RemoteStoreError", code: "conflict", exitCode: 4 });
  await shareRun(other.layout, ref, bucket, { replace: true });
  const [listed] = (await listRemoteRuns(bucket)).runs;
  equal(listed?.digest, ref.digest);
});

Deno.test("a run that is damaged here is not shared", async () => {
  await using server = await S3Server.start();
  using here = new ThrowawayStore();
  using bucket = await server.open();
  const ref = await recordRun(here, { blobs: [70_000] });
  const [blob = ""] = [...filesOf(here.layout.blobs).keys()];
  Deno.writeFileSync(`${here.layout.blobs}/${blob}`, new Uint8Array(70_000));
  await rejects(shareRun(here.layout, ref, bucket), { name: "TraceFormatError" });
  equal(await bucket.has(remoteKeys.trace(ref.digest)), false);
  equal(await bucket.has(remoteKeys.ref(ref.runId)), false);
});

Deno.test("wrong credentials are told as such", async () => {
  await using server = await S3Server.start();
  using here = new ThrowawayStore();
  using bucket = await server.open({ credentials: { accessKeyId: "agrepl-test", secretAccessKey: "wrong" } });
  const ref = await recordRun(here);
  await rejects(shareRun(here.layout, ref, bucket), { name: "RemoteStoreError", code: "denied", exitCode: 4 });
});
