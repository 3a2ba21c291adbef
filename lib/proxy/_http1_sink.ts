import { Buffer } from "node:buffer";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { endToEndHeaders } from "../diff/mod.ts";
import type { Channel, EmissionMeter, ResponseSink } from "../engine/mod.ts";
import { type Header, headerValue, type ResponseHead } from "../step/mod.ts";
import { type AnswerFraming, answerFraming, formatHttp1Head, type ParsedHead } from "../wire/mod.ts";

/** Small pieces are gathered up to this, as long as nothing is waited for in between. */
const gatheredBytes = 16 * 1024;

/** What a connection is told of its answer. */
export interface SinkOptions {
  readonly socket: Socket;
  readonly request: ParsedHead;
  /** The client waits for a 100. */
  readonly expectsContinue: boolean;
  /** Called once, when the answer has been written, or was broken off. */
  readonly onEnd: (after: AfterAnswer) => void;
  /** Where the client asks for another protocol: takes the connection from HTTP, once its 101 has been written. */
  readonly upgrade?: { readonly protocol: string; readonly take: () => Channel };
}

/** What becomes of a connection behind an answer. */
export type AfterAnswer = "reuse" | "close" | "break";

/** Sends one answer over HTTP/1.1 (RFC 9112). */
export class Http1Sink implements ResponseSink {
  meter: EmissionMeter | null = null;
  readonly upgrade?: (head: ResponseHead) => Channel;
  readonly #options: SinkOptions;
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #flushing = false;
  #framing: AnswerFraming["kind"] = "none";
  /** Of a counted body, what is still owed. */
  #owedBytes = 0;
  #continued = false;
  #begun = false;
  #ended = false;
  #closed = false;
  #reusable: boolean;

