import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { announcesBody, type Channel, type LiveRequest, requestedUpgrade, type ResponseSink } from "../engine/mod.ts";
import { type Header, headerValue } from "../step/mod.ts";
import { StreamChannel } from "../upstream/mod.ts";
import { Http1Parser, type ParsedHead, type ParserEvent } from "../wire/mod.ts";
import { BodyQueue, ClientGoneError } from "./_body_queue.ts";
import { endSoftly } from "./_end_softly.ts";
import { type AfterAnswer, Http1Sink } from "./_http1_sink.ts";

/** What is to become of a request. */
export type Target =
  | { readonly kind: "exchange"; readonly url: string }
  | { readonly kind: "refused" }
  | { readonly kind: "dropped" };

/** What a connection asks its proxy. */
export interface ConnectionOptions {
  readonly target: (head: ParsedHead) => Target;
  /** Answers a request; rejects with a bug of ours, or when the client has left. */
  readonly exchange: (request: LiveRequest, sink: ResponseSink) => Promise<void>;
  /** Takes the connection over, with the bytes behind the CONNECT; absent where there is nothing to connect to. */
  readonly connect?: (head: ParsedHead, rest: Uint8Array) => void;
  readonly onRefused: (reason: string) => void;
  readonly onFailed: (error: unknown) => void;
  /** A head that takes longer is no client's (slow loris). */
  readonly patienceMs: number;
}

/** Bytes that wait to be read on while an answer is under way, before the client is asked to wait. */
const waitingBytes = 64 * 1024;

/** One exchange under way. */
interface Current {
  readonly sink: Http1Sink;
  readonly body: BodyQueue | null;
  /** What the client wants to switch to. */
  readonly upgrade: string | undefined;
  trailers: readonly Header[];
  read: boolean;
}

