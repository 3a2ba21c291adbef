import { deepEqual, equal, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { SocketPair } from "../../tests/support/socket_pair.ts";
import { GatheredWriter } from "./_gathered_writer.ts";

/** How the writes of a pair's near end were cut. */
function watched(pair: SocketPair): number[] {
  const lengths: number[] = [];
  const write = pair.near.write.bind(pair.near) as (bytes: Uint8Array) => boolean;
  Object.assign(pair.near, {
    write(bytes: Uint8Array) {
      lengths.push(bytes.length);
      return write(bytes);
    },
  });
  return lengths;
}

Deno.test("GatheredWriter writes what comes in one turn at once, in order", async () => {
  await using pair = await SocketPair.open();
  const lengths = watched(pair);
  const writer = new GatheredWriter(pair.near);
  for (const text of ["a", "bc", "def"]) writer.write(Buffer.from(text));
  equal(writer.waitingBytes, 6);
  equal((await pair.far.take((bytes) => bytes.length < 6 ? null : 6)).toString(), "abcdef");
  deepEqual([lengths, writer.waitingBytes], [[6], 0]);
});

Deno.test("GatheredWriter does not wait for the turn's end with more than 64 KiB, nor when it is told to flush", async () => {
  await using pair = await SocketPair.open();
  const lengths = watched(pair);
  const writer = new GatheredWriter(pair.near);
  for (let count = 0; count < 5; count++) writer.write(Buffer.alloc(30_000));
  deepEqual(lengths, [90_000]);
  writer.flush();
  writer.flush();
  deepEqual(lengths, [90_000, 60_000]);
});

Deno.test("GatheredWriter.drained() waits for a client that reads late, for all who ask at once", async () => {
  await using pair = await SocketPair.open();
  const writer = new GatheredWriter(pair.near);
  equal(writer.drained(), undefined);
  writer.write(Buffer.alloc(20_000_000));
  const waits = [writer.drained(), writer.drained()];
  ok(waits[0] instanceof Promise && waits[0] === waits[1]);
  await Promise.all(waits);
  deepEqual([writer.drained(), writer.waitingBytes], [undefined, 0]);
});

Deno.test("GatheredWriter.drained() ends when the connection does, and what comes then is dropped", async () => {
  await using pair = await SocketPair.open();
  pair.far.socket.pause();
  const writer = new GatheredWriter(pair.near);
  writer.write(Buffer.alloc(50_000_000));
  const wait = writer.drained();
  pair.near.destroy();
  await wait;
  writer.write(Buffer.alloc(100_000));
  deepEqual([writer.drained(), pair.near.destroyed], [undefined, true]);
});
