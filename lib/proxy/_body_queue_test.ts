import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { BodyQueue, ClientGoneError } from "./_body_queue.ts";

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of body) pieces.push(new TextDecoder().decode(piece));
  return pieces;
}

const piece = (text: string) => new TextEncoder().encode(text);

Deno.test("BodyQueue gives pieces in order, those that waited and those that come later", async () => {
  const queue = new BodyQueue(() => {});
  queue.push(piece("one"));
  const read = textOf(queue);
  queue.push(piece("two"));
  await Promise.resolve();
  queue.push(piece("three"));
  queue.end();
  deepEqual(await read, ["one", "two", "three"]);
});

Deno.test("BodyQueue gives what it has and then throws when the client has gone", async () => {
  const queue = new BodyQueue(() => {});
  queue.push(piece("one"));
  queue.breakOff();
  equal((await queue.next()).done, false);
  await rejects(queue.next(), ClientGoneError);
});

Deno.test("BodyQueue stays whole when the client goes after its end", async () => {
  const queue = new BodyQueue(() => {});
  queue.push(piece("all"));
  queue.end();
  queue.breakOff();
  deepEqual(await textOf(queue), ["all"]);
});

Deno.test("BodyQueue tells of each piece that was taken", async () => {
  let taken = 0;
  const queue = new BodyQueue(() => taken++);
  for (const text of ["a", "b"]) queue.push(piece(text));
  queue.end();
  await textOf(queue);
  deepEqual([taken, queue.weight], [2, 0]);
});

Deno.test("BodyQueue weighs a short piece as more than its bytes", () => {
  const queue = new BodyQueue(() => {});
  for (let count = 0; count < 300; count++) queue.push(piece("x"));
  ok(queue.weight > 64 * 1024, String(queue.weight));
});

Deno.test("BodyQueue keeps nothing when its pieces are not wanted any more", async () => {
  const queue = new BodyQueue(() => {});
  queue.push(piece("before"));
  queue.discard();
  queue.push(piece("after"));
  equal(queue.weight, 0);
  queue.end();
  deepEqual(await textOf(queue), []);
});
