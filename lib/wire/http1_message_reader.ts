/**
 * Reads HTTP/1.1 messages out of bytes (RFC 9112), of either kind.
 *
 * Takes bytes as they came; gives events when it is asked for them. Does no I/O and keeps no time.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Header } from "../step/mod.ts";

/** How long a message's body is. */
export type BodyFraming =
  | { readonly kind: "none" }
  | { readonly kind: "length"; readonly bytes: number }
  | { readonly kind: "chunked" }
  /** Only a response's. */
  | { readonly kind: "until-close" };

/** What comes out of the bytes. After an error nothing more does. */
export type MessageEvent<Head> =
  | { readonly kind: "head"; readonly head: Head }
  | { readonly kind: "body"; readonly bytes: Uint8Array }
  | { readonly kind: "end"; readonly trailers: readonly Header[] }
  | { readonly kind: "error"; readonly status: 400 | 431 | 501; readonly reason: string };

/** A head, or trailers, may be this large. */
const headLimitBytes = 256 * 1024;

/** The line before a chunk: its size, and extensions that nobody sends. */
const chunkLineLimitBytes = 4 * 1024;

type State = "head" | "until-close" | "length" | "chunk-size" | "chunk" | "chunk-end" | "trailers" | "failed";

const nothing = Buffer.alloc(0);

/** One direction of a connection: messages, one after the other. */
export class Http1MessageReader<Head extends { readonly framing: BodyFraming }> {
  readonly #parseHead: (lines: readonly string[]) => Head;
  #bytes: Buffer = nothing;
  /** Room behind these in memory of our own: a head that comes byte by byte is not copied as often. */
  #spareBytes = 0;
  /** So many of them are known not to end a head. */
  #scannedBytes = 0;
  #state: State = "head";
  /** Bytes of the body, or of its chunk, that are still to come. */
  #rest = 0;

  /** @param parseHead Makes a head of its lines; throws {@link RefusedBytes} for what is none. */
  constructor(parseHead: (lines: readonly string[]) => Head) {
    this.#parseHead = parseHead;
  }

  /** Takes bytes; they must not change afterwards. */
  push(bytes: Uint8Array): void {
    const more = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const held = this.#bytes.length;
    if (held === 0) {
      this.#bytes = more;
      this.#spareBytes = 0;
      return;
    }
    if (this.#spareBytes < more.length) this.#grow(held + more.length);
    const { buffer, byteOffset } = this.#bytes;
    this.#bytes = Buffer.from(buffer, byteOffset, held + more.length);
    more.copy(this.#bytes, held);
    this.#spareBytes -= more.length;
  }

  /** What events have given away stays where it is: memory is written behind the held bytes only. */
  #grow(bytes: number): void {
    const held = this.#bytes.length;
    const room = Buffer.allocUnsafeSlow(bytes * 2);
    this.#bytes.copy(room);
    this.#bytes = room.subarray(0, held);
    this.#spareBytes = room.length - held;
  }

  /** How many bytes wait to be asked for. */
  get heldBytes(): number {
    return this.#bytes.length;
  }

  /** True while what is held belongs to a head. */
  get midHead(): boolean {
    return this.#state === "head" && this.#bytes.length > 0;
  }

  /** True while a message is read whose end is the connection's. */
  get untilClose(): boolean {
    return this.#state === "until-close";
  }

  /** Gives what no event has taken: what comes behind a CONNECT or an upgrade is another protocol's. */
  takeRest(): Uint8Array {
    const rest = this.#bytes;
    this.#bytes = nothing;
    return rest;
  }

  /** Gives the next event; `null` when it wants more bytes. */
  next(): MessageEvent<Head> | null {
    try {
      return this.#step();
    } catch (error) {
      if (!(error instanceof RefusedBytes)) throw error;
      this.#state = "failed";
      this.#bytes = nothing;
      return { kind: "error", status: error.status, reason: error.message };
    }
  }

  #step(): MessageEvent<Head> | null {
    switch (this.#state) {
      case "head":
        return this.#readHead();
      case "length":
        return this.#readBody("head");
      case "chunk-size":
        return this.#readChunkSize();
      case "chunk":
        return this.#readBody("chunk-end");
      case "chunk-end":
        return this.#readChunkEnd();
      case "trailers":
        return this.#readTrailers();
      case "until-close":
        return this.#readRest();
      case "failed":
        return null;
    }
  }

