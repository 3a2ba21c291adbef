import { Buffer } from "node:buffer";
import { type Deflate, MessageReader, opcodes, type ReadFrame } from "../wire/mod.ts";
import { PingLog, type ScriptedFrame } from "./_socket_script.ts";

/** What a socket's frames are held against. */
export interface FrameMeterOptions {
  readonly expected: readonly ScriptedFrame[];
  /** Reads what a frame is to carry, for this purpose alone: what went out is not its own witness. */
  readonly payloadOf: (frame: ScriptedFrame) => Uint8Array;
  readonly deflate: Deflate | null;
}

/** Reads the frames that a client is given, and holds them against those that are stored. */
export class FrameMeter {
  readonly #options: FrameMeterOptions;
  readonly #reader: MessageReader;
  readonly #pings = new PingLog();
  #count = 0;
  #difference: string | null = null;

  constructor(options: FrameMeterOptions) {
    this.#options = options;
    this.#reader = new MessageReader({ from: "server", deflate: options.deflate });
  }

  /** What differs so far, as a noun phrase; `null` when nothing does. */
  get difference(): string | null {
    return this.#difference;
  }

  /** Notes a live ping: the pong that answers it is in no script. */
  notePing(payload: Uint8Array): void {
    this.#pings.add(latin1(payload));
  }

  /** Takes what goes to the client. */
  take(bytes: Uint8Array): void {
    for (const read of this.#reader.push(bytes)) this.#takeFrame(read);
    const { failure } = this.#reader;
    if (failure !== null) this.#note(`bytes that are no frames: ${failure}`);
  }

  /** Nothing more will go out, and the client was there to the end. */
  finish(): void {
    const { length } = this.#options.expected;
    if (this.#count < length) this.#note(`${this.#count} frames of the server, recorded ${length}`);
  }

  #takeFrame(read: ReadFrame): void {
    const { opcode, payload } = read.frame;
    if (opcode === opcodes.pong && this.#pings.takeAnswered(latin1(payload))) return;
    const expected = this.#options.expected[this.#count++];
    if (expected === undefined) return this.#note(`a frame of the server that was not recorded (opcode ${opcode})`);
    const same = opcode === expected.opcode && read.frame.fin === expected.fin && this.#carriesSame(read, expected);
    if (!same) this.#note(`frame ${this.#count} of the server`);
  }

  #carriesSame({ frame, message }: ReadFrame, expected: ScriptedFrame): boolean {
    const stored = this.#options.payloadOf(expected);
    if (!expected.deflated) return !frame.deflated && equal(stored, frame.payload);
    // Of a compressed message the last frame holds all that is stored; the frames before it are empty.
    if (message === null) return stored.length === 0 && frame.payload.length === 0;
    return message.deflated && equal(stored, message.payload);
  }

  #note(difference: string): void {
    this.#difference ??= difference;
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
