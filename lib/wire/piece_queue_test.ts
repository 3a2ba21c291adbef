import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { PieceQueue } from "./piece_queue.ts";

/** A queue, and what it has said. */
function watched(): { readonly queue: PieceQueue; readonly said: { taken: number; stopped: number } } {
  const said = { taken: 0, stopped: 0 };
  return { queue: new PieceQueue((bytes) => said.taken += bytes, () => said.stopped++), said };
}

/** All that a queue that has ended gives. */
async function rest(queue: PieceQueue): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of queue) pieces.push(piece);
  return pieces;
}

Deno.test("PieceQueue gives the pieces as they were pushed, and says what was taken", async () => {
  const { queue, said } = watched();
  for (const text of ["a", "bcd", ""]) queue.push(Buffer.from(text));
  queue.end();
  deepEqual((await rest(queue)).map((piece) => Buffer.from(piece).toString()), ["a", "bcd", ""]);
  deepEqual([said, queue.weight], [{ taken: 4, stopped: 0 }, 0]);
});

Deno.test("PieceQueue gives all bytes in order, whatever is pushed and taken in between", async () => {
  const step = fc.oneof(fc.constant("take" as const), fc.integer({ min: 1, max: 3000 }), fc.constant(1));
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 400 }), async (steps) => {
    const { queue, said } = watched();
    let pushed = 0;
    const taken: Uint8Array[] = [];
    for (const each of steps) {
      if (each !== "take") queue.push(Buffer.from(Array.from({ length: each }, () => pushed++ % 251)));
      else if (queue.weight > 0) taken.push((await queue.next()).value);
    }
    queue.end();
    taken.push(...await rest(queue));
    const all = Buffer.concat(taken);
    deepEqual([all.length, said.taken, queue.weight], [pushed, pushed, 0]);
    ok(all.every((byte, at) => byte === at % 251));
  }));
});

Deno.test("PieceQueue joins small pieces when many wait, and leaves the first ones and large ones as they are", async () => {
  const { queue } = watched();
  for (let count = 0; count < 10_000; count++) queue.push(Buffer.from("x"));
  queue.push(Buffer.alloc(2000));
  queue.push(Buffer.from("y"));
  queue.end();
  const lengths = (await rest(queue)).map((piece) => piece.length);
  deepEqual([lengths.slice(0, 64).every((length) => length === 1), lengths.slice(64)], [true, [9936, 2000, 1]]);
});

Deno.test("PieceQueue joins no more than 16 KiB to one piece", async () => {
  const { queue } = watched();
  for (let count = 0; count < 64 + 40; count++) queue.push(Buffer.alloc(1000));
  queue.end();
  deepEqual((await rest(queue)).slice(64).map((piece) => piece.length), [16_000, 16_000, 8000]);
});

Deno.test("PieceQueue keeps no read in memory of which it holds a small part, and copies nothing that is waited for", async () => {
  const { queue } = watched();
  const read = Buffer.from(new ArrayBuffer(64 * 1024));
  queue.push(read.subarray(0, 2000));
  equal((await queue.next()).value.buffer.byteLength, 2000);
  const next = queue.next();
  queue.push(read.subarray(0, 2000));
  equal((await next).value.buffer, read.buffer);
});

Deno.test("PieceQueue gives what came before the break, then throws it, each time", async () => {
  const { queue } = watched();
  queue.push(Buffer.from("a"));
  queue.breakOff(new RangeError("gone"));
  queue.end(); // too late
  equal((await queue.next()).done, false);
  await rejects(queue.next(), { message: "gone" });
  await rejects(queue.next(), { message: "gone" });
});

Deno.test("PieceQueue wakes who waits when a piece, the end or a break comes", async () => {
  for (const act of ["push", "end", "breakOff"] as const) {
    const { queue } = watched();
    const next = queue.next();
    if (act === "push") queue.push(Buffer.from("a"));
    else if (act === "end") queue.end();
    else queue.breakOff(new RangeError("gone"));
    equal(
      await next.then(({ done }) => done ?? false, () => "broken"),
      { push: false, end: true, breakOff: "broken" }[act],
    );
  }
});

Deno.test("PieceQueue.discard() gives back all that waits and all that comes, and lets the end through", async () => {
  const { queue, said } = watched();
  for (let count = 0; count < 100; count++) queue.push(Buffer.from("x"));
  queue.discard();
  queue.push(Buffer.from("yz"));
  deepEqual([said.taken, queue.weight], [102, 0]);
  queue.end();
  deepEqual(await rest(queue), []);
});

Deno.test("PieceQueue says when its reader stops before the end, and not when it stops at the end", async () => {
  const { queue, said } = watched();
  queue.push(Buffer.from("a"));
  for await (const _piece of queue) break;
  equal(said.stopped, 1);
  queue.end();
  await queue.return();
  equal(said.stopped, 1);
});
