import { Buffer } from "node:buffer";
import { STATUS_CODES } from "node:http";
import { endToEndHeaders } from "../diff/mod.ts";
import type { Channel, EmissionMeter } from "../engine/mod.ts";
import { type Header, headerValue, type RecordedError, type ResponseHead } from "../step/mod.ts";
import { type AnswerFraming, answerFraming, formatHttp1Head, type ParsedHead } from "../wire/mod.ts";
import type { ScopedSink } from "./_door.ts";
import { codedError } from "./_network_error.ts";
import type { MemorySocket } from "./_node_socket.ts";

/** What a sink is told of its request. */
export interface NodeSinkOptions {
  readonly socket: MemorySocket;
  readonly request: ParsedHead;
  /** Called when nobody waits for the answer any more: the rest of the request is of no interest either. */
  readonly onAbandoned: () => void;
  /** Where the client asks for another protocol: makes the connection a channel. */
  readonly upgrade?: { readonly protocol: string; readonly take: () => Channel };
}

/** Sends one answer as HTTP/1.1 to a client of Node's in this process. */
export class NodeSink implements ScopedSink {
  meter: EmissionMeter | null = null;
  readonly upgrade?: (head: ResponseHead) => Channel;
  readonly #options: NodeSinkOptions;
  #framing: AnswerFraming = { kind: "none", reusable: true };
  /** Of a counted body, what is still owed. */
  #owedBytes = 0;
  #ended = false;
  #released = false;
  #abandoned = false;
  #release: (() => void) | null = null;

  constructor(options: NodeSinkOptions) {
    this.#options = options;
    const { upgrade } = options;
    if (upgrade !== undefined) this.upgrade = (head) => this.#switchTo(upgrade, head);
  }

  get closed(): boolean {
    return (this.#options.socket.destroyed || this.#abandoned) && !this.#ended;
  }

  sendContinue(): void {
    this.#send("HTTP/1.1 100 Continue\r\n\r\n");
  }

  sendInformation(status: number, headers: readonly Header[]): void {
    this.#send(formatHttp1Head(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, headers));
  }

  sendHead(head: ResponseHead): void {
    const headers = endToEndHeaders(head.headers);
    this.meter?.head(head.status, headers);
    this.#framing = answerFraming(this.#options.request, head.status, headers);
    this.#owedBytes = this.#framing.kind === "counted" ? this.#framing.bytes : Infinity;
    const framed: readonly Header[] = this.#framing.kind === "chunked"
      ? [...headers, ["Transfer-Encoding", "chunked"]]
      : headers;
    this.#send(formatHttp1Head(`HTTP/1.1 ${head.status} ${head.statusText}`, framed));
  }

  flush(): void {} // nothing is held back

  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.closed || this.#ended) return undefined;
    // What a counted body says of its length holds: bytes behind it would be read as another response.
    const piece = bytes.subarray(0, this.#owedBytes);
    this.#owedBytes -= piece.length;
    if (piece.length === 0) return undefined;
    this.meter?.body(piece);
    if (this.#framing.kind === "none") return undefined;
    return this.#paced(this.#options.socket.give(this.#framing.kind === "chunked" ? toChunk(piece) : piece));
  }

  end(trailers: readonly Header[]): void {
    if (this.closed || this.#ended) return;
    this.meter?.end(trailers);
    if (this.#framing.kind === "chunked") this.#send(formatHttp1Head("0", trailers));
    this.#finish();
  }

  abort(): void {
    if (this.closed || this.#ended) return;
    this.meter?.end([]);
    // An end before its time is a break to a client that counts; one that reads until the end has to be told.
    if (this.#framing.kind === "until-close") return this.fail(new TypeError("the connection was broken off"));
    this.#finish();
  }

  failWith(error: RecordedError): void {
    this.fail(codedError(error));
  }

  fail(error: unknown): void {
    this.#options.socket.destroy(error instanceof Error ? error : new Error(String(error)));
  }

  abandon(): void {
    this.#abandoned = true;
    this.release();
    this.#options.onAbandoned();
  }

  release(): void {
    this.#released = true;
    this.#release?.();
  }

  #finish(): void {
    this.#ended = true;
    this.#options.socket.giveEnd();
  }

  #send(text: string): void {
    if (!this.closed && !this.#ended) void this.#options.socket.give(Buffer.from(text, "latin1")); // short: none waits
  }

  #paced(wrote: Promise<void> | undefined): Promise<void> | undefined {
    if (wrote === undefined || this.#released) return undefined;
    return Promise.race([wrote, new Promise<void>((resolve) => this.#release = resolve)]);
  }

  /** What belongs to the connection alone is not in a stored head, and has to be said again (RFC 9110 7.8). */
  #switchTo({ protocol, take }: { readonly protocol: string; readonly take: () => Channel }, head: ResponseHead) {
    const headers = endToEndHeaders(head.headers);
    this.meter?.head(head.status, headers);
    const chosen = headerValue(head.headers, "upgrade") ?? protocol;
    const framed: Header[] = [["Upgrade", chosen], ["Connection", "Upgrade"], ...headers];
    const channel = take(); // first: a client that is told may speak the other protocol before this call returns
    this.#send(formatHttp1Head(`HTTP/1.1 ${head.status} ${head.statusText}`, framed));
    return channel;
  }
}

function toChunk(piece: Uint8Array): Uint8Array {
  const size = Buffer.from(`${piece.length.toString(16)}\r\n`, "latin1");
  return Buffer.concat([size, piece, lineEnd]);
}

const lineEnd = Buffer.from("\r\n");