  #readHead(): MessageEvent<Head> | null {
    let start = 0; // empty lines before a request are skipped (RFC 9112 2.2)
    while (this.#bytes[start] === 13 && this.#bytes[start + 1] === 10) start += 2;
    if (start > 0) {
      this.#bytes = this.#bytes.subarray(start);
      this.#scannedBytes = 0;
    }
    const lines = this.#takeLines();
    if (lines === null) return null;
    const head = this.#parseHead(lines);
    const { framing } = head;
    this.#state = framing.kind === "chunked" ? "chunk-size" : framing.kind === "until-close" ? framing.kind : "length";
    this.#rest = framing.kind === "length" ? framing.bytes : 0;
    return { kind: "head", head };
  }

  /** The lines up to an empty one, which is taken too; `null` while there is none. */
  #takeLines(): string[] | null {
    const from = this.#scannedBytes;
    const end = this.#bytes.indexOf("\r\n\r\n", Math.max(0, from - 3));
    if (end > headLimitBytes || (end === -1 && this.#bytes.length > headLimitBytes)) {
      throw new RefusedBytes(431, "its headers are larger than 256 KiB");
    }
    this.#scannedBytes = end === -1 ? this.#bytes.length : 0;
    if (end === -1) {
      this.#refuseBareLineFeeds(from);
      return null;
    }
    const text = this.#bytes.toString("latin1", 0, end);
    this.#bytes = this.#bytes.subarray(end + 4);
    return text.split("\r\n");
  }

  /** At once: whoever ends its lines so would wait for ever for an answer. */
  #refuseBareLineFeeds(from: number): void {
    for (let at = this.#bytes.indexOf(10, from); at !== -1; at = this.#bytes.indexOf(10, at + 1)) {
      if (this.#bytes[at - 1] !== 13) throw new RefusedBytes(400, "a bare line feed");
    }
  }

  #readBody(after: State): MessageEvent<Head> | null {
    if (this.#rest === 0) {
      this.#state = after;
      return after === "head" ? { kind: "end", trailers: [] } : this.#step();
    }
    if (this.#bytes.length === 0) return null;
    const bytes = this.#bytes.subarray(0, this.#rest);
    this.#bytes = this.#bytes.subarray(bytes.length);
    this.#rest -= bytes.length;
    return { kind: "body", bytes };
  }

  #readRest(): MessageEvent<Head> | null {
    if (this.#bytes.length === 0) return null;
    return { kind: "body", bytes: this.takeRest() };
  }

  #readChunkSize(): MessageEvent<Head> | null {
    const end = this.#bytes.indexOf("\r\n");
    if (end > chunkLineLimitBytes || (end === -1 && this.#bytes.length > chunkLineLimitBytes)) {
      throw new RefusedBytes(400, "a chunk's size that does not end");
    }
    if (end === -1) return null;
    const size = /^([0-9a-f]{1,13})(?:[ \t]*;[^\r\n]*)?$/i.exec(this.#bytes.toString("latin1", 0, end))?.[1];
    if (size === undefined) throw new RefusedBytes(400, "a chunk's size that is no hexadecimal number");
    this.#bytes = this.#bytes.subarray(end + 2);
    this.#rest = Number.parseInt(size, 16);
    this.#state = this.#rest === 0 ? "trailers" : "chunk";
    return this.#step();
  }

  #readChunkEnd(): MessageEvent<Head> | null {
    if (this.#bytes.length < 2) return null;
    if (this.#bytes[0] !== 13 || this.#bytes[1] !== 10) throw new RefusedBytes(400, "a chunk longer than its size");
    this.#bytes = this.#bytes.subarray(2);
    this.#state = "chunk-size";
    return this.#step();
  }

  #readTrailers(): MessageEvent<Head> | null {
    if (this.#bytes[0] === 13 && this.#bytes[1] === 10) {
      this.#bytes = this.#bytes.subarray(2);
      this.#state = "head";
      return { kind: "end", trailers: [] };
    }
    if (this.#bytes.length < 2) return null;
    const lines = this.#takeLines();
    if (lines === null) return null;
    this.#state = "head";
    return { kind: "end", trailers: lines.map(parseHeaderLine) };
  }
}

/** Bytes that nobody should read as a message. */
export class RefusedBytes extends SyntaxError {
  override readonly name = "RefusedBytes";
  /** What a server answers to a request of this kind. */
  readonly status: 400 | 431 | 501;

  constructor(status: 400 | 431 | 501, reason: string) {
    super(reason);
    this.status = status;
  }
}

const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;

/** Reads one line of a head. */
export function parseHeaderLine(line: string): Header {
  const [, name, value] = headerLine.exec(line) ?? [];
  if (name === undefined || value === undefined || unprintable.test(value)) {
    throw new RefusedBytes(400, "a header that is none, or folded over lines");
  }
  return [name, value];
}

/** What no header's value may hold (RFC 9110 5.5). */
const unprintable = /[^\t\x20-\x7e\x80-\xff]/;
