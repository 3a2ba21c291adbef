import { Buffer } from "node:buffer";
import { deepEqual, equal, rejects } from "node:assert/strict";
import { PassThrough } from "node:stream";
import fc from "fast-check";
import { chunksOf } from "./chunks.ts";

const toError = (cause: unknown) => new TypeError("broken", { cause });

async function textsOf(chunks: AsyncIterable<Uint8Array>): Promise<string[]> {
  const texts: string[] = [];
  for await (const bytes of chunks) texts.push(Buffer.from(bytes).toString());
  return texts;
}

Deno.test("chunksOf() keeps the boundaries of writes that came before anybody read", async () => {
  await fc.assert(fc.asyncProperty(fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { maxLength: 30 }), async (pieces) => {
    const stream = new PassThrough();
    const chunks = chunksOf(stream, toError);
    for (const piece of pieces) stream.write(piece);
    stream.end();
    deepEqual(await textsOf(chunks), pieces);
  }));
});

Deno.test("chunksOf() pauses a stream while more waits to be taken than a message mostly has", async () => {
  const stream = new PassThrough();
  const iterator = chunksOf(stream, toError)[Symbol.asyncIterator]();
  for (let piece = 0; piece < 4; piece++) stream.write("x".repeat(60_000));
  equal((await iterator.next()).value?.length, 60_000);
  equal(stream.isPaused(), true);
  await iterator.return?.();
  equal(stream.destroyed, true);
});

Deno.test("chunksOf() gives what came before a break, then throws, and throws again", async () => {
  const stream = new PassThrough();
  const iterator = chunksOf(stream, toError)[Symbol.asyncIterator]();
  stream.write("one");
  equal(Buffer.from((await iterator.next()).value ?? []).toString(), "one");
  stream.destroy(new Error("reset"));
  await rejects(iterator.next(), TypeError);
  await rejects(iterator.next(), TypeError);
});

Deno.test("chunksOf() throws when a stream closes without an end", async () => {
  const stream = new PassThrough();
  const iterator = chunksOf(stream, toError)[Symbol.asyncIterator]();
  const next = iterator.next();
  stream.destroy();
  await rejects(next, TypeError);
});
