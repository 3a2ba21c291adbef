/**
 * One stream of an HTTP/2 connection (RFC 9113 5).
 *
 * @module
 */
import type { Header } from "../step/mod.ts";
import { frameLimitBytes, http2Code, Http2Error } from "./http2_frames.ts";

/** A window may not grow beyond this (RFC 9113 6.9.1). */
export const windowLimitBytes: number = 2 ** 31 - 1;

/** What a stream's owner is told. */
export interface Http2Receiver {
  /** @param ended Nothing follows. */
  headers(headers: readonly Header[], ended: boolean): void;
  /** @param bytes To be given back to {@link Http2Stream.consumed} once they are used. */
  data(bytes: Uint8Array): void;
  /** The other side's part is whole. */
  end(): void;
  /**
   * The stream is over before its end; called once at most.
   *
   * @param code Of {@link http2Code}; `null` when the connection was lost.
   * @param cause What the other side did against the protocol, where that is why.
   */
  reset(code: number | null, cause: Http2Error | null): void;
}

/** What a stream needs of its connection. */
export interface StreamHost {
  /** How much of data the other side takes, over all streams. */
  readonly sendWindow: number;
  /** How much of data a stream takes before it is consumed. */
  readonly receiveWindowBytes: number;
  writeHeaders(streamId: number, headers: readonly Header[], ended: boolean): void;
  /** Sends a frame of data, which the connection's window has room for. */
  writeData(streamId: number, bytes: Uint8Array, ended: boolean): void;
  writeReset(streamId: number, code: number): void;
  writeWindowUpdate(streamId: number, bytes: number): void;
  /** The stream waits for room in the connection's window. */
  block(stream: Http2Stream): void;
  /** Nothing more will come of the stream. */
  forget(stream: Http2Stream): void;
}

/** One request and its answer. */
export class Http2Stream {
  readonly id: number;
  readonly #host: StreamHost;
  #receiver: Http2Receiver | null = null;
  #sendWindow: number;
  #receiveWindow: number;
  #consumed = 0;
  readonly #queue: Uint8Array[] = [];
  /** What is to be sent behind the queue: an end, or trailers. */
  #ending: readonly Header[] | null = null;
  #localEnded = false;
  #remoteEnded = false;
  #closed = false;
  #wake: (() => void)[] = [];

  /** @param start What the other side takes of a new stream, and whether it has sent all it will. */
  constructor(id: number, host: StreamHost, start: { readonly sendWindow: number; readonly remoteEnded: boolean }) {
    this.id = id;
    this.#host = host;
    this.#sendWindow = start.sendWindow;
    this.#remoteEnded = start.remoteEnded;
    this.#receiveWindow = host.receiveWindowBytes;
  }

  /** True when nothing can be sent or received any more. */
  get closed(): boolean {
    return this.#closed;
  }

  /** True once the other side has sent its last. */
  get remoteEnded(): boolean {
    return this.#remoteEnded;
  }

  /** Says who is told what comes. */
  listen(receiver: Http2Receiver): void {
    this.#receiver = receiver;
  }

