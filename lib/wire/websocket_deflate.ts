/**
 * Compression of WebSocket messages (RFC 7692): what was negotiated, and a message in its two forms.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import type { Header } from "../step/mod.ts";

/** What both sides agreed on. */
export interface Deflate {
  /** A client's message may refer to those before it. */
  readonly clientTakeover: boolean;
  /** A server's message may refer to those before it. */
  readonly serverTakeover: boolean;
  /** How far back a server's message may refer, as a power of two: 8 to 15. */
  readonly serverWindowBits: number;
}

/**
 * Reads from a 101 whether messages may be compressed, and how.
 *
 * @param headers Those of the response.
 * @returns `null` where they may not.
 */
export function negotiatedDeflate(headers: readonly Header[]): Deflate | null {
  const values = headers.filter(([name]) => name.toLowerCase() === "sec-websocket-extensions").map(([, value]) =>
    value
  );
  for (const extension of values.join(",").split(",")) {
    const [name, ...parameters] = extension.split(";").map((part) => part.trim().toLowerCase());
    if (name !== "permessage-deflate") continue;
    const bits = parameters.map((each) => /^server_max_window_bits\s*=\s*"?(\d+)"?$/.exec(each)?.[1]).find(Boolean);
    return {
      clientTakeover: !parameters.includes("client_no_context_takeover"),
      serverTakeover: !parameters.includes("server_no_context_takeover"),
      serverWindowBits: Math.min(15, Math.max(8, Number(bits ?? 15))),
    };
  }
  return null;
}

/** What an empty block ends with; left out on the wire (RFC 7692, 7.2.1). */
const tail = Buffer.from([0x00, 0x00, 0xff, 0xff]);

/** No window is larger (RFC 7692, 7.1.2). */
const windowBytes = 32 * 1024;

const nothing = Buffer.alloc(0);

/** Decompresses the messages of one direction, one after the other. */
export class MessageInflater {
  readonly #takeover: boolean;
  readonly #limitBytes: number;
  #window: Uint8Array = nothing;

  /**
   * @param takeover Each message may refer to what came before it.
   * @param limitBytes A message that becomes larger is a bomb.
   */
  constructor(takeover: boolean, limitBytes: number) {
    this.#takeover = takeover;
    this.#limitBytes = limitBytes;
  }

  /**
   * Decompresses the next message.
   *
   * @returns `null` for bytes that are not compressed, and for a bomb; what comes after it cannot be read any more.
   */
  inflate(payload: Uint8Array): Uint8Array | null {
    const window = this.#window;
    // Deno's inflateRawSync passes over "dictionary" (2.9.6); a block that holds the window as it is does the same.
    const input = Buffer.concat([storedBlock(window), payload, tail]);
    const maxOutputLength = window.length + this.#limitBytes;
    try {
      const inflated = inflateRawSync(input, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength });
      if (this.#takeover) this.#window = Buffer.from(inflated.subarray(-windowBytes));
      return inflated.subarray(window.length);
    } catch {
      return null; // zlib throws for damaged bytes and for bytes above the limit alike
    }
  }
}

/** Bytes as a block of DEFLATE that is not compressed (RFC 1951, 3.2.4), with others to follow. */
function storedBlock(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) return nothing;
  const head = Buffer.alloc(5);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(~bytes.length & 0xffff, 3);
  return Buffer.concat([head, bytes]);
}

/**
 * Compresses a message that refers to none before it.
 *
 * @param windowBits How far back it may refer to itself, as a power of two: 8 to 15.
 */
export function deflateMessage(bytes: Uint8Array, windowBits: number): Uint8Array {
  const finishFlush = constants.Z_SYNC_FLUSH;
  // zlib makes 9 of 8, which a strict client could not read: then nothing is referred to at all.
  const options = windowBits < 9 ? { finishFlush, strategy: constants.Z_HUFFMAN_ONLY } : { finishFlush, windowBits };
  const whole = deflateRawSync(bytes, options);
  return whole.subarray(0, whole.length - tail.length);
}
