import type { Socket } from "node:net";
import type { LiveRequest, ResponseSink } from "../engine/mod.ts";
import { type Header, headerValue } from "../step/mod.ts";
import {
  http2Code,
  Http2Error,
  type Http2Receiver,
  type Http2RequestHead,
  Http2Session,
  type Http2Stream,
  PieceQueue,
  readRequestHead,
  readTrailers,
} from "../wire/mod.ts";
import { ClientGoneError } from "./_body_queue.ts";
import { endSoftly } from "./_end_softly.ts";
import { GatheredWriter } from "./_gathered_writer.ts";
import type { Target } from "./_http1_connection.ts";
import type { Origin } from "./_origin.ts";
import { Http2Sink } from "./_http2_sink.ts";
import { sendShort } from "./_short_answer.ts";

/** What a connection asks its proxy. */
export interface Http2ConnectionOptions {
  readonly target: (path: string) => Target;
  /** Where the tunnel leads: an authority that says the same needs no saying. */
  readonly origin: Origin;
  /** Answers a request; rejects with a bug of ours, or when the client has left. */
  readonly exchange: (request: LiveRequest, sink: ResponseSink) => Promise<void>;
  readonly onRefused: (reason: string) => void;
  readonly onFailed: (error: unknown) => void;
  /** A header block that takes longer is no client's. */
  readonly patienceMs: number;
}

/** Requests that one connection may have under way; browsers are offered about as many. */
const streamLimit = 128;

/** What is taken of a body before the engine has used it. */
const streamWindowBytes = 256 * 1024;

/** A client that asks and asks and reads no answer is let go with this much unread. */
const unreadLimitBytes = 16 * 1024 * 1024;

/** Serves HTTP/2 on one connection: requests side by side, each answered when its answer is there. */
export class Http2Connection {
  readonly #socket: Socket;
  readonly #options: Http2ConnectionOptions;
  readonly #writer: GatheredWriter;
  readonly #session: Http2Session;
  /** Requests that the engine is at, those that their client has given up included. */
  #underWay = 0;
  #headTimer: ReturnType<typeof setTimeout> | null = null;
  /** The head that the timer waits for. */
  #head: number | null = null;

  constructor(socket: Socket, options: Http2ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#writer = new GatheredWriter(socket);
    this.#session = new Http2Session({
      role: "server",
      write: (bytes) => this.#writer.write(bytes),
      onStream: (stream, fields, tooLarge) => this.#begin(stream, fields, tooLarge),
      onEnd: (error) => this.#end(error),
      streamLimit,
      streamWindowBytes,
    });
    socket.setNoDelay(true);
    socket.on("data", (bytes: Uint8Array) => this.#receive(bytes));
    socket.on("end", () => socket.end());
    socket.on("close", () => {
      this.#stopTimer();
      this.#session.lose();
    });
    socket.on("error", () => {}); // "close" follows, and tells all that matters
  }

  /** True while a request is answered. */
  get busy(): boolean {
    return this.#underWay > 0;
  }

  #receive(bytes: Uint8Array): void {
    this.#session.receive(bytes, performance.now());
    if (this.#session.midHead === this.#head) return;
    this.#stopTimer();
    this.#head = this.#session.midHead;
    if (this.#head === null) return;
    const { patienceMs } = this.#options;
    this.#headTimer = setTimeout(() => {
      this.#session.fail(new Http2Error(http2Code.enhanceYourCalm, `a head that took more than ${patienceMs} ms`));
    }, patienceMs);
  }

  #begin(stream: Http2Stream, fields: readonly Header[], tooLarge: boolean): void {
    if (this.#writer.waitingBytes > unreadLimitBytes) {
      return this.#session.fail(new Http2Error(http2Code.enhanceYourCalm, "answers that nobody reads"));
    }
    if (this.#underWay >= streamLimit) return this.#session.refuse(stream, http2Code.refusedStream);
    const head = readRequestHead(fields);
    const refuse = (what: string) => this.#refuse(stream, what);
    if ("malformed" in head && !tooLarge) return refuse(head.malformed);
    const method = "malformed" in head ? "GET" : head.method;
    const onRetire = () => this.#session.drain();
    const sink = new Http2Sink({ stream, writer: this.#writer, method, onRetire });
    const body = new IncomingBody({ stream, sink, refuse, bodyBytes: "malformed" in head ? null : head.bodyBytes });
    if ("malformed" in head || tooLarge) return this.#refuseLarge(body, sink);
    void this.#answer(head, body, sink);
  }

  async #answer(head: Http2RequestHead, body: IncomingBody, sink: Http2Sink): Promise<void> {
    const { method, path } = head;
    const target = this.#options.target(path);
    if (target.kind === "dropped") {
      body.discard();
      return sendShort({ status: 503, statusText: "Service Unavailable", why: "dropped", text: "" }, sink);
    }
    if (target.kind === "refused") {
      body.discard();
      const reason = `${method} ${path.slice(0, 200)}: agrepl's proxy wants a path`;
      this.#options.onRefused(reason);
      return sendShort({ status: 400, statusText: "Bad Request", why: "refused", text: `${reason}\n` }, sink);
    }
    this.#underWay++;
    try {
      await this.#options.exchange(toRequest(head, target.url, body, this.#options.origin), sink);
    } catch (error) {
      sink.abort();
      if (!(error instanceof ClientGoneError)) this.#options.onFailed(error);
    } finally {
      this.#underWay--;
      body.discard(); // answered, and the engine wants no more of the request
    }
  }

  #refuse(stream: Http2Stream, what: string): void {
    this.#options.onRefused(`not an HTTP request: ${what}`);
    this.#session.refuse(stream, http2Code.protocolError);
  }

  /** Told on the stream itself: that the connection ends would not say which request was too much. */
  #refuseLarge(body: IncomingBody, sink: Http2Sink): void {
    body.discard();
    sendShort({ status: 431, statusText: "Request Header Fields Too Large", why: "refused", text: "" }, sink);
    this.#options.onRefused("not an HTTP request: its head is too large");
  }

  #end(error: Http2Error | null): void {
    this.#stopTimer();
    this.#writer.flush();
    endSoftly(this.#socket);
    if (error !== null) this.#options.onRefused(`not HTTP/2: ${error.message}`);
  }

  #stopTimer(): void {
    if (this.#headTimer !== null) clearTimeout(this.#headTimer);
    this.#headTimer = null;
  }
}