  constructor(options: SinkOptions) {
    this.#options = options;
    this.#reusable = options.request.keepAlive;
    const { upgrade } = options;
    if (upgrade !== undefined) this.upgrade = (head) => this.#switchTo(upgrade, head);
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** False while nothing of the answer was sent but what is interim. */
  get begun(): boolean {
    return this.#begun;
  }

  /** True once the whole answer has been handed to the socket, or broken off. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The connection is gone; with a counted body all of which was written, that takes nothing from anybody. */
  close(): void {
    const delivered = this.#framing === "counted" && this.#owedBytes <= 0 && this.#gatheredBytes === 0;
    this.#closed = !this.#ended && !delivered;
  }

  sendContinue(): void {
    if (this.closed || this.#begun || this.#continued || !this.#options.expectsContinue) return;
    this.#continued = true;
    this.#options.socket.write("HTTP/1.1 100 Continue\r\n\r\n");
  }

  sendInformation(status: number, headers: readonly Header[]): void {
    // Whoever does not read them has no use for them: they say nothing that the answer does not.
    if (this.closed || this.#begun || this.#options.socket.writableNeedDrain) return;
    if (this.#options.request.version === "1.0") return; // it knows no interim responses (RFC 9110 15.2)
    const head = formatHttp1Head(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, headers);
    this.#options.socket.write(head, "latin1");
  }

  sendHead(head: ResponseHead): void {
    const headers = endToEndHeaders(head.headers);
    this.meter?.head(head.status, headers);
    if (this.closed || this.#begun) return;
    this.#begun = true;
    this.#chooseFraming(head.status, headers);
    // A client that was not told to go on may or may not send its body: the connection cannot be used again.
    if (this.#options.expectsContinue && !this.#continued) this.#reusable = false;
    const framed = [...headers, ...this.#framingHeaders()];
    const text = formatHttp1Head(`HTTP/1.1 ${head.status} ${head.statusText}`, framed);
    this.#gather(Buffer.from(text, "latin1"));
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.closed || this.#ended || bytes.length === 0) return undefined;
    const piece = this.#fitting(bytes);
    if (piece.length > 0) this.meter?.body(piece);
    if (this.#framing === "none" || piece.length === 0) return undefined;
    if (this.#framing === "chunked") this.#gather(Buffer.from(`${piece.length.toString(16)}\r\n`, "latin1"));
    this.#gather(piece);
    if (this.#framing === "chunked") this.#gather(lineEnd);
    if (this.#gatheredBytes >= gatheredBytes) this.#send();
    else this.#flushSoon();
    // Not what the socket said to this piece: small ones are gathered, and together they can be too much as well.
    return this.#options.socket.writableNeedDrain ? this.#drained() : undefined;
  }

  /** What a counted body says of its length holds: bytes behind it would be read as another response. */
  #fitting(bytes: Uint8Array): Uint8Array {
    if (this.#framing !== "counted") return bytes;
    const piece = bytes.subarray(0, this.#owedBytes);
    this.#owedBytes -= piece.length;
    if (piece.length < bytes.length) this.#reusable = false;
    return piece;
  }

  end(trailers: readonly Header[]): void {
    if (this.closed || this.#ended) return;
    // Where the framing has no room for trailers, they are left out with it: that is no difference of the message.
    this.meter?.end(trailers);
    if (this.#framing === "chunked") this.#gather(Buffer.from(formatHttp1Head("0", trailers), "latin1"));
    if (this.#owedBytes > 0) this.#reusable = false; // it says more than it has
    this.#send();
    this.#finish(this.#reusable && this.#framing !== "until-close" ? "reuse" : "close");
  }

  abort(): void {
    if (this.closed || this.#ended) return;
    this.meter?.end([]);
    this.#send();
    this.#finish("break");
  }

  flush(): void {
    if (!this.closed && this.#gatheredBytes > 0) this.#send();
  }

  /** What belongs to the connection alone is not in a stored head, and has to be said again (RFC 9110 7.8). */
  #switchTo({ protocol, take }: { readonly protocol: string; readonly take: () => Channel }, head: ResponseHead) {
    const headers = endToEndHeaders(head.headers);
    this.meter?.head(head.status, headers);
    if (!this.closed && !this.#begun) {
      const chosen = headerValue(head.headers, "upgrade") ?? protocol;
      const framed: Header[] = [["Upgrade", chosen], ["Connection", "Upgrade"], ...headers];
      this.#gather(Buffer.from(formatHttp1Head(`HTTP/1.1 ${head.status} ${head.statusText}`, framed), "latin1"));
      this.#send();
    }
    this.#begun = true;
    return take();
  }

  #chooseFraming(status: number, headers: readonly Header[]): void {
    const framing = answerFraming(this.#options.request, status, headers);
    this.#framing = framing.kind;
    this.#owedBytes = framing.kind === "counted" ? framing.bytes : 0;
    // Behind a length that is none, and behind a 1xx, a client waits for what never comes.
    if (!framing.reusable) this.#reusable = false;
  }

  #framingHeaders(): Header[] {
    const { version } = this.#options.request;
    const closing = !this.#reusable || this.#framing === "until-close";
    if (this.#framing === "chunked") {
      return closing ? [["Connection", "close"], ["Transfer-Encoding", "chunked"]] : [["Transfer-Encoding", "chunked"]];
    }
    if (closing) return [["Connection", "close"]];
    return version === "1.0" ? [["Connection", "keep-alive"]] : [];
  }

  #gather(bytes: Uint8Array): void {
    this.#gathered.push(bytes);
    this.#gatheredBytes += bytes.length;
  }

  /** Writes what was gathered. */
  #send(): void {
    const [only] = this.#gathered;
    const bytes = this.#gathered.length === 1 && only !== undefined ? only : Buffer.concat(this.#gathered);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    if (bytes.length > 0) this.#options.socket.write(bytes);
  }

  /** At the end of this turn: whoever writes several pieces at once gets one packet. */
  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    queueMicrotask(() => {
      this.#flushing = false;
      this.flush();
    });
  }

  #finish(after: AfterAnswer): void {
    this.#ended = true;
    this.#options.onEnd(after);
  }

  #drained(): Promise<void> | undefined {
    const { socket } = this.#options;
    if (socket.destroyed) return undefined; // its "close" may be over
    return new Promise((resolve) => {
      const done = () => {
        socket.off("drain", done).off("close", done);
        resolve();
      };
      socket.on("drain", done).on("close", done);
    });
  }
}

const lineEnd = Buffer.from("\r\n");
