import type { Redactor } from "../redact/mod.ts";
import type { Body, BodyPart, Frame, FramePayload, Header } from "../step/mod.ts";
import { encodeBody, inlineLimitBytes } from "../step/mod.ts";
import type { BodySpool } from "../store/mod.ts";
import {
  isControl,
  MessageReader,
  negotiatedDeflate,
  opcodes,
  type ReadFrame,
  type WebSocketMessage,
} from "../wire/mod.ts";
import type { Side } from "./_relay_channels.ts";
import type { CopiedBody, CopiedOutput } from "./_response_copy.ts";
import { redactPayload } from "./_socket_payload.ts";

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
  payload: FramePayload | undefined;
  /** What it takes in memory until its line is written. */
  weight: number;
}

/** One direction of a socket. */
interface Direction {
  readonly reader: MessageReader;
  /** The data frames of the message that is under way. */
  message: PendingFrame[];
}

/** What a frame takes beside its payload: small ones are many. */
const frameWeight = 1024;

/** A payload is in memory as text, in its line, in the line's bytes, and as what is left of the line before. */
const payloadWeight = 4;

/** Takes a WebSocket's frames aside while they pass, and cleans them message by message. */
export class SocketCopy implements CopiedOutput {
  readonly #options: SocketCopyOptions;
  readonly #headers: readonly Header[];
  readonly #closed = new Set<Side>();
  /** `null` once the bytes could not be read any more. */
  #directions: Readonly<Record<Side, Direction>> | null;
  /** Of whole messages, in the order in which these became whole. */
  #frames: PendingFrame[] = [];
  #heldBytes = 0;
  #lastMs = -1;
  /** The payloads that are on their way to the disk. */
  #spooling: Promise<void> = Promise.resolve();
  #unreadable: string | null = null;

  constructor(options: SocketCopyOptions) {
    this.#options = options;
    this.#headers = options.redactor.headers(options.headers);
    const deflate = negotiatedDeflate(options.headers);
    const direction = (from: Side) => ({ reader: new MessageReader({ from, deflate }), message: [] });
    this.#directions = { client: direction("client"), server: direction("server") };
  }

  /** True once both sides have sent their close: the handshake is through. */
  get closed(): boolean {
    return this.#closed.size === 2;
  }

  /** Why the bytes could not be read any more; `null` while they can. */
  get unreadable(): string | null {
    return this.#unreadable;
  }

  /** How much memory is taken by what waits for the next line, that line included. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /**
   * Takes bytes, after the other side was given them.
   *
   * @returns The disk's back-pressure.
   */
  push(from: Side, bytes: Uint8Array, atMs: number): Promise<void> | undefined {
    const direction = this.#directions?.[from];
    if (direction === undefined) return undefined;
    let spooled: Promise<void> | undefined;
    for (const read of direction.reader.push(bytes)) spooled = this.#take(from, read, atMs) ?? spooled;
    const { failure } = direction.reader;
    if (failure !== null) {
      this.#unreadable = `the ${from} sent ${failure}`;
      this.#directions = null; // with all that was held of messages which will never be whole
      this.#options.onUnreadable(this.#unreadable);
    }
    return spooled;
  }

  /** A message that is under way waits for its end; all else goes, the other side's messages first of all. */
  cut(): CopiedBody {
    const unsettled = this.#frames.findIndex(({ payload }) => payload === undefined);
    // What became whole behind it stays as well: a kill must not take a message from the middle.
    const settled = this.#frames.splice(0, unsettled === -1 ? this.#frames.length : unsettled);
    for (const { weight } of settled) this.#heldBytes -= weight;
    return this.#part(settled);
  }

  /** What belongs to no whole message is left out: nobody was given it as a message either. */
  async finish(): Promise<CopiedBody> {
    await this.#spooling;
    return this.cut();
  }

  /** In the order of their passing, not in that of their messages' ends. */
  #part(settled: readonly PendingFrame[]): CopiedBody {
    const frames = settled
      .toSorted((a, b) => a.atMs - b.atMs)
      .map(({ atMs, from, opcode, payload = null }): Frame => [atMs, from, opcode, payload]);
    return { headers: this.#headers, body: null, decoded: false, chunks: [], frames };
  }

  #take(from: Side, { frame, message }: ReadFrame, atMs: number): Promise<void> | undefined {
    const { opcode, payload } = frame;
    const pending = { atMs: this.#timeOf(atMs), from, opcode, payload: undefined, weight: frameWeight };
    if (isControl(opcode)) {
      if (opcode === opcodes.close) this.#closed.add(from);
      return this.#keep(pending, redactPayload(payload, opcode, this.#options.redactor), false);
    }
    const direction = this.#directions?.[from];
    direction?.message.push(pending);
    return direction === undefined || message === null ? undefined : this.#settle(direction, message);
  }

  /** Each frame has a time of its own: it tells where the frame belongs, whichever line it stands in. */
  #timeOf(atMs: number): number {
    this.#lastMs = atMs > this.#lastMs ? atMs : Math.round((this.#lastMs + 0.001) * 1000) / 1000;
    return this.#lastMs;
  }

  /** Redacted as one text, however it was cut; lengths stay, so it can be cut again where it was. */
  #settle(
    direction: Direction,
    { opcode, deflated, frameBytes, payload }: WebSocketMessage,
  ): Promise<void> | undefined {
    const clean = redactPayload(payload, opcode, this.#options.redactor);
    const frames = direction.message;
    direction.message = [];
    let at = 0;
    let spooled: Promise<void> | undefined;
    for (const [index, frame] of frames.entries()) {
      const last = index === frames.length - 1;
      const bytes = deflated ? (last ? clean.length : 0) : frameBytes[index] ?? 0;
      spooled = this.#keep(frame, clean.subarray(at, at + bytes), deflated) ?? spooled;
      at += bytes;
    }
    return spooled;
  }

  #keep(frame: PendingFrame, bytes: Uint8Array, deflated: boolean): Promise<void> | undefined {
    this.#frames.push(frame);
    const inline = bytes.length <= inlineLimitBytes;
    if (inline) frame.weight += bytes.length * payloadWeight;
    this.#heldBytes += frame.weight;
    if (inline) {
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