  /** @param ended Nothing follows. */
  sendHeaders(headers: readonly Header[], ended: boolean): void {
    if (this.#closed || this.#localEnded) return;
    this.#host.writeHeaders(this.id, headers, ended);
    if (ended) this.#endLocal();
  }

  /**
   * Sends data as far as the windows allow, and keeps the rest.
   *
   * @returns A promise to wait for before the next piece, when something was kept: that is the back-pressure.
   */
  sendData(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#closed || this.#localEnded || bytes.length === 0) return undefined;
    this.#queue.push(bytes);
    this.flush();
    return this.#queue.length === 0 ? undefined : new Promise((resolve) => this.#wake.push(resolve));
  }

  /** Ends this side, behind what is still queued. @param trailers None make no frame of headers. */
  end(trailers: readonly Header[]): void {
    if (this.#closed || this.#localEnded || this.#ending !== null) return;
    this.#ending = trailers;
    this.flush();
  }

  /** Breaks the stream off. */
  reset(code: number): void {
    if (this.#closed) return;
    this.#host.writeReset(this.id, code);
    this.#close();
  }

  /** Makes room for so many bytes of data that were used. */
  consumed(bytes: number): void {
    this.#consumed += bytes;
    if (this.#closed || this.#remoteEnded || this.#consumed < this.#host.receiveWindowBytes / 2) return;
    this.#host.writeWindowUpdate(this.id, this.#consumed);
    this.#receiveWindow += this.#consumed;
    this.#consumed = 0;
  }

  /** Sends what is queued, as far as the windows allow. */
  flush(): void {
    while (!this.#closed) {
      const [piece] = this.#queue;
      if (piece === undefined) return this.#settle();
      const room = Math.min(this.#sendWindow, this.#host.sendWindow, frameLimitBytes);
      if (room <= 0) return this.#sendWindow > 0 ? this.#host.block(this) : undefined;
      this.#sendPart(piece, Math.min(room, piece.length));
    }
  }

  /** The other side takes more (RFC 9113 6.9), or less after all (6.9.2). */
  widen(bytes: number): void {
    if (this.#sendWindow + bytes > windowLimitBytes) {
      throw new Http2Error(http2Code.flowControlError, `a window of more than ${windowLimitBytes} bytes`);
    }
    this.#sendWindow += bytes;
    this.flush();
  }

  /** Headers have come. */
  takeHeaders(headers: readonly Header[], ended: boolean): void {
    if (this.#closed || this.#remoteEnded) return;
    this.#receiver?.headers(headers, ended);
    if (ended) this.#endRemote();
  }

  /**
   * Data has come.
   *
   * @param frameBytes What it costs in the window, padding included.
   * @throws {Http2Error} when it is more than was allowed.
   */
  takeData(bytes: Uint8Array, frameBytes: number, ended: boolean): void {
    if (this.#closed || this.#remoteEnded) return;
    this.#receiveWindow -= frameBytes;
    if (this.#receiveWindow < 0) {
      throw new Http2Error(http2Code.flowControlError, "more data than the stream's window allows");
    }
    if (frameBytes > bytes.length) this.consumed(frameBytes - bytes.length);
    if (bytes.length > 0) this.#receiver?.data(bytes);
    if (ended) this.#endRemote();
  }

  /** The other side broke the stream off, or the connection is lost. */
  takeReset(code: number | null, cause: Http2Error | null = null): void {
    if (this.#closed) return;
    this.#close();
    this.#receiver?.reset(code, cause);
  }

  /** Breaks the stream off because of what the other side did on it, and tells the owner so. */
  refuse(code: number): void {
    if (this.#closed) return;
    this.#host.writeReset(this.id, code);
    this.takeReset(code);
  }

  #sendPart(piece: Uint8Array, bytes: number): void {
    const whole = bytes === piece.length;
    const last = whole && this.#queue.length === 1 && this.#ending?.length === 0;
    this.#sendWindow -= bytes;
    this.#host.writeData(this.id, piece.subarray(0, bytes), last);
    if (whole) this.#queue.shift();
    else this.#queue[0] = piece.subarray(bytes);
    if (last) this.#endLocal();
  }

  /** Nothing is queued: whoever waits goes on, and an end that waited goes out. */
  #settle(): void {
    this.#wakeAll();
    if (this.#ending === null || this.#localEnded) return;
    if (this.#ending.length > 0) this.#host.writeHeaders(this.id, this.#ending, true);
    else this.#host.writeData(this.id, new Uint8Array(0), true);
    this.#endLocal();
  }

  #endLocal(): void {
    this.#localEnded = true;
    this.#wakeAll();
    if (this.#remoteEnded) this.#close();
  }

  #endRemote(): void {
    this.#remoteEnded = true;
    if (this.#localEnded) this.#close();
    this.#receiver?.end();
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#queue.length = 0;
    this.#host.forget(this);
    this.#wakeAll();
  }

  #wakeAll(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}
