/**
 * HTTP/2 by hand: frames written and read as RFC 9113 has them, with none of the product's code.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { RawSocket } from "./raw_socket.ts";

/** Kinds of frames, by their names in RFC 9113 6. */
export const kind = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** END_STREAM, or ACK. */
export const last = 1;
export const endHeaders = 4;

/** A frame that came. */
export interface RawFrame {
  readonly kind: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Buffer;
}

/** What a client says first. */
export const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** Writes a frame; a payload of text is latin1. */
export function frame(kind: number, flags: number, streamId: number, payload: Uint8Array | string = ""): Buffer {
  const bytes = typeof payload === "string" ? Buffer.from(payload, "latin1") : payload;
  const head = Buffer.alloc(9);
  head.writeUInt32BE(bytes.length * 256 + kind, 0);
  head[4] = flags;
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, bytes]);
}

/** A number of 32 bits, as a payload. */
export function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A SETTINGS frame. */
export function settings(...pairs: readonly (readonly [id: number, value: number])[]): Buffer {
  const payload = pairs.map(([id, value]) => Buffer.concat([Buffer.from([0, id]), word(value)]));
  return frame(kind.settings, 0, 0, Buffer.concat(payload));
}

/** A field of a header block, written as a literal that nobody keeps. Short names only. */
export function field(name: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name),
    lengthOf(value),
    Buffer.from(value, "latin1"),
  ]);
}

/** The header block of a request to `https://a.test`. */
export function requestBlock(path: string, method = "GET", ...more: readonly Buffer[]): Buffer {
  const pseudo = [field(":method", method), field(":scheme", "https"), field(":authority", "a.test")];
  return Buffer.concat([...pseudo, field(":path", path), ...more]);
}

/** A whole GET. */
export function get(streamId: number, path: string): Buffer {
  return frame(kind.headers, endHeaders | last, streamId, requestBlock(path));
}

/** A GET whose header block may need several frames. */
export function longGet(streamId: number, block: Buffer): Buffer {
  const frames: Buffer[] = [];
  for (let at = 0; at < block.length; at += 16_384) {
    const flags = (at === 0 ? last : 0) | (at + 16_384 >= block.length ? endHeaders : 0);
    frames.push(frame(at === 0 ? kind.headers : kind.continuation, flags, streamId, block.subarray(at, at + 16_384)));
  }
  return Buffer.concat(frames);
}

/** The head of a POST, whose body is to follow. */
export function postHead(streamId: number, path: string): Buffer {
  return frame(kind.headers, endHeaders, streamId, requestBlock(path, "POST"));
}

/** A connection that speaks HTTP/2 because its client says so. */
export class RawHttp2 implements AsyncDisposable {
  readonly raw: RawSocket;

  constructor(raw: RawSocket) {
    this.raw = raw;
    raw.socket.on("error", () => {});
  }

  /** Opens a tunnel and TLS in it, in which HTTP/2 is the only offer; says nothing yet. */
  static async silent(door: { readonly port: number; readonly certificatePem: string }): Promise<RawHttp2> {
    const trust = { ca: door.certificatePem, servername: "a.test", ALPNProtocols: ["h2"] };
    return new RawHttp2(await RawSocket.tlsTunnel(door.port, "a.test:443", trust));
  }

  /** Opens a connection as {@link silent} does, and says what a client says first. */
  static async open(
    door: { readonly port: number; readonly certificatePem: string },
    ...pairs: readonly (readonly [id: number, value: number])[]
  ): Promise<RawHttp2> {
    const client = await RawHttp2.silent(door);
    client.send(preface, settings(...pairs));
    return client;
  }

  /** Sends frames in one piece. */
  send(...frames: readonly Uint8Array[]): void {
    const bytes = Buffer.concat(frames);
    if (bytes.length > 0) this.raw.send(bytes); // Deno 2.9.6 breaks a TLS connection on which nothing is written
  }

  /** Takes the next frame; `null` when the connection ended before it was whole. */
  async next(): Promise<RawFrame | null> {
    try {
      const bytes = await this.raw.take((held) => wholeFrame(held));
      return { kind: bytes[3] ?? 0, flags: bytes[4] ?? 0, streamId: bytes.readUInt32BE(5), payload: bytes.subarray(9) };
    } catch (error) {
      if (this.raw.ended) return null;
      throw error;
    }
  }

  /** Takes frames up to one that is looked for; throws when the connection ends before it. */
  async until(wanted: (frame: RawFrame) => boolean): Promise<RawFrame> {
    const seen: string[] = [];
    for (let got = await this.next(); got !== null; got = await this.next()) {
      if (wanted(got)) return got;
      seen.push(`${got.kind}/${got.streamId}`);
    }
    throw new RangeError(`Cannot find a frame: the connection ended after ${seen.slice(-20).join(" ")}`);
  }

  /** Takes frames until the other side says that the connection ends; gives the reason's code. */
  async goaway(): Promise<number> {
    return (await this.until((got) => got.kind === kind.goaway)).payload.readUInt32BE(4);
  }

  /** Takes frames until a stream is broken off; gives the reason's code. */
  async resetOf(streamId: number): Promise<number> {
    const found = await this.until((got) => got.kind === kind.reset && got.streamId === streamId);
    return found.payload.readUInt32BE(0);
  }

  /** Takes frames until a stream's answer is whole; gives the bytes of its body. */
  async bodyOf(streamId: number): Promise<string> {
    let text = "";
    while (true) {
      const got = await this.until((frame) => frame.streamId === streamId);
      if (got.kind === kind.reset) throw new RangeError(`Cannot read stream ${streamId}: it was reset`);
      if (got.kind === kind.data) text += got.payload.toString("latin1");
      if (got.flags & last) return text;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.raw[Symbol.asyncDispose]();
  }
}

function wholeFrame(held: Buffer): number | null {
  if (held.length < 9) return null;
  const whole = 9 + held.readUIntBE(0, 3);
  return held.length < whole ? null : whole;
}

/** A string's length in seven bits and what follows them (RFC 7541 5.1), without Huffman. */
function lengthOf(value: string): Buffer {
  if (value.length < 127) return Buffer.from([value.length]);
  const bytes = [127];
  let rest = value.length - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 + rest % 128);
  return Buffer.from([...bytes, rest]);
}
