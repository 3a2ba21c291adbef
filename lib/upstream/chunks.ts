/**
 * A Node stream as an async iterable that keeps the boundaries of its reads.
 *
 * @module
 */
import type { Readable } from "node:stream";

/** What may wait to be taken before the stream is paused: most messages are smaller, and pausing is not free. */
const queuedLimitBytes = 16 * 1024;

/**
 * Iterates over a stream piece by piece, as they were read.
 *
 * A Readable's own iterator joins what lies in its buffer; a recording needs each read by itself. The stream is paused
 * while much waits to be taken, which is the back-pressure.
 *
 * @param stream A stream that nobody else reads.
 * @param toError What to throw when the stream breaks off.
 */
export function chunksOf(stream: Readable, toError: (cause: unknown) => Error): AsyncIterable<Uint8Array> {
  const chunks = new ChunkQueue(stream, toError);
  return { [Symbol.asyncIterator]: () => chunks };
}

class ChunkQueue implements AsyncIterator<Uint8Array> {
  readonly #stream: Readable;
  readonly #queue: Uint8Array[] = [];
  #state: { readonly kind: "open" | "ended" } | { readonly kind: "failed"; readonly error: Error } = { kind: "open" };
  #wake: (() => void) | null = null;
  #queuedBytes = 0;

  constructor(stream: Readable, toError: (cause: unknown) => Error) {
    this.#stream = stream;
    stream.on("data", (bytes: Uint8Array) => {
      this.#queue.push(bytes);
      this.#queuedBytes += bytes.length;
      if (this.#queuedBytes >= queuedLimitBytes) stream.pause();
      this.#notify();
    });
    stream.on("end", () => this.#settle({ kind: "ended" }));
    stream.on("error", (error) => this.#settle({ kind: "failed", error: toError(error) }));
    stream.on("close", () => {
      if (this.#state.kind !== "open") return; // an error is dear to make, and mostly there is none
      this.#settle({ kind: "failed", error: toError(new Error("closed before the end")) });
    });
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    while (true) {
      const bytes = this.#queue.shift();
      if (bytes !== undefined) {
        this.#queuedBytes -= bytes.length;
        return { done: false, value: bytes };
      }
      if (this.#state.kind === "failed") throw this.#state.error;
      if (this.#state.kind === "ended") return { done: true, value: undefined };
      await this.#more();
    }
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    if (this.#state.kind === "open") this.#stream.destroy();
    return Promise.resolve({ done: true, value: undefined });
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#stream.isPaused()) this.#stream.resume();
    });
  }

  #settle(state: { kind: "ended" } | { kind: "failed"; error: Error }): void {
    if (this.#state.kind !== "open") return;
    this.#state = state;
    this.#notify();
  }

  #notify(): void {
    this.#wake?.();
    this.#wake = null;
  }
}
