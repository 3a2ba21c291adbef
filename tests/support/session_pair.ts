/**
 * Both ends of an HTTP/2 connection in memory, with a watcher between them that knows the windows by itself.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Header } from "../../lib/step/mod.ts";
import { type Http2Error, type Http2Receiver, Http2Session, type Http2Stream } from "../../lib/wire/mod.ts";
import { kind, last, preface, type RawFrame } from "./raw_http2.ts";

type Role = "client" | "server";

/** One end of a stream: what it was told. */
export class StreamEnd implements Http2Receiver {
  readonly stream: Http2Stream;
  readonly heads: (readonly Header[])[] = [];
  readonly pieces: Uint8Array[] = [];
  /** Received, and not yet given back to the window. */
  heldBytes = 0;
  ended = false;
  /** With which code the stream was broken off; `undefined` when it was not. */
  resetCode: number | null | undefined;

  constructor(stream: Http2Stream) {
    this.stream = stream;
    stream.listen(this);
  }

  get body(): string {
    return Buffer.concat(this.pieces).toString("latin1");
  }

  headers(headers: readonly Header[]): void {
    this.heads.push(headers);
  }

  data(bytes: Uint8Array): void {
    this.pieces.push(bytes);
    this.heldBytes += bytes.length;
  }

  end(): void {
    this.ended = true;
  }

  reset(code: number | null): void {
    this.resetCode = code;
  }

  /** Uses up what is held. */
  consume(bytes = this.heldBytes): void {
    const used = Math.min(bytes, this.heldBytes);
    this.heldBytes -= used;
    if (used > 0) this.stream.consumed(used);
  }
}

/** Limits of a pair. */
export interface PairOptions {
  readonly clientWindowBytes?: number;
  readonly serverWindowBytes?: number;
  readonly streamLimit?: number;
}

/** A client and a server that are wired to each other; nothing moves but by {@link SessionPair.move}. */
export class SessionPair {
  readonly client: Http2Session;
  readonly server: Http2Session;
  /** The server's ends, by stream. */
  readonly served = new Map<number, StreamEnd>();
  /** What {@link Http2Session} said when it ended: `client: null`. */
  readonly ends: string[] = [];
  readonly #toServer = new Wire("client");
  readonly #toClient = new Wire("server");
  #nowMs = 0;

  constructor({ clientWindowBytes = 65_536, serverWindowBytes = 65_536, streamLimit = 100 }: PairOptions = {}) {
    this.#toServer.back = this.#toClient;
    this.#toClient.back = this.#toServer;
    this.server = new Http2Session({
      ...this.#common("server", this.#toClient),
      streamLimit,
      streamWindowBytes: serverWindowBytes,
      onStream: (stream, headers) => {
        const end = new StreamEnd(stream);
        end.headers(headers);
        this.served.set(stream.id, end);
        if (stream.remoteEnded) end.end();
      },
    });
    this.client = new Http2Session({
      ...this.#common("client", this.#toServer),
      streamLimit: 0,
      streamWindowBytes: clientWindowBytes,
      onStream: () => {},
    });
  }

  /** Opens a stream and sends its head. */
  open(headers: readonly Header[] = [], ended = false): StreamEnd {
    const end = new StreamEnd(this.client.open());
    end.stream.sendHeaders([[":method", "POST"], ...headers], ended);
    return end;
  }

  /** Moves some of the bytes that are on their way. @returns False when there were none. */
  move(to: Role, bytes = Infinity): boolean {
    const moved = (to === "server" ? this.#toServer : this.#toClient).take(bytes);
    // What is moved comes as a buffer of its own, as reads do; and late enough that no count is a flood.
    this[to].receive(Buffer.from(moved), this.#nowMs += 100);
    return moved.length > 0;
  }

  /** Moves all there is, both ways, until nothing more comes. */
  settle(): void {
    for (let moved = true; moved;) moved = [this.move("server"), this.move("client")].includes(true);
  }

  #common(role: Role, wire: Wire) {
    return {
      role,
      write: (bytes: Uint8Array) => wire.put(bytes),
      onEnd: (error: Http2Error | null) => void this.ends.push(`${role}: ${error?.message ?? null}`),
    };
  }
}

/** One way of a connection; holds every DATA frame against the windows that the other way has granted. */
class Wire {
  back: Wire | null = null;
  readonly #from: Role;
  #bytes: Buffer = Buffer.alloc(0);
  /** Where the next frame begins. */
  #unread = Buffer.alloc(0);
  #windows = new Map<number, number>([[0, 65_535]]);
  #initial = 65_535;

  constructor(from: Role) {
    this.#from = from;
  }

  put(bytes: Uint8Array): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    this.#unread = Buffer.concat([this.#unread, bytes]);
    if (this.#from === "client" && this.#unread.subarray(0, 24).equals(preface)) {
      this.#unread = this.#unread.subarray(24);
    }
    for (let frame = this.#frame(); frame !== null; frame = this.#frame()) this.#watch(frame);
  }

  take(bytes: number): Buffer {
    const taken = this.#bytes.subarray(0, bytes);
    this.#bytes = this.#bytes.subarray(taken.length);
    return taken;
  }

  #frame(): RawFrame | null {
    const held = this.#unread;
    if (held.length < 9 || held.length < 9 + held.readUIntBE(0, 3)) return null;
    const payload = held.subarray(9, 9 + held.readUIntBE(0, 3));
    this.#unread = held.subarray(9 + payload.length);
    return { kind: held[3] ?? 0, flags: held[4] ?? 0, streamId: held.readUInt32BE(5), payload };
  }

  /** A grant counts from when it is sent: whoever uses it before it has come cannot be told from here, nor could it be. */
  #watch({ kind: type, flags, streamId, payload }: RawFrame): void {
    if (type === kind.data) {
      this.#spend(0, payload.length);
      this.#spend(streamId, payload.length);
    } else if (type === kind.windowUpdate) this.back?.grant(streamId, payload.readUInt32BE(0));
    else if (type === kind.settings && (flags & last) === 0) this.back?.set(payload);
  }

  grant(streamId: number, bytes: number): void {
    this.#windows.set(streamId, this.#window(streamId) + bytes);
  }

  /** Takes the initial window of a SETTINGS payload. */
  set(payload: Buffer): void {
    for (let at = 0; at < payload.length; at += 6) {
      if (payload.readUInt16BE(at) === 4) this.#initial = payload.readUInt32BE(at + 2);
    }
  }

  #window(streamId: number): number {
    return this.#windows.get(streamId) ?? this.#initial;
  }

  #spend(streamId: number, bytes: number): void {
    const left = this.#window(streamId) - bytes;
    if (left < 0) {
      throw new RangeError(`Cannot send ${bytes} bytes of stream ${streamId}: ${-left} are beyond the window`);
    }
    this.#windows.set(streamId, left);
  }
}
