/**
 * Frames of a WebSocket (RFC 6455, 5): bytes to frames, a frame to bytes.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { Pieces } from "./websocket_pieces.ts";

/** What a frame is (RFC 6455, 5.2). */
export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** One frame. */
export interface WebSocketFrame {
  /** The last of its message. */
  readonly fin: boolean;
  /** RSV1: the frame begins a message that is compressed (RFC 7692, 6). */
  readonly deflated: boolean;
  /** From 0 to 15. */
  readonly opcode: number;
  /** Unmasked; compressed if its message is. */
  readonly payload: Uint8Array;
}

/** What may stand in the frames of one direction. */
export interface FrameLimits {
  /** A client masks every frame, a server none (RFC 6455, 5.1). */
  readonly masked: boolean;
  /** Compression was negotiated. */
  readonly deflate: boolean;
  /** The payloads of one message together may have so many bytes. @default {67108864} */
  readonly messageLimitBytes?: number;
}

/** A message may be this large, as it is on the wire and decompressed. */
export const messageLimitBytes: number = 64 * 1024 * 1024;

const controlLimitBytes = 125;

/** What a fragment costs in memory beside its bytes: a message of nothing but empty ones must end as well. */
const fragmentBytes = 256;

const nothing: Uint8Array = new Uint8Array(0);

/**
 * Tells control frames from those that carry data.
 *
 * @param opcode A frame's.
 */
export function isControl(opcode: number): boolean {
  return opcode >= 8;
}

/** A frame whose payload is on its way. */
interface OpenFrame {
  readonly fin: boolean;
  readonly deflated: boolean;
  readonly opcode: number;
  readonly mask: Uint8Array | null;
  /** `null` before the first has come; bytes where it was all in one. */
  payload: Uint8Array | Pieces | null;
  restBytes: number;
}

/** Reads the frames of one direction. */
export class FrameReader {
  readonly #limits: FrameLimits;
  readonly #limitBytes: number;
  /** A head is 14 bytes at most. */
  readonly #head = Buffer.alloc(14);
  #headBytes = 0;
  #open: OpenFrame | null = null;
  #midMessage = false;
  #messageBytes = 0;
  #failure: string | null = null;

  constructor(limits: FrameLimits) {
    this.#limits = limits;
    this.#limitBytes = limits.messageLimitBytes ?? messageLimitBytes;
  }

  /** What made the bytes no frames, as a noun phrase; `null` while all is well. Afterwards nothing more is read. */
  get failure(): string | null {
    return this.#failure;
  }

