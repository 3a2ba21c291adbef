import { endToEndHeaders } from "../diff/mod.ts";
import type { EmissionMeter } from "../engine/mod.ts";
import type { Header, RecordedError, ResponseHead } from "../step/mod.ts";
import type { ScopedSink } from "./_door.ts";
import { codedError } from "./_network_error.ts";

/** So much may wait for a reader, in bytes, before the engine is asked to wait. */
const waitingBytes = 1024 * 1024;

/** A body that has come whole before anybody asked for it, or one that is on its way. */
export type AnswerBody = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;

/** One answer on its way to a reader in this process. */
export class MemorySink implements ScopedSink {
  meter: EmissionMeter | null = null;
  readonly #head = Promise.withResolvers<ResponseHead>();
  readonly #gone = new AbortController();
  /** What came before there was a stream. */
  #pieces: Uint8Array<ArrayBuffer>[] = [];
  #stream: ReadableByteStreamController | null = null;
  #state: "open" | "ended" | "failed" | "closed" = "open";
  #error: unknown = undefined;
  #dropping = false;
  #released = false;
  #wake: (() => void) | null = null;
  #withdrawn = false;
  readonly #url: string;

  /** @param url What is asked, for errors. */
  constructor(url: string) {
    this.#url = url;
    this.#head.promise.catch(() => {}); // whoever waits is told; nobody may
  }

  /** True once nobody reads any more, and more could have come. */
  get closed(): boolean {
    return this.#state === "closed";
  }

  get withdrawn(): boolean {
    return this.#withdrawn;
  }

  /** Aborted once nobody reads any more. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** The answer's head; rejects when none comes. */
  get head(): Promise<ResponseHead> {
    return this.#head.promise;
  }

  sendContinue(): void {} // fetch never waits for one

  sendInformation(): void {} // fetch tells nobody

  sendHead(head: ResponseHead): void {
    const headers = endToEndHeaders(head.headers);
    this.meter?.head(head.status, headers);
    this.#head.resolve({ ...head, headers });
  }

  flush(): void {} // nothing is held back

  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#state !== "open" || bytes.length === 0) return undefined;
    this.meter?.body(bytes);
    if (this.#dropping) return undefined;
    const piece = Uint8Array.from(bytes); // a byte stream takes the memory of what it is given
    if (this.#stream === null) {
      this.#pieces.push(piece);
      return undefined;
    }
    this.#stream.enqueue(piece);
    if (this.#released || (this.#stream.desiredSize ?? 0) > 0) return undefined;
    return new Promise((resolve) => this.#wake = resolve);
  }

  end(trailers: readonly Header[]): void {
    if (this.#state !== "open") return;
    this.meter?.end(trailers);
    this.#state = "ended";
    if (this.#stream !== null) closeStream(this.#stream);
  }

  abort(): void {
    if (this.#state !== "open") return;
    this.meter?.end([]);
    this.fail(new TypeError("Cannot read the answer: the connection was broken off"));
  }

  /** As Deno's fetch says it: programs that ask again know it by these words. */
  failWith(error: RecordedError): void {
    const cause = codedError(error);
    this.fail(new TypeError(`error sending request for url (${this.#url}): ${cause.message}`, { cause }));
  }

  /** Tells the reader that nothing more comes. */
  fail(error: unknown): void {
    this.#leave("failed", error);
  }

  /** The reader has left. */
  close(error: unknown): void {
    this.#leave("closed", error);
  }

  /** The request itself has failed on its way. */
  withdraw(error: unknown): void {
    if (this.#state !== "open") return;
    this.#withdrawn = true;
    this.close(error);
  }

  abandon(): void {
    if (this.#state !== "open") return;
    this.#state = "closed";
    this.#gone.abort();
    this.#notify();
  }

  /** From here on nobody waits for the reader. */
  release(): void {
    this.#released = true;
    this.#notify();
  }

  /** The body as far as it has come, and what is still to come. To be called once, after the head has come. */
  body(): AnswerBody {
    const [only] = this.#pieces;
    if (this.#state === "ended" && this.#pieces.length < 2) return only ?? new Uint8Array(0);
    return new ReadableStream({
      type: "bytes",
      start: (controller) => this.#connect(controller),
      pull: () => this.#notify(),
      cancel: (reason) => this.close(reason),
    }, { highWaterMark: waitingBytes });
  }

  /** The body is of no interest; it comes and goes. */
  drop(): void {
    this.#dropping = true;
    this.#pieces = [];
  }

  #connect(controller: ReadableByteStreamController): void {
    for (const piece of this.#pieces) controller.enqueue(piece);
    this.#pieces = [];
    this.#stream = controller;
    if (this.#state === "ended") controller.close();
    else if (this.#state !== "open") controller.error(this.#error);
  }

  #leave(state: "failed" | "closed", error: unknown): void {
    if (this.#state === "ended") this.#stream?.error(error); // what has come and was not read is lost, as in any fetch
    if (this.#state !== "open") return;
    this.#state = state;
    this.#error = error;
    this.#head.reject(error);
    this.#stream?.error(error);
    this.#gone.abort();
    this.#notify();
  }

  #notify(): void {
    this.#wake?.();
    this.#wake = null;
  }
}

function closeStream(stream: ReadableByteStreamController): void {
  stream.close();
  stream.byobRequest?.respond(0); // a reader with a buffer of its own waits for a word on it
}
