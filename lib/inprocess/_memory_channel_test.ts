import { deepEqual, equal, rejects } from "node:assert/strict";
import { MemoryChannel } from "./_memory_channel.ts";

/** A channel, and what its client is given. */
function channel() {
  const given: string[] = [];
  const client = {
    receive: (bytes: Uint8Array) => void given.push(`${bytes.length} bytes`),
    receiveEnd: () => void given.push("end"),
    receiveBreak: () => void given.push("break"),
  };
  return { channel: new MemoryChannel({ ...client, receive: (bytes) => (client.receive(bytes), undefined) }), given };
}

Deno.test("MemoryChannel lets its client go on only when what waits has been read", async () => {
  const { channel: wide } = channel();
  let room = 0;
  for (let at = 0; at < 3; at++) wide.feed(new Uint8Array(40_000), () => room++);
  equal(room, 1);
  const pieces = wide.incoming[Symbol.asyncIterator]();
  equal((await pieces.next()).value?.length, 40_000);
  equal(room, 3);
});

Deno.test("MemoryChannel gives nothing behind its end", () => {
  const { channel: ended, given } = channel();
  ended.write(new Uint8Array(2));
  ended.end();
  ended.end();
  ended.write(new Uint8Array(3));
  deepEqual(given, ["2 bytes", "end"]);
});

Deno.test("MemoryChannel tells its reader that the client is gone, and lets the client go", async () => {
  const { channel: broken } = channel();
  let room = 0;
  broken.feed(new Uint8Array(70_000), () => room++);
  broken.feedBreak(new RangeError("gone"));
  equal(room, 1);
  const pieces = broken.incoming[Symbol.asyncIterator]();
  await pieces.next();
  await rejects(pieces.next(), RangeError);
});
