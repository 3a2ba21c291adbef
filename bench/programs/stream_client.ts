/**
 * Reads streams by fetch and notes when each chunk came.
 *
 * Arguments: `host:port`, chunks of the long stream, count of short streams. Prints one JSON line, a
 * {@link StreamResult}.
 *
 * @module
 */
import { chunkBytes } from "../support/origin_answers.ts";
import type { StreamResult } from "../support/stream_client.ts";

const [authority = "", longChunks = "", shortStreams = ""] = Deno.args;
const shortChunks = 3;

interface StreamTimes {
  readonly firstByteMs: number;
  /** Per chunk, since the request was sent. */
  readonly arrivalsMs: readonly number[];
  /** Per chunk: from its writing to its arrival. */
  readonly delaysMs: readonly number[];
}

const firstBytesMs: number[] = [];
for (let at = 0; at < Number(shortStreams); at++) firstBytesMs.push((await readStream(shortChunks, at)).firstByteMs);
const { arrivalsMs, delaysMs } = await readStream(Number(longChunks), 0);
const result: StreamResult = { firstBytesMs: firstBytesMs.slice(firstBytesMs.length / 4), arrivalsMs, delaysMs };
console.log(JSON.stringify(result));

async function readStream(chunks: number, number: number): Promise<StreamTimes> {
  const sentMs = performance.now();
  const response = await fetch(`https://${authority}/stream?chunks=${chunks}&number=${number}`);
  const arrivalsMs: number[] = [];
  const delaysMs: number[] = [];
  let text = "";
  for await (const piece of (response.body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream())) {
    const nowMs = performance.now();
    text += piece;
    while (text.length >= (arrivalsMs.length + 1) * chunkBytes) {
      const writtenMs = Number(text.slice(arrivalsMs.length * chunkBytes).match(/^data: ([\d.]+)/)?.[1]);
      delaysMs.push(performance.timeOrigin + nowMs - writtenMs);
      arrivalsMs.push(nowMs - sentMs);
    }
  }
  if (arrivalsMs.length !== chunks) {
    throw new RangeError(`Cannot time the stream: ${arrivalsMs.length} of ${chunks} came`);
  }
  return { firstByteMs: arrivalsMs[0] ?? NaN, arrivalsMs, delaysMs };
}
