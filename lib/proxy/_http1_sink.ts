import { Buffer } from "node:buffer";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { endToEndHeaders } from "../diff/mod.ts";
import type { EmissionMeter, ResponseSink } from "../engine/mod.ts";
import { type Header, headerValue, type ResponseHead } from "../step/mod.ts";
import type { ParsedHead } from "./_http1_parser.ts";

/** Small pieces are gathered up to this, as long as nothing is waited for in between. */
const gatheredBytes = 16 * 1024;

/** What a connection is told of its answer. */
export interface SinkOptions {
  readonly socket: Socket;
  readonly request: ParsedHead;
  /** The client waits for a 100. */
  readonly expectsContinue: boolean;
  /** Called once, when the answer has been written. */
  readonly onEnd: (reusable: boolean) => void;
}

type Framing = "chunked" | "counted" | "until-close" | "none";

/** Sends one answer over HTTP/1.1 (RFC 9112). */
export class Http1Sink implements ResponseSink {
  meter: EmissionMeter | null = null;
  readonly #options: SinkOptions;
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #flushing = false;
  #framing: Framing = "none";
  /** Of a counted body, what is still owed. */
  #owedBytes = 0;
  #continued = false;
  #ended = false;
  #closed = false;
  #reusable: boolean;

  constructor(options: SinkOptions) {
    this.#options = options;
    this.#reusable = options.request.keepAlive;
  }

  get closed(): boolean {
    return this.#closed;
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
    if (this.closed || this.#continued || !this.#options.expectsContinue) return;
    this.#continued = true;
    this.#options.socket.write("HTTP/1.1 100 Continue\r\n\r\n");
  }

  sendInformation(status: number, headers: readonly Header[]): void {
    if (this.closed || this.#options.request.version === "1.0") return; // it knows no interim responses (RFC 9110 15.2)
    const head = formatHead(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, headers);
    this.#options.socket.write(head, "latin1");
  }

  sendHead(head: ResponseHead): void {
    const headers = endToEndHeaders(head.headers);
    this.meter?.head(head.status, headers);
    if (this.closed) return;
    this.#chooseFraming(head.status, headers);
    // A client that was not told to go on may or may not send its body: the connection cannot be used again.
    if (this.#options.expectsContinue && !this.#continued) this.#reusable = false;
    const framed = [...headers, ...this.#framingHeaders()];
    const text = formatHead(`HTTP/1.1 ${head.status} ${head.statusText}`, framed);
    this.#gather(Buffer.from(text, "latin1"));
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.closed || bytes.length === 0) return undefined;
    this.meter?.body(bytes);
    if (this.#framing === "none") return undefined;
    this.#owedBytes -= bytes.length;
    if (this.#framing === "chunked") this.#gather(Buffer.from(`${bytes.length.toString(16)}\r\n`, "latin1"));
    this.#gather(bytes);
    if (this.#framing === "chunked") this.#gather(lineEnd);
    if (this.#gatheredBytes >= gatheredBytes) return this.#send() ? undefined : this.#drained();
    this.#flushSoon();
    return undefined;
  }

  end(trailers: readonly Header[]): void {
    if (this.closed || this.#ended) return;
    this.meter?.end(trailers);
    if (this.#framing === "chunked") this.#gather(Buffer.from(formatHead("0", trailers), "latin1"));
    if (this.#framing === "counted" && this.#owedBytes !== 0) this.#reusable = false; // it says one length and has another
    this.#send();
    this.#finish(this.#reusable && this.#framing !== "until-close");
  }

  abort(): void {
    if (this.closed || this.#ended) return;
    this.meter?.end([]);
    this.#send();
    this.#ended = true;
    this.#options.socket.destroySoon(); // what was sent before the break still arrives
  }

  flush(): void {
    if (!this.closed && this.#gatheredBytes > 0) this.#send();
  }

  #chooseFraming(status: number, headers: readonly Header[]): void {
    const { method, version } = this.#options.request;
    const length = headerValue(headers, "content-length");
    const bodyless = method === "HEAD" || status === 204 || status === 304 || status < 200;
    if (bodyless) this.#framing = "none";
    else if (length !== undefined) this.#framing = "counted";
    else this.#framing = version === "1.1" ? "chunked" : "until-close";
    this.#owedBytes = this.#framing === "counted" ? Number(length) : 0;
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

  /** Writes what was gathered; false when the socket asks to wait. */
  #send(): boolean {
    const [only] = this.#gathered;
    const bytes = this.#gathered.length === 1 && only !== undefined ? only : Buffer.concat(this.#gathered);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    return bytes.length === 0 || this.#options.socket.write(bytes);
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

  #finish(reusable: boolean): void {
    this.#ended = true;
    this.#options.onEnd(reusable);
  }

  #drained(): Promise<void> {
    const { socket } = this.#options;
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

function formatHead(first: string, headers: readonly Header[]): string {
  let text = `${first}\r\n`;
  for (const [name, value] of headers) text += `${name}: ${value}\r\n`;
  return `${text}\r\n`;
}
