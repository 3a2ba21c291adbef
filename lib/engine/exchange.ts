/**
 * What the engine takes from a door and wants of an upstream: one exchange, request in, response out.
 *
 * @module
 */
import { setImmediate } from "node:timers";
import type { EmissionMeter } from "./emission_meter.ts";
import type { ErrorPhase, Header, RecordedError, RequestHead, ResponseHead, StreamEnd } from "../step/mod.ts";

/** A request as a door hands it in: its head is a value, its body is still on its way. */
export interface LiveRequest extends RequestHead {
  /** Read once, in order; `null` when the message has no body. Throws when the client breaks off. */
  readonly body: AsyncIterable<Uint8Array> | null;
  /** Known once the body has been read. */
  readonly trailers: () => readonly Header[];
  /** The client waits for a 100 before it sends the body (RFC 9110 10.1.1). */
  readonly expectsContinue: boolean;
  /** What the client asks to switch its connection to (RFC 9110 7.8), in lower case: `websocket`. */
  readonly upgrade?: string;
  /** Its client cannot tell the versions apart: a replay takes what was recorded in another, if there is nothing else. */
  readonly anyVersion?: boolean;
}

/** A connection that has been switched to another protocol: bytes, both ways, and nothing of HTTP any more. */
export interface Channel {
  /** What the other side sends, as it was read; ends when it ends its side. Throws when the connection breaks. */
  readonly incoming: AsyncIterable<Uint8Array>;
  /** @returns A promise to wait for before the next piece, when the other side is slower. */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** Ends this side; what was written still arrives. */
  end(): void;
  /** Breaks the connection. */
  abort(): void;
}

/** Interim responses (1xx), passed on as they come and never recorded. */
export interface InterimSink {
  sendContinue(): void;
  sendInformation(status: number, headers: readonly Header[]): void;
}

/** Told of an answer what its bytes do not show, where the answer is kept. */
export interface AnswerWitness {
  /** The answer stands for a failure of an upstream. */
  failed(error: RecordedError): void;
  /** The answer stands for a stream that ended so. */
  ended(end: StreamEnd): void;
}

/** Where an answer goes: the door's side of an exchange. */
export interface ResponseSink extends InterimSink {
  /** True once the client is gone; what is written then is dropped. */
  readonly closed: boolean;
  /** Sends the head, in one packet with what is written at once after it: {@link flush} sends it without waiting. */
  sendHead(head: ResponseHead): void;
  /** Sends a head that still waits for its body's first piece. */
  flush(): void;
  /**
   * Sends a piece of the body at once, as one chunk where the protocol has chunks.
   *
   * @returns A promise to wait for before the next piece, when the client is slower: that is the back-pressure.
   */
  write(bytes: Uint8Array): Promise<void> | undefined;
  end(trailers: readonly Header[]): void;
  /**
   * Breaks the connection (the stream, in HTTP/2), as an upstream did.
   *
   * @param code Why, in HTTP/2's terms (RFC 9113 7). Without one it is `INTERNAL_ERROR`.
   */
  abort(code?: number): void;
  /** Tells the client of an upstream's failure as the network would; absent where it can only be told by an answer. */
  readonly failWith?: (error: RecordedError) => void;
  /** True once the client has taken its request back before all of it was sent: there was none, and none is kept. */
  readonly withdrawn?: boolean;
  /** Lets the client's connection carry no further request: what it speaks was a guess, its origin could not be asked. */
  readonly retire?: () => void;
  /** Switches the connection to another protocol with a 101; absent where the connection cannot be switched (HTTP/2). */
  readonly upgrade?: (head: ResponseHead) => Channel;
  /** Lent by a replay: the door feeds it with what it sends, where it sends it. */
  meter: EmissionMeter | null;
  /** Of an answer that is kept: all of it is wanted, also once the client is gone. */
  readonly witness?: AnswerWitness;
}

/** A response as an upstream gives it: its head is a value, its body is still on its way. */
export interface LiveResponse extends ResponseHead {
  /** Each piece as it was read. Throws {@link UpstreamError} when the upstream breaks off. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Known once the body has been read. */
  readonly trailers: () => readonly Header[];
  /** Of a 101: what the connection has become. Its body is empty then. */
  readonly channel?: Channel;
}

/** What is spoken inside a connection, as ALPN names it (RFC 7301). */
export type Protocol = "h2" | "http/1.1";

/** Where a connection leads. */
export interface OriginAddress {
  readonly secure: boolean;
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Chooses for a client's connection what its origin speaks, so that nobody is given the one for the other. */
export interface ProtocolChooser {
  /**
   * Chooses among what the client offers.
   *
   * @param offers In the client's order, without what is neither `h2` nor `http/1.1`; may be empty.
   * @returns Where the origin cannot be asked, the client's first offer: its request is then told why.
   */
  protocolOf(origin: OriginAddress, offers: readonly Protocol[]): Protocol | Promise<Protocol>;
}

/** The way out to the network. */
export interface Upstream extends ProtocolChooser, Disposable {
  /** How many exchanges have gone out. */
  readonly calls: number;
  /**
   * Sends a request on its way and waits for the response's head.
   *
   * @param signal Gives up the exchange.
   * @throws {UpstreamError} when no response comes.
   */
  exchange(request: LiveRequest, interim: InterimSink, signal: AbortSignal): Promise<LiveResponse>;
}

/** One exchange after another: what both doors call. */
export interface Engine extends ProtocolChooser {
  /** Answers a request. Failures of the upstream are answers, so a rejection is a bug of ours. */
  exchange(request: LiveRequest, sink: ResponseSink): Promise<void>;
}

/** The network's part in a failure: what an upstream did or did not do. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly phase: ErrorPhase;
  /** Stable and short: `ECONNREFUSED`. */
  readonly code: string;
  /** With which code of RFC 9113 7 an HTTP/2 stream was broken off; `null` where none was. */
  readonly streamCode: number | null;

  /**
   * @param phase How far the exchange had come.
   * @param code The system's or the TLS library's code.
   * @param message What it said.
   */
  constructor(
    phase: ErrorPhase,
    code: string,
    message: string,
    options: ErrorOptions & { readonly streamCode?: number | null } = {},
  ) {
    super(message, options);
    this.phase = phase;
    this.code = code;
    this.streamCode = options.streamCode ?? null;
  }
}

/** The time, as the engine needs it; tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Monotonic milliseconds. */
  elapsedMs(): number;
  /** @param signal Ends the sleep early. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A timer is late by a millisecond and more: the last stretch is waited for turn by turn of the event loop. */
const timerSlackMs = 2;

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsedMs: () => performance.now(),
  async sleep(ms, signal) {
    const untilMs = performance.now() + ms;
    if (ms > timerSlackMs) await timer(ms - timerSlackMs, signal);
    while (signal?.aborted !== true && performance.now() < untilMs) await nextTurn();
  },
};

function timer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const id = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(id);
      resolve();
    }, { once: true });
  });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