/** Serves HTTP/1.1 on one connection: one request after the other, each answered before the next is begun. */
export class Http1Connection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #parser = new Http1Parser();
  #current: Current | null = null;
  #closing = false;
  #headTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    // Per socket: neither a server's option nor what was set before TLS reaches it, and Nagle makes 40 ms of two writes.
    socket.setNoDelay(true);
    socket.on("data", this.#onData);
    socket.on("end", this.#onEnd);
    socket.on("close", this.#onClose);
    socket.on("error", this.#onError);
  }

  /** True while a request is answered. */
  get busy(): boolean {
    return this.#current !== null;
  }

  readonly #onData = (bytes: Uint8Array): void => {
    if (this.#closing) return;
    this.#parser.push(bytes);
    this.#advance();
  };

  /** A client that ends its side has left: none of HTTP's waits for an answer after that. */
  readonly #onEnd = (): void => {
    if (this.#current === null) this.#socket.end();
    else this.#socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#closing = true;
    this.#stopTimer();
    this.#current?.sink.close();
    this.#current?.body?.breakOff();
  };

  readonly #onError = (): void => {}; // "close" follows, and tells all that matters

  /** Reads as far as the exchange under way, and the engine's appetite, allow. */
  #advance(): void {
    let hungry = false;
    while (!this.#closing && !hungry) {
      const current = this.#current;
      if (current?.read === true) break; // the next request waits for this one's answer
      if (current !== null && (current.body?.weight ?? 0) >= waitingBytes) break;
      const event = this.#parser.next();
      if (event === null) hungry = true;
      else this.#take(event, current);
    }
    if (this.#closing) return; // the connection may be another's by now
    this.#watchHead();
    this.#throttle(hungry);
  }

  #take(event: ParserEvent, current: Current | null): void {
    switch (event.kind) {
      case "head":
        return this.#begin(event.head);
      case "body":
        return current?.body?.push(event.bytes);
      case "end":
        if (current === null) return;
        current.trailers = event.trailers;
        current.read = true;
        current.body?.end();
        return this.#finishIfDone(current);
      case "error":
        return this.#refuse(event.status, event.reason);
    }
  }

  #begin(head: ParsedHead): void {
    if (head.method === "CONNECT" && this.#options.connect !== undefined) {
      this.#detach();
      this.#options.connect(head, this.#parser.takeRest());
      return;
    }
    const expectsContinue = headerValue(head.headers, "expect")?.toLowerCase() === "100-continue" &&
      head.framing.kind !== "none";
    const body = announcesBody(head.headers) ? new BodyQueue(() => this.#resume()) : null;
    const upgrade = requestedUpgrade({ httpVersion: head.version, headers: head.headers });
    const sink = new Http1Sink({
      socket: this.#socket,
      request: head,
      expectsContinue,
      onEnd: (after) => this.#answered(after),
      ...(upgrade === undefined ? {} : { upgrade: { protocol: upgrade, take: () => this.#switch() } }),
    });
    const current: Current = { sink, body, upgrade, trailers: [], read: false };
    this.#current = current;
    void this.#answer(head, current, expectsContinue);
  }

  /** From here on the connection is the channel's; it stays busy, and its sink still hears of its end. */
  #switch(): Channel {
    this.#stop();
    this.#socket.off("data", this.#onData).off("end", this.#onEnd);
    return new StreamChannel(this.#socket, { first: this.#parser.takeRest(), toError: () => new ClientGoneError() });
  }

  async #answer(head: ParsedHead, current: Current, expectsContinue: boolean): Promise<void> {
    const target = this.#options.target(head);
    if (target.kind === "refused") return this.#refuseRequest(head, current.sink);
    if (target.kind === "dropped") return sendShort(current.sink, 503, "Service Unavailable", "dropped", "");
    try {
      await this.#options.exchange({
        method: head.method,
        url: target.url,
        httpVersion: head.version,
        headers: head.headers.filter(([name]) => !isProxyHeader(name)),
        body: current.body,
        trailers: () => current.trailers,
        expectsContinue,
        ...(current.upgrade === undefined ? {} : { upgrade: current.upgrade }),
      }, current.sink);
      if (!current.read) this.#discardBody(current);
    } catch (error) {
      const gone = error instanceof ClientGoneError;
      // Who broke off with bytes that are no HTTP has been told so, and the connection is on its way to its end.
      if (!gone || !this.#closing) this.#socket.destroy();
      if (!gone) this.#options.onFailed(error);
    }
  }

  /** Answered, and the engine wants no more of the request: the rest of it is read past, for the next one's sake. */
  #discardBody(current: Current): void {
    current.body?.discard();
    this.#resume();
  }

  #refuseRequest(head: ParsedHead, sink: Http1Sink): void {
    const asked = `${head.method} ${head.target.slice(0, 200)}`;
    const reason = `${asked}: agrepl's proxy wants an absolute URL of http or https, or CONNECT host:port`;
    sendShort(sink, 400, "Bad Request", "refused", `${reason}\n`);
    this.#options.onRefused(reason);
    this.#close();
  }

  /** The answer is written: what comes next depends on whether the request is read. */
  #answered(after: AfterAnswer): void {
    const current = this.#current;
    if (current === null || this.#closing) return;
    if (after === "reuse") return this.#finishIfDone(current);
    if (after === "close") return this.#close();
    this.#stop();
    this.#socket.destroySoon(); // what was sent before the break still arrives
  }

  #finishIfDone(current: Current): void {
    if (!current.read || !current.sink.ended) return;
    this.#current = null;
    // Not in the midst of the answer's own call: its sender is not through.
    queueMicrotask(() => this.#advance());
  }

  #refuse(status: number, reason: string): void {
    const current = this.#current;
    // The bytes of an answer that is under way cannot be taken back, and nothing can be put between them.
    const quiet = current?.sink.begun === true;
    current?.sink.flush();
    current?.sink.close();
    if (!quiet) this.#socket.write(formatRefusal(status));
    this.#close();
    current?.body?.breakOff();
    this.#options.onRefused(`not an HTTP request: ${reason}`);
  }

  #close(): void {
    this.#stop();
    endSoftly(this.#socket);
  }

  #stop(): void {
    this.#closing = true;
    this.#stopTimer();
  }

  #resume(): void {
    if (!this.#closing) queueMicrotask(() => this.#advance()); // there may be an end to read where no bytes are
  }

  /** Asks the client to wait while too much of what it sent waits here. */
  #throttle(hungry: boolean): void {
    const waiting = this.#parser.heldBytes + (this.#current?.body?.weight ?? 0) >= waitingBytes;
    // A parser that wants more has a limit of its own, and would never get there otherwise.
    if (waiting && !hungry) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  #watchHead(): void {
    const slow = this.#current === null && this.#parser.midHead && !this.#closing;
    if (!slow) return this.#stopTimer();
    const { patienceMs } = this.#options;
    this.#headTimer ??= setTimeout(() => this.#refuse(408, `its head took more than ${patienceMs} ms`), patienceMs);
  }

  #stopTimer(): void {
    if (this.#headTimer !== null) clearTimeout(this.#headTimer);
    this.#headTimer = null;
  }

  #detach(): void {
    this.#stop();
    this.#socket.off("data", this.#onData).off("end", this.#onEnd).off("close", this.#onClose);
    // The error listener stays: a socket without one ends the process.
  }
}

const phrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
  501: "Not Implemented",
};

function formatRefusal(status: number): string {
  const head = `HTTP/1.1 ${status} ${phrases[status] ?? ""}\r\n`;
  return `${head}x-agrepl: refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
}

function isProxyHeader(name: string): boolean {
  return name.length > 6 && name.slice(0, 6).toLowerCase() === "proxy-";
}

function sendShort(sink: Http1Sink, status: number, statusText: string, why: string, text: string): void {
  const body = Buffer.from(text);
  const headers: Header[] = [["x-agrepl", why], ["content-length", String(body.length)]];
  if (body.length > 0) headers.unshift(["content-type", "text/plain"]);
  sink.sendHead({ status, statusText, httpVersion: "1.1", headers });
  sink.write(body);
  sink.end([]);
}