  /**
   * Takes the next bytes, which must not change afterwards.
   *
   * @param bytes Cut anywhere.
   * @returns The frames that are whole now.
   */
  push(bytes: Uint8Array): WebSocketFrame[] {
    const frames: WebSocketFrame[] = [];
    let rest = bytes;
    while (this.#failure === null && rest.length > 0) {
      if (this.#open === null) rest = this.#readHead(rest);
      else rest = readPayload(this.#open, rest);
      if (this.#isWhole()) frames.push(this.#close());
    }
    return frames;
  }

  #isWhole(): boolean {
    return this.#open?.restBytes === 0;
  }

  #readHead(bytes: Uint8Array): Uint8Array {
    let rest = bytes;
    // First the two bytes that tell how long the head is, then the head.
    for (let wanted = this.#wantedBytes(); wanted > 0 && rest.length > 0; wanted = this.#wantedBytes()) {
      const piece = rest.subarray(0, wanted);
      this.#head.set(piece, this.#headBytes);
      this.#headBytes += piece.length;
      rest = rest.subarray(piece.length);
    }
    if (this.#wantedBytes() === 0) this.#begin();
    return rest;
  }

  #wantedBytes(): number {
    return (this.#headBytes < 2 ? 2 : headLength(this.#head)) - this.#headBytes;
  }

  #begin(): void {
    const bytes = payloadLength(this.#head);
    this.#failure = this.#explain(bytes);
    if (this.#failure !== null) return;
    const [first = 0, second = 0] = this.#head;
    const mask = (second & 0x80) === 0 ? null : Buffer.from(this.#head.subarray(this.#headBytes - 4, this.#headBytes));
    const opcode = first & 0x0f;
    this.#open = {
      fin: (first & 0x80) !== 0,
      deflated: (first & 0x40) !== 0,
      opcode,
      mask,
      payload: null,
      restBytes: bytes,
    };
    this.#headBytes = 0;
    if (!isControl(opcode)) this.#messageBytes += bytes + fragmentBytes;
  }

  /** What is wrong with the head that has been read; `null` when nothing is. */
  #explain(bytes: number): string | null {
    const [first = 0, second = 0] = this.#head;
    const opcode = first & 0x0f;
    if ((second & 0x80) !== 0 !== this.#limits.masked) {
      return this.#limits.masked ? "an unmasked frame of a client" : "a masked frame of a server";
    }
    if (isControl(opcode)) return explainControl(first, bytes);
    if (opcode > opcodes.binary) return `the reserved opcode ${opcode}`;
    if ((opcode === opcodes.continuation) !== this.#midMessage) {
      return this.#midMessage ? "a message that begins within another" : "a continuation of nothing";
    }
    const mayBeDeflated = this.#limits.deflate && !this.#midMessage; // RFC 7692, 6.1: the first frame tells it
    if ((first & (mayBeDeflated ? 0x30 : 0x70)) !== 0) return "reserved bits that are set";
    if (bytes + this.#messageBytes > this.#limitBytes) return `a message of more than ${this.#limitBytes} bytes`;
    return null;
  }

  #close(): WebSocketFrame {
    const { fin, deflated, opcode, mask, payload } = this.#open ?? emptyFrame;
    this.#open = null;
    const joined = payload instanceof Pieces ? payload.join() : payload ?? nothing;
    if (!isControl(opcode)) {
      this.#midMessage = !fin;
      if (fin) this.#messageBytes = 0;
    }
    return { fin, deflated, opcode, payload: mask === null ? joined : masked(joined, mask) };
  }
}

const emptyFrame: OpenFrame = { fin: true, deflated: false, opcode: 0, mask: null, payload: null, restBytes: 0 };

function readPayload(open: OpenFrame, bytes: Uint8Array): Uint8Array {
  const piece = bytes.subarray(0, open.restBytes);
  open.restBytes -= piece.length;
  if (open.payload === null && open.restBytes === 0) open.payload = piece; // nothing to be joined, nothing to be copied
  else {
    if (!(open.payload instanceof Pieces)) open.payload = new Pieces();
    open.payload.push(piece);
  }
  return bytes.subarray(piece.length);
}

/** RFC 6455, 5.5. */
function explainControl(first: number, bytes: number): string | null {
  const opcode = first & 0x0f;
  if (opcode > opcodes.pong) return `the reserved opcode ${opcode}`;
  if ((first & 0x70) !== 0) return "reserved bits that are set";
  if ((first & 0x80) === 0) return "a control frame in fragments";
  return bytes > controlLimitBytes ? `a control frame of more than ${controlLimitBytes} bytes` : null;
}

/** How many bytes a head has, told by its second. */
function headLength(head: Uint8Array): number {
  const second = head[1] ?? 0;
  const length = second & 0x7f;
  const extended = length === 126 ? 2 : length === 127 ? 8 : 0;
  return 2 + extended + ((second & 0x80) === 0 ? 0 : 4);
}

/** What a whole head says of its payload; a number above 2^53 loses its last digits, which nobody misses. */
function payloadLength(head: Buffer): number {
  const length = (head[1] ?? 0) & 0x7f;
  if (length < 126) return length;
  return length === 126 ? head.readUInt16BE(2) : Number(head.readBigUInt64BE(2));
}

/** A payload with its mask put on, or taken off: one undoes the other. */
function masked(payload: Uint8Array, mask: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(payload.length);
  for (let at = 0; at < payload.length; at++) bytes[at] = (payload[at] ?? 0) ^ (mask[at & 3] ?? 0);
  return bytes;
}

/**
 * Writes a frame.
 *
 * @param frame Its payload compressed, where it is to be.
 * @param mask Four bytes, for a frame of a client's.
 * @returns The bytes that go on the wire.
 */
export function encodeFrame({ fin, deflated, opcode, payload }: WebSocketFrame, mask?: Uint8Array): Uint8Array {
  const extended = payload.length < 126 ? 0 : payload.length < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + extended);
  head[0] = (fin ? 0x80 : 0) | (deflated ? 0x40 : 0) | opcode;
  head[1] = (mask === undefined ? 0 : 0x80) | (extended === 0 ? payload.length : extended === 2 ? 126 : 127);
  if (extended === 2) head.writeUInt16BE(payload.length, 2);
  if (extended === 8) head.writeBigUInt64BE(BigInt(payload.length), 2);
  return mask === undefined ? Buffer.concat([head, payload]) : Buffer.concat([head, mask, masked(payload, mask)]);
}

/**
 * Writes what a close frame carries (RFC 6455, 5.5.1).
 *
 * @param code Why the connection closes: 1000, 1011.
 * @param reason Cut where it would not fit.
 */
export function closePayload(code: number, reason: string): Uint8Array {
  const bytes = Buffer.alloc(2 + Math.min(Buffer.byteLength(reason), controlLimitBytes - 2));
  bytes.writeUInt16BE(code, 0);
  bytes.write(reason, 2);
  return bytes;
}
