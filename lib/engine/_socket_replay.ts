import { Buffer } from "node:buffer";
import { type ComparedMessage, explainMessage, type MissExplanation } from "../diff/mod.ts";
import type { FramePayload, RecordedRequest, StreamEnd } from "../step/mod.ts";
import {
  closePayload,
  type Deflate,
  deflateMessage,
  encodeFrame,
  MessageReader,
  opcodes,
  type ReadFrame,
  type WebSocketFrame,
  type WebSocketMessage,
} from "../wire/mod.ts";
import { FrameMeter } from "./_frame_meter.ts";
import { type CopiedRequest, type CopyContext, RequestCopy } from "./_request_copy.ts";
import { RpcIds } from "./_rpc_ids.ts";
import type { ScriptedArrival, ScriptedFrame, SocketScript } from "./_socket_script.ts";
import type { Channel } from "./exchange.ts";

/** What a script is played with. */
export interface SocketReplayOptions {
  readonly seq: number;
  readonly script: SocketScript;
  readonly channel: Channel;
  readonly deflate: Deflate | null;
  /** How the recorded socket ended. */
  readonly end: StreamEnd;
  readonly latencyMs: number;
  /** The recorded handshake. */
  readonly request: RecordedRequest;
  readonly context: CopyContext;
  readonly read: (payload: FramePayload) => Uint8Array;
  /** Waits for a moment of the recording; `undefined` where there is nothing to wait for. */
  readonly pauseUntil: (atMs: number, signal: AbortSignal) => Promise<void> | undefined;
  readonly onMiss: (miss: MissExplanation) => void;
}

/** RFC 6455, 7.4.1. */
const closeCodes = { protocolError: 1002, unexpected: 1011 } as const;

/** Plays a recorded WebSocket to a live client. */
export class SocketReplay {
  readonly #options: SocketReplayOptions;
  readonly #reader: MessageReader;
  readonly #meter: FrameMeter;
  readonly #ids = new RpcIds();
  /** Aborted once no more of the script goes out. */
  readonly #over = new AbortController();
  #arrived = 0;
  #wake = () => {};

