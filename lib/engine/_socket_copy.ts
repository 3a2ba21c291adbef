import { Buffer } from "node:buffer";
import type { Redactor } from "../redact/mod.ts";
import type { Body, BodyPart, Frame, FramePayload, Header } from "../step/mod.ts";
import { encodeBody, inlineLimitBytes } from "../step/mod.ts";
import type { BodySpool } from "../store/mod.ts";
import { isControl, MessageReader, negotiatedDeflate, opcodes, type WebSocketMessage } from "../wire/mod.ts";
import type { Side } from "./_relay_channels.ts";
import type { CopiedBody, CopiedOutput } from "./_response_copy.ts";

/** What a WebSocket's copy is made with. */
export interface SocketCopyOptions {
  /** Of the 101. */
  readonly headers: readonly Header[];
  readonly redactor: Redactor;
  /** A place for a large payload. */
  readonly spool: () => BodySpool;
  /** Called once, when what comes can no longer be read as frames: the recording ends there. */
  readonly onUnreadable: (reason: string) => void;
}

/** A frame on its way into the trace: its payload is known once its message is whole. */
interface PendingFrame {
  readonly atMs: number;
  readonly from: Side;
  readonly opcode: number;
  /** Its message goes on. */
  readonly goesOn: boolean;
  payload: FramePayload | undefined;
}

/** One direction of a socket. */
interface Direction {
  readonly reader: MessageReader;
  /** The data frames of the message that is under way. */
  message: PendingFrame[];
  closed: boolean;
}

/** Takes a WebSocket's frames aside while they pass, and cleans them message by message. */
export class SocketCopy implements CopiedOutput {
  readonly #options: SocketCopyOptions;
  readonly #headers: readonly Header[];
  readonly #directions: Readonly<Record<Side, Direction>>;
  /** In the order of their passing. */
  #frames: PendingFrame[] = [];
  #heldBytes = 0;
  /** The payloads that are on their way to the disk. */
  #spooling: Promise<void> = Promise.resolve();
  #unreadable = false;

  constructor(options: SocketCopyOptions) {
    this.#options = options;
    this.#headers = options.redactor.headers(options.headers);
    const deflate = negotiatedDeflate(options.headers);
    const direction = (from: Side) => ({ reader: new MessageReader({ from, deflate }), message: [], closed: false });
    this.#directions = { client: direction("client"), server: direction("server") };
  }

  /** True once both sides have sent their close: the handshake is through. */
  get closed(): boolean {
    return this.#directions.client.closed && this.#directions.server.closed;
  }

  /** True once the bytes could not be read any more. */
  get unreadable(): boolean {
    return this.#unreadable;
  }

  /** How much waits in memory for the next line. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /**
   * Takes bytes, after the other side was given them.
   *
   * @returns The disk's back-pressure.
   */
  push(from: Side, bytes: Uint8Array, atMs: number): Promise<void> | undefined {
    if (this.#unreadable) return undefined;
    const direction = this.#directions[from];
    let spooled: Promise<void> | undefined;
    for (const { frame: { opcode, fin, payload }, message } of direction.reader.push(bytes)) {
      const pending: PendingFrame = { atMs, from, opcode, goesOn: !fin, payload: undefined };
      this.#frames.push(pending);
      if (isControl(opcode)) {
        direction.closed ||= opcode === opcodes.close;
        pending.payload = encodeBody(this.#clean(payload));
        continue;
      }
      direction.message.push(pending);
      if (message !== null) spooled = this.#settle(direction, message) ?? spooled;
    }
    const { failure } = direction.reader;
    if (failure !== null) {
      this.#unreadable = true;
      this.#options.onUnreadable(`the ${from} sent ${failure}`);
    }
    return spooled;
  }

  cut(): CopiedBody {
    const whole = wholeFrames(this.#frames);
    this.#frames = this.#frames.slice(whole.length);
    this.#heldBytes = 0;
    return this.#part(whole);
  }

  /** What belongs to no whole message is left out: nobody was given it as a message either. */
  async finish(): Promise<CopiedBody> {
    await this.#spooling;
    const whole = this.#frames;
    this.#frames = [];
    return this.#part(whole);
  }

  #part(pending: readonly PendingFrame[]): CopiedBody {
    const frames = pending.flatMap(({ atMs, from, opcode, payload }): Frame[] =>
      payload === undefined ? [] : [[atMs, from, opcode, payload]]
    );
    return { headers: this.#headers, body: null, decoded: false, chunks: [], frames };
  }

  /** Redacted as one text, however it was cut; lengths stay, so it can be cut again where it was. */
  #settle(direction: Direction, message: WebSocketMessage): Promise<void> | undefined {
    const { deflated, frameBytes, payload } = message;
    const clean = this.#clean(payload);
    const frames = direction.message;
    direction.message = [];
    let at = 0;
    let spooled: Promise<void> | undefined;
    for (const [index, frame] of frames.entries()) {
      const last = index === frames.length - 1;
      const bytes = deflated ? (last ? clean.length : 0) : frameBytes[index] ?? 0;
      spooled = this.#store(frame, clean.subarray(at, at + bytes), deflated) ?? spooled;
      at += bytes;
    }
    return spooled;
  }

  #clean(payload: Uint8Array): Uint8Array {
    if (payload.length === 0) return payload;
    const redaction = this.#options.redactor.body(undefined);
    const pieces = [...redaction.push(payload), ...redaction.end()];
    if (!pieces.some((piece) => piece.secret)) return payload;
    return Buffer.concat(pieces.map((piece) => piece.stored));
  }

  #store(frame: PendingFrame, bytes: Uint8Array, deflated: boolean): Promise<void> | undefined {
    if (bytes.length <= inlineLimitBytes) {
      this.#heldBytes += bytes.length;
      frame.payload = framePayload(encodeBody(bytes), deflated);
      return undefined;
    }
    this.#spooling = this.#spooling.then(async () => {
      const spool = this.#options.spool();
      await spool.push(bytes);
      frame.payload = framePayload(spool.finish(), deflated);
    });
    return this.#spooling;
  }
}

const emptyText: BodyPart = { text: "" };

function framePayload(body: Body, deflated: boolean): FramePayload {
  if (!deflated) return body;
  return { ...(body === null || "parts" in body ? emptyText : body), deflated };
}

/** The frames up to where all is settled and no message is under way: a line that ended within one would end it. */
function wholeFrames(frames: readonly PendingFrame[]): PendingFrame[] {
  const midMessage = { client: false, server: false };
  let whole = 0;
  for (const [index, { from, opcode, goesOn, payload }] of frames.entries()) {
    if (payload === undefined) break;
    if (!isControl(opcode)) midMessage[from] = goesOn;
    if (!midMessage.client && !midMessage.server) whole = index + 1;
  }
  return frames.slice(0, whole);
}
