/**
 * Frames of HTTP/2 (RFC 9113 4): bytes to frames, frames to bytes.
 *
 * @module
 */
import { Buffer } from "node:buffer";

/** The kinds of frames (RFC 9113 6). */
export const frameType = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** Flags; which of them a frame may have depends on its kind. */
export const frameFlag = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

/** Why a stream or a connection ends (RFC 9113 7). */
export const http2Code = {
  noError: 0,
  protocolError: 1,
  internalError: 2,
  flowControlError: 3,
  settingsTimeout: 4,
  streamClosed: 5,
  frameSizeError: 6,
  refusedStream: 7,
  cancel: 8,
  compressionError: 9,
  connectError: 10,
  enhanceYourCalm: 11,
  inadequateSecurity: 12,
  http11Required: 13,
} as const;

/** The settings that mean something here (RFC 9113 6.5.2). */
export const settingId = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

/** What a client says first (RFC 9113 3.4). */
export const clientPreface: Uint8Array = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** The largest payload that is read, and, until the other side allows more, sent. */
export const frameLimitBytes: number = 16_384;

const headBytes = 9;

/** One frame. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  /** 0 for the connection itself. */
  readonly streamId: number;
  readonly payload: Buffer;
}

/** What the other side did against the protocol; it ends the connection. */
export class Http2Error extends Error {
  override readonly name = "Http2Error";
  /** One of {@link http2Code}. */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Gives the code's name as RFC 9113 writes it: `CANCEL`. */
export function http2CodeName(code: number): string {
  const name = Object.entries(http2Code).find(([, value]) => value === code)?.[0];
  return name === undefined ? `code ${code}` : name.replace(/[A-Z\d]+/g, (part) => `_${part}`).toUpperCase();
}

/** Cuts what is read into frames. */
export class FrameReader {
  #held: Buffer = Buffer.alloc(0);

  /** Takes bytes as they were read; they must not change afterwards. */
  push(bytes: Uint8Array): void {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#held = this.#held.length === 0 ? buffer : Buffer.concat([this.#held, buffer]);
  }

  /** True when something is held that was not taken. */
  get holds(): boolean {
    return this.#held.length > 0;
  }

  /** True when what is held begins a frame of a header block and does not end it. */
  get midHead(): boolean {
    const type = this.#held[3];
    return type === frameType.headers || type === frameType.continuation;
  }

  /**
   * Takes bytes that are no frame.
   *
   * @returns `part` while they are not all there, `other` as soon as something else is.
   */
  take(expected: Uint8Array): "whole" | "part" | "other" {
    const seen = this.#held.subarray(0, expected.length);
    if (!seen.equals(expected.subarray(0, seen.length))) return "other";
    if (seen.length < expected.length) return "part";
    this.#held = this.#held.subarray(expected.length);
    return "whole";
  }

  /**
   * Takes the next frame; `null` while it is not whole.
   *
   * @throws {Http2Error} when it is larger than we allow.
   */
  next(): Frame | null {
    const held = this.#held;
    if (held.length < headBytes) return null;
    const length = held.readUIntBE(0, 3);
    if (length > frameLimitBytes) {
      throw new Http2Error(http2Code.frameSizeError, `a frame of ${length} bytes, expected at most ${frameLimitBytes}`);
    }
    if (held.length < headBytes + length) return null;
    const frame = {
      type: held.readUInt8(3),
      flags: held.readUInt8(4),
      streamId: held.readUInt32BE(5) & 0x7fff_ffff,
      payload: held.subarray(headBytes, headBytes + length),
    };
    this.#held = held.subarray(headBytes + length);
    return frame;
  }
}

/** Writes a frame's head; its payload follows. */
export function frameHead(type: number, flags: number, streamId: number, payloadBytes: number): Buffer {
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUIntBE(payloadBytes, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(streamId, 5);
  return head;
}

/** Writes a whole frame; for short payloads. */
export function frameOf(type: number, flags: number, streamId: number, payload: Uint8Array): Buffer {
  return Buffer.concat([frameHead(type, flags, streamId, payload.length), payload]);
}

/** Writes numbers of 32 bits as a payload. */
export function words(...values: readonly number[]): Buffer {
  const payload = Buffer.allocUnsafe(4 * values.length);
  values.forEach((value, index) => payload.writeUInt32BE(value >>> 0, 4 * index));
  return payload;
}

/** Writes a SETTINGS frame. */
export function settingsFrame(settings: readonly (readonly [id: number, value: number])[]): Buffer {
  const payload = Buffer.allocUnsafe(6 * settings.length);
  settings.forEach(([id, value], index) => {
    payload.writeUInt16BE(id, 6 * index);
    payload.writeUInt32BE(value, 6 * index + 2);
  });
  return frameOf(frameType.settings, 0, 0, payload);
}

/** Reads a SETTINGS payload (RFC 9113 6.5.1). */
export function readSettings(payload: Buffer): [id: number, value: number][] {
  const settings: [number, number][] = [];
  for (let at = 0; at + 6 <= payload.length; at += 6) {
    settings.push([payload.readUInt16BE(at), payload.readUInt32BE(at + 2)]);
  }
  return settings;
}

/**
 * Takes the padding off a payload (RFC 9113 6.1).
 *
 * @throws {Http2Error} when there is more padding than payload.
 */
export function withoutPadding({ flags, payload }: Frame): Buffer {
  if ((flags & frameFlag.padded) === 0) return payload;
  const padding = payload[0];
  if (padding === undefined || padding >= payload.length) {
    throw new Http2Error(http2Code.protocolError, "more padding than payload");
  }
  return payload.subarray(1, payload.length - padding);
}