/** A body, and who else is told of it. */
interface IncomingBodyOptions {
  readonly stream: Http2Stream;
  readonly sink: Http2Sink;
  /** How much the head says is to come. */
  readonly bodyBytes: number | null;
  /** Called when the body is not what a body may be. */
  readonly refuse: (what: string) => void;
}

/** A request's body as it comes over its stream. */
class IncomingBody implements Http2Receiver {
  readonly #stream: Http2Stream;
  readonly #sink: Http2Sink;
  readonly #queue: PieceQueue;
  readonly #refuse: (what: string) => void;
  #trailers: readonly Header[] = [];
  #leftBytes: number | null;

  constructor({ stream, sink, bodyBytes, refuse }: IncomingBodyOptions) {
    this.#stream = stream;
    this.#sink = sink;
    this.#refuse = refuse;
    this.#leftBytes = bodyBytes;
    this.#queue = new PieceQueue((bytes) => stream.consumed(bytes));
    stream.listen(this);
  }

  /** `null` when the head was the whole of the request. */
  get pieces(): AsyncIterable<Uint8Array> | null {
    return this.#stream.remoteEnded ? null : this.#queue;
  }

  get trailers(): readonly Header[] {
    return this.#trailers;
  }

  /** Nobody wants the rest. */
  discard(): void {
    this.#queue.discard();
  }

  headers(fields: readonly Header[], ended: boolean): void {
    const trailers = readTrailers(fields);
    if (ended && "headers" in trailers) {
      this.#trailers = trailers.headers;
      return;
    }
    this.#violate("malformed" in trailers ? trailers.malformed : "headers in the middle of a body");
  }

  data(bytes: Uint8Array): void {
    if (this.#leftBytes !== null) this.#leftBytes -= bytes.length;
    if (this.#leftBytes !== null && this.#leftBytes < 0) return this.#violate("a body longer than its head says");
    this.#queue.push(bytes);
  }

  /** Nobody asks for a request whose body cannot be told from half of one (RFC 9113 8.1.1). */
  end(): void {
    if ((this.#leftBytes ?? 0) > 0) return this.#violate("a body shorter than its head says");
    this.#queue.end();
  }

  reset(): void {
    this.#sink.close();
    this.#queue.breakOff(new ClientGoneError());
  }

  #violate(what: string): void {
    this.#refuse(what);
    this.reset(); // a stream that is over already tells nobody
  }
}

function toRequest(head: Http2RequestHead, url: string, body: IncomingBody, origin: Origin): LiveRequest {
  const { method, headers, authority } = head;
  const pieces = body.pieces;
  return {
    method,
    url,
    httpVersion: "2",
    // RFC 9113 8.3.1: an authority of its own stands where HTTP/1.1 would have it.
    headers: authority === null || names(authority, origin, headers) ? headers : [["host", authority], ...headers],
    body: pieces,
    trailers: () => body.trailers,
    expectsContinue: pieces !== null && headerValue(headers, "expect")?.toLowerCase() === "100-continue",
  };
}

/** Tells whether a request's authority says nothing that its URL and headers do not. */
function names(authority: string, { scheme, host, port }: Origin, headers: readonly Header[]): boolean {
  const defaultPort = scheme === "https" ? 443 : 80;
  const own = [`${host}:${port}`, ...(port === defaultPort ? [host] : [])];
  return own.includes(authority.toLowerCase()) || headerValue(headers, "host") !== undefined;
}
