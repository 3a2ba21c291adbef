import { endToEndHeaders } from "../diff/mod.ts";
import type { EmissionMeter, ResponseSink } from "../engine/mod.ts";
import type { Header, ResponseHead } from "../step/mod.ts";
import { http2Code, type Http2Stream, lowerCased } from "../wire/mod.ts";
import type { GatheredWriter } from "./_gathered_writer.ts";

/** What a sink sends to, and what it must know of the request. */
export interface Http2SinkOptions {
  readonly stream: Http2Stream;
  readonly writer: GatheredWriter;
  readonly method: string;
  /** Called when the connection is to carry no further request. */
  readonly onRetire: () => void;
}

/** Interim answers are left out while more than this waits to be read. */
const waitingInterimBytes = 64 * 1024;

/** Some clients drop what they have of a stream when its break comes in the same packet. */
const breakDelayMs = 5;

/** Sends one answer over a stream of HTTP/2 (RFC 9113 8). */
export class Http2Sink implements ResponseSink {
  meter: EmissionMeter | null = null;
  readonly #stream: Http2Stream;
  readonly #writer: GatheredWriter;
  readonly #method: string;
  readonly #onRetire: () => void;
  /** Waits for what follows it: a head that is all of the answer says so itself, and gRPC minds. */
  #head: readonly Header[] | null = null;
  #begun = false;
  #bodyless = false;
  #ended = false;
  #gone = false;
  #breaking: ReturnType<typeof setTimeout> | null = null;

  constructor({ stream, writer, method, onRetire }: Http2SinkOptions) {
    this.#stream = stream;
    this.#writer = writer;
    this.#method = method;
    this.#onRetire = onRetire;
  }

  get closed(): boolean {
    return this.#gone;
  }

  /** The client broke the stream off, or its connection is gone. */
  close(): void {
    this.#gone = !this.#ended;
    if (this.#breaking !== null) clearTimeout(this.#breaking);
  }

  sendContinue(): void {
    this.sendInformation(100, []);
  }

  sendInformation(status: number, headers: readonly Header[]): void {
    // Whoever does not read them has no use for them: they say nothing that the answer does not.
    if (this.#gone || this.#begun || this.#writer.waitingBytes > waitingInterimBytes) return;
    this.#stream.sendHeaders(headFields(status, endToEndHeaders(headers)), false);
  }

  sendHead({ status, headers }: ResponseHead): void {
    const sent = endToEndHeaders(headers);
    this.meter?.head(status, sent);
    if (this.#gone || this.#begun) return;
    this.#begun = true;
    this.#bodyless = this.#method === "HEAD" || status === 204 || status === 304;
    this.#head = headFields(status, sent);
  }

  retire(): void {
    this.#onRetire();
  }

  flush(): void {
    this.#sendHead(false);
    this.#writer.flush();
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#gone || this.#ended || bytes.length === 0) return undefined;
    this.meter?.body(bytes);
    if (this.#bodyless) return undefined;
    this.#sendHead(false);
    return this.#stream.sendData(bytes) ?? this.#writer.drained();
  }

  end(trailers: readonly Header[]): void {
    if (this.#gone || this.#ended) return;
    this.meter?.end(trailers);
    this.#ended = true;
    if (this.#head !== null && trailers.length === 0) return this.#sendHead(true);
    this.#sendHead(false);
    this.#stream.end(lowerCased(trailers));
  }

  abort(code: number = http2Code.internalError): void {
    if (this.#gone || this.#ended) return;
    this.meter?.end([]);
    this.#ended = true;
    if (!this.#begun) return this.#stream.reset(code);
    this.flush();
    this.#breaking = setTimeout(() => this.#stream.reset(code), breakDelayMs);
  }

  #sendHead(ended: boolean): void {
    if (this.#head === null) return;
    this.#stream.sendHeaders(this.#head, ended);
    this.#head = null;
  }
}

function headFields(status: number, headers: readonly Header[]): Header[] {
  return [[":status", String(status)], ...lowerCased(headers)];
}
