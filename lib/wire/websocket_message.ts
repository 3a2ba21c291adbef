/**
 * The messages of one direction of a WebSocket: frames put together, and decompressed.
 *
 * @module
 */
import { type Deflate, MessageInflater } from "./websocket_deflate.ts";
import { FrameReader, isControl, messageLimitBytes, opcodes, type WebSocketFrame } from "./websocket_frame.ts";
import { Pieces } from "./websocket_pieces.ts";

/** A message that has come whole. */
export interface WebSocketMessage {
  /** 1 for text, 2 for binary. */
  readonly opcode: number;
  /** It came compressed. */
  readonly deflated: boolean;
  /** Decompressed. */
  readonly payload: Uint8Array;
  /** How many bytes each of its frames had on the wire. */
  readonly frameBytes: readonly number[];
}

/** A frame, and the message that it ends. */
export interface ReadFrame {
  readonly frame: WebSocketFrame;
  /** `null` for a control frame, and for one that another follows. */
  readonly message: WebSocketMessage | null;
}

/** Whose messages are read, and what was negotiated. */
export interface MessageReaderOptions {
  readonly from: "client" | "server";
  readonly deflate: Deflate | null;
  /** @default {67108864} */
  readonly limitBytes?: number;
}

/** A message whose last frame has not come. */
interface OpenMessage {
  readonly opcode: number;
  readonly deflated: boolean;
  readonly pieces: Pieces;
  readonly frameBytes: number[];
}

/** Reads the messages of one direction. */
export class MessageReader {
  readonly #frames: FrameReader;
  readonly #inflater: MessageInflater;
  #open: OpenMessage | null = null;
  #failure: string | null = null;

  constructor({ from, deflate, limitBytes = messageLimitBytes }: MessageReaderOptions) {
    const takeover = from === "client" ? deflate?.clientTakeover : deflate?.serverTakeover;
    this.#frames = new FrameReader({
      masked: from === "client",
      deflate: deflate !== null,
      messageLimitBytes: limitBytes,
    });
    this.#inflater = new MessageInflater(takeover ?? false, limitBytes);
  }

  /** What made the bytes no WebSocket, as a noun phrase; `null` while all is well. */
  get failure(): string | null {
    return this.#failure ?? this.#frames.failure;
  }

  /**
   * Takes the next bytes, which must not change afterwards.
   *
   * @param bytes Cut anywhere.
   * @returns The frames that are whole now.
   */
  push(bytes: Uint8Array): ReadFrame[] {
    const read: ReadFrame[] = [];
    if (this.#failure !== null) return read;
    for (const frame of this.#frames.push(bytes)) {
      const message = isControl(frame.opcode) ? null : this.#add(frame);
      if (this.#failure !== null) break;
      read.push({ frame, message });
    }
    return read;
  }

  #add({ opcode, deflated, fin, payload }: WebSocketFrame): WebSocketMessage | null {
    if (this.#open === null && fin) return this.#close({ opcode, deflated, frameBytes: [payload.length] }, payload);
    const open = this.#open ??= { opcode, deflated, pieces: new Pieces(), frameBytes: [] };
    open.pieces.push(payload);
    open.frameBytes.push(payload.length);
    if (!fin) return null;
    this.#open = null;
    return this.#close(open, open.pieces.join());
  }

  #close(
    { opcode, deflated, frameBytes }: Omit<OpenMessage, "pieces">,
    wire: Uint8Array,
  ): WebSocketMessage | null {
    const payload = deflated ? this.#inflater.inflate(wire) : wire;
    if (payload !== null) return { opcode, deflated, payload, frameBytes };
    this.#failure = "a compressed message that cannot be decompressed, or to more than is kept";
    return null;
  }
}

/**
 * Tells whether frames of one direction make whole messages, frame by frame: a trace does not say which is the last.
 *
 * @param frameOpcodes Of one direction, in order.
 * @returns For each whether it ends its message: all do but those that a continuation follows.
 */
export function finsOf(frameOpcodes: readonly number[]): boolean[] {
  const fins: boolean[] = [];
  let next: number | null = null; // the data frame behind this one
  for (let index = frameOpcodes.length - 1; index >= 0; index--) {
    const opcode = frameOpcodes[index] ?? 0;
    fins[index] = isControl(opcode) || next !== opcodes.continuation;
    if (!isControl(opcode)) next = opcode;
  }
  return fins;
}
