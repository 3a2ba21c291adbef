import { Buffer } from "node:buffer";
import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { TeedBody } from "./_teed_body.ts";

/** A body of pieces, and what was copied of it. */
function teed(...pieces: (string | Error)[]) {
  const copied: string[] = [];
  async function* source() {
    for (const piece of pieces) {
      if (piece instanceof Error) throw piece;
      yield Buffer.from(piece);
    }
  }
  const copy = (bytes: Uint8Array) => {
    copied.push(Buffer.from(bytes).toString());
    return undefined;
  };
  return { body: new TeedBody(source(), copy), copied };
}

Deno.test("TeedBody copies each piece after it was handed on", async () => {
  const { body, copied } = teed("a", "b");
  const seen: [string, number][] = [];
  for await (const bytes of body.stream ?? []) seen.push([Buffer.from(bytes).toString(), copied.length]);
  deepEqual(seen, [["a", 0], ["b", 1]]);
  deepEqual([copied, body.ended, body.brokenOff], [["a", "b"], true, false]);
});

Deno.test("TeedBody copies the piece with which the upstream stopped, and drains the rest", async () => {
  const { body, copied } = teed("a", "b", "c");
  for await (const _ of body.stream ?? []) break;
  deepEqual([copied, body.begun, body.ended], [["a"], true, false]);
  await body.drain();
  deepEqual([copied, body.ended], [["a", "b", "c"], true]);
});

Deno.test("TeedBody leaves an upstream that reads on every piece, and drains only then", async () => {
  const { body, copied } = teed("a", "b", "c");
  const { stream } = body;
  ok(stream !== null);
  const upstream = stream[Symbol.asyncIterator]();
  await upstream.next();
  const drained = body.drain();
  const read = [await upstream.next(), await upstream.next(), await upstream.next()];
  await drained;
  deepEqual(read.map(({ done }) => done), [false, false, true]);
  deepEqual(copied, ["a", "b", "c"]);
});

Deno.test("TeedBody remembers that the client broke off, and drains no more", async () => {
  const { body, copied } = teed("a", new TypeError("gone"));
  await rejects(async () => {
    for await (const _ of body.stream ?? []);
  }, TypeError);
  await body.drain();
  deepEqual([copied, body.brokenOff, body.ended], [["a"], true, true]);
});

Deno.test("TeedBody of no body has ended before it begins", () => {
  const body = new TeedBody(null, () => undefined);
  equal(body.stream, null);
  deepEqual([body.ended, body.begun, body.brokenOff], [true, false, false]);
});
