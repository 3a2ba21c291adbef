/**
 * A Node stream as a channel: what a connection is once it was switched to another protocol.
 *
 * @module
 */
import type { Duplex } from "node:stream";
import type { Channel } from "../engine/mod.ts";
import { chunksOf } from "./chunks.ts";

/** How a stream becomes a channel. */
export interface StreamChannelOptions {
  /** Bytes of the new protocol that have been read already. */
  readonly first: Uint8Array;
  /** What to throw when the stream breaks off. */
  readonly toError: (cause: unknown) => Error;
  /** How long the other side may take to end its side, too. @default {5000} */
  readonly patienceMs?: number;
}

/** Both ways of a connection; nobody else may read or write the stream. */
export class StreamChannel implements Channel {
  readonly incoming: AsyncIterable<Uint8Array>;
  readonly #stream: Duplex;
  readonly #patienceMs: number;
  #ended = false;

  constructor(stream: Duplex, { first, toError, patienceMs = 5000 }: StreamChannelOptions) {
    this.#stream = stream;
    this.#patienceMs = patienceMs;
    stream.on("error", () => {}); // "close" follows; without a listener it would end the process
    // What was closed before has told so already, and would never do it again.
    this.incoming = incomingOf(first, stream.destroyed ? brokenOff(toError) : chunksOf(stream, toError));
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    const stream = this.#stream;
    if (this.#ended || stream.destroyed || bytes.length === 0) return undefined;
    stream.write(bytes);
    return stream.writableNeedDrain ? drained(stream) : undefined;
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const stream = this.#stream;
    if (stream.destroyed) return;
    stream.end();
    const timer = setTimeout(() => stream.destroy(), this.#patienceMs);
    stream.once("close", () => clearTimeout(timer));
  }

  abort(): void {
    const stream = this.#stream;
    this.end();
    // What was written before the break still arrives.
    if (stream.writableLength === 0) stream.destroy();
    else stream.once("finish", () => stream.destroy());
  }
}

async function* incomingOf(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first;
  yield* rest;
}

function brokenOff(toError: (cause: unknown) => Error): AsyncIterable<Uint8Array> {
  const next = () => Promise.reject(toError(new TypeError("closed before it was read")));
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

function drained(stream: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off("drain", done).off("close", done);
      resolve();
    };
    stream.on("drain", done).on("close", done);
  });
}