  constructor(options: SocketReplayOptions) {
    const { script, deflate } = options;
    this.#options = options;
    this.#reader = new MessageReader({ from: "client", deflate });
    this.#meter = new FrameMeter({
      expected: script.server,
      payloadOf: (frame) => this.#payloadOf(frame),
      deflate,
    });
  }

  /** What differs so far between what was stored and what went out; `null` when nothing does. */
  get difference(): string | null {
    return this.#meter.difference;
  }

  /** Plays to the end: the script's, or the client's. */
  async run(): Promise<void> {
    try {
      await Promise.all([this.#send(), this.#receive()]);
    } finally {
      this.#stop();
      this.#options.channel.abort();
    }
  }

  async #send(): Promise<void> {
    const { script, latencyMs } = this.#options;
    for (const frame of script.server) {
      if (!await this.#isDue(frame.after, frame.atMs)) return;
      const wrote = this.#write(this.#onWire(frame));
      if (wrote !== undefined) await wrote;
    }
    if (await this.#isDue(script.client.length, latencyMs)) this.#endScript();
  }

  /** Waits until so much has come, and until its time; gives false when nothing more is to go out. */
  async #isDue(after: number, atMs: number): Promise<boolean> {
    const { signal } = this.#over;
    while (this.#arrived < after && !signal.aborted) await new Promise<void>((resolve) => this.#wake = resolve);
    const pause = signal.aborted ? undefined : this.#options.pauseUntil(atMs, signal);
    if (pause !== undefined) await pause;
    return !signal.aborted;
  }

  /** A client that had hung up while recording, or outlived it, saw no end: none comes now. */
  #endScript(): void {
    const { end, channel } = this.#options;
    this.#meter.finish();
    if (end === "client_closed" || end === "interrupted") return;
    this.#stop();
    if (end === "complete") channel.end();
    else channel.abort();
  }

  async #receive(): Promise<void> {
    const pieces = this.#options.channel.incoming[Symbol.asyncIterator]();
    while (true) {
      const next = await pieces.next().catch(() => null); // however it broke: the client is gone
      if (next === null || next.done === true) return this.#leave();
      for (const read of this.#reader.push(next.value)) {
        if (!this.#over.signal.aborted) await this.#take(read);
      }
      if (this.#reader.failure !== null) this.#closeWith(closeCodes.protocolError, this.#reader.failure);
    }
  }

  async #take({ frame: { opcode, payload }, message }: ReadFrame): Promise<void> {
    if (opcode === opcodes.ping) {
      this.#meter.notePing(payload);
      this.#write({ fin: true, deflated: false, opcode: opcodes.pong, payload });
    } else if (opcode === opcodes.close) this.#takeClose(payload);
    else if (message !== null) await this.#takeMessage(message);
  }

  /** A close that the script waits for is answered by the script, one that comes before its time by us. */
  #takeClose(payload: Uint8Array): void {
    const { script, channel } = this.#options;
    if (script.client[this.#arrived]?.kind === "close") return this.#arrive();
    this.#stop();
    channel.write(encodeFrame({ fin: true, deflated: false, opcode: opcodes.close, payload: payload.subarray(0, 2) }));
    channel.end();
  }

  async #takeMessage(message: WebSocketMessage): Promise<void> {
    const expected = this.#options.script.client[this.#arrived];
    const asked = await this.#copy(message.payload);
    const recorded = expected?.kind === "message" ? await this.#copyRecorded(expected) : null;
    if (recorded?.key === asked.key && recorded.kind === kindOf(message.opcode)) {
      this.#ids.learn(recorded.text, asked.text);
      return this.#arrive();
    }
    const { seq, onMiss } = this.#options;
    const number = this.#arrived + 1;
    onMiss(explainMessage({ ...asked, kind: kindOf(message.opcode) }, recorded, { key: asked.key, seq, number }));
    this.#closeWith(closeCodes.unexpected, `agrepl: message ${number} is not the recorded one`);
  }

  async #copyRecorded(
    { opcode, payloads }: Extract<ScriptedArrival, { kind: "message" }>,
  ): Promise<CopiedRequest & ComparedMessage> {
    const { read } = this.#options;
    return { ...await this.#copy(Buffer.concat(payloads.map(read))), kind: kindOf(opcode) };
  }

  /** A message as the body of a request: redacted, decoded and keyed as any body is. */
  async #copy(payload: Uint8Array): Promise<CopiedRequest> {
    const { request, context } = this.#options;
    const { method, url } = request;
    const copy = new RequestCopy({ method, url, httpVersion: "1.1", headers: [] }, context, null);
    await copy.push(payload);
    return await copy.finish();
  }

  #arrive(): void {
    this.#arrived++;
    this.#wake();
  }

  /** The client is gone: up to here the script was played. */
  #leave(): void {
    this.#stop();
    this.#options.channel.end();
  }

  #stop(): void {
    this.#over.abort();
    this.#wake();
  }

  #closeWith(code: number, reason: string): void {
    if (this.#over.signal.aborted) return;
    this.#stop();
    this.#write({ fin: true, deflated: false, opcode: opcodes.close, payload: closePayload(code, reason) });
    this.#options.channel.end();
  }

  #write(frame: WebSocketFrame): Promise<void> | undefined {
    const bytes = encodeFrame(frame);
    this.#meter.take(bytes);
    return this.#options.channel.write(bytes);
  }

  /** The stored payload, with the ids that the live client uses. */
  #payloadOf({ payload, opcode, fin }: ScriptedFrame): Uint8Array {
    const stored = this.#options.read(payload);
    return opcode === opcodes.text && fin ? this.#ids.toLive(stored) : stored;
  }

  /** As it goes out; only the first frame of a message tells that it is compressed (RFC 7692, 6.1). */
  #onWire(frame: ScriptedFrame): WebSocketFrame {
    const { fin, opcode, deflated } = frame;
    const stored = this.#payloadOf(frame);
    const bits = this.#options.deflate?.serverWindowBits ?? 15;
    const payload = deflated && fin ? deflateMessage(stored, bits) : stored;
    return { fin, opcode, deflated: deflated && opcode !== opcodes.continuation, payload };
  }
}

function kindOf(opcode: number): "text" | "binary" {
  return opcode === opcodes.binary ? "binary" : "text";
}
