import { deepEqual, equal } from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { ThrowawayStore } from "../../tests/support/throwaway_store.ts";
import { inlineLimitBytes } from "../step/mod.ts";
import { BodySpool } from "./body_spool.ts";
import { blobPath } from "./layout.ts";

/** All files below a folder. */
function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory ? filesBelow(path) : [path];
  });
}

function pattern(bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, index) => index % 251);
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

Deno.test("BodySpool keeps a body inline, and makes no folder, up to 64 KiB", async () => {
  using room = new ThrowawayStore();
  const spool = new BodySpool(room.layout);
  await spool.push(new TextEncoder().encode("x".repeat(inlineLimitBytes - 1)));
  equal(spool.push(new TextEncoder().encode("y")), undefined);
  deepEqual(spool.finish(), { text: `${"x".repeat(inlineLimitBytes - 1)}y` });
  deepEqual([...Deno.readDirSync(room.folder)], []);
});

Deno.test("BodySpool makes a blob of a body when it is one byte longer", async () => {
  using room = new ThrowawayStore();
  const [spool, bytes] = [new BodySpool(room.layout), pattern(inlineLimitBytes + 1)];
  await spool.push(bytes.subarray(0, 10));
  await spool.push(bytes.subarray(10));
  deepEqual(spool.finish(), { blob: digestOf(bytes), bytes: bytes.length });
  const path = blobPath(room.layout, digestOf(bytes));
  deepEqual(filesBelow(room.layout.blobs), [path]);
  deepEqual(Deno.readFileSync(path), bytes);
  equal(((Deno.statSync(path).mode ?? 0) & 0o777).toString(8), "600");
});

Deno.test("BodySpool keeps equal content once", async () => {
  using room = new ThrowawayStore();
  const bodies = [];
  for (let time = 0; time < 2; time++) {
    const spool = new BodySpool(room.layout);
    await spool.push(pattern(100_000));
    bodies.push(spool.finish());
  }
  deepEqual(bodies[0], bodies[1]);
  equal(filesBelow(room.layout.blobs).length, 1);
});

Deno.test("BodySpool writes pieces in order, and counts them", async () => {
  using room = new ThrowawayStore();
  const [spool, bytes] = [new BodySpool(room.layout), pattern(300_000)];
  for (let at = 0; at < bytes.length; at += 30_000) await spool.push(bytes.subarray(at, at + 30_000));
  equal(spool.bytes, 300_000);
  spool.finish();
  deepEqual(Deno.readFileSync(blobPath(room.layout, digestOf(bytes))), bytes);
});

Deno.test("BodySpool keeps every body inline when it has no store", async () => {
  const spool = new BodySpool(null);
  await spool.push(new TextEncoder().encode("x".repeat(200_000)));
  deepEqual(spool.finish(), { text: "x".repeat(200_000) });
});

Deno.test("discard() removes what a long body had on disk", async () => {
  using room = new ThrowawayStore();
  const spool = new BodySpool(room.layout);
  await spool.push(pattern(100_000));
  equal(filesBelow(room.layout.blobs).length, 1);
  spool.discard();
  deepEqual(filesBelow(room.layout.blobs), []);
});
