/**
 * One HTTP/2 connection (RFC 9113), without its socket: bytes go in, frames and events come out.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Header } from "../step/mod.ts";
import { FloodGuard } from "./_flood_guard.ts";
import { HpackDecoder } from "./hpack_decoder.ts";
import { encodeHeaders } from "./hpack_encoder.ts";
import {
  clientPreface,
  type Frame,
  frameFlag,
  frameHead,
  frameLimitBytes,
  frameOf,
  FrameReader,
  frameType,
  http2Code,
  Http2Error,
  readSettings,
  settingId,
  settingsFrame,
  withoutPadding,
  words,
} from "./http2_frames.ts";
import { Http2Stream, type StreamHost, windowLimitBytes } from "./http2_stream.ts";

/** What all header fields of one message may cost together; browsers allow about as much. */
export const headerListLimitBytes: number = 256 * 1024;

/** What both sides take before they have said otherwise (RFC 9113 6.9.2). */
const defaultWindowBytes = 65_535;

/**
 * What is taken of all streams together. It is given back as it comes, not as it is used, so that a stream that nobody
 * reads stops no other.
 */
const connectionWindowBytes = 16 * 1024 * 1024;

/** A header block in more frames than this is there to keep us busy. */
const continuationLimit = 128;

/** A connection, and who is told what happens on it. */
export interface Http2SessionOptions {
  readonly role: "client" | "server";
  /** Takes bytes for the other side; what comes in one turn may go out together. */
  readonly write: (bytes: Uint8Array) => void;
  /** Takes a stream that the other side has begun, and listens to it. Only a server's. */
  readonly onStream: (stream: Http2Stream, headers: readonly Header[], tooLarge: boolean) => void;
  /** Called once, when nothing more is to be done on the connection: with an error when the other side broke the rules. */
  readonly onEnd: (error: Http2Error | null) => void;
  /** There may be room for another stream, or there will never be any. */
  readonly onRoom?: () => void;
  /** Streams that the other side may have open at once. */
  readonly streamLimit: number;
  /** How much of one stream is taken before it is used, in bytes. */
  readonly streamWindowBytes: number;
}

/** A connection's state, for both roles. */
export class Http2Session implements StreamHost {
  sendWindow: number = defaultWindowBytes;
  readonly receiveWindowBytes: number;
  readonly #options: Http2SessionOptions;
  readonly #reader = new FrameReader();
  readonly #decoder = new HpackDecoder(headerListLimitBytes);
  readonly #guard = new FloodGuard();
  readonly #streams = new Map<number, Http2Stream>();
  readonly #blocked = new Set<Http2Stream>();
  #block: { readonly frame: Frame; readonly parts: Buffer[]; bytes: number } | null = null;
  #awaits: "preface" | "settings" | "frames";
  #initialSendWindow = defaultWindowBytes;
  #receiveWindow = connectionWindowBytes;
  #peerStreamLimit = Infinity;
  #nextId: number;
  #lastPeerId = 0;
  #draining = false;
  #over = false;
  #told = false;

  constructor(options: Http2SessionOptions) {
    this.#options = options;
    this.receiveWindowBytes = options.streamWindowBytes;
    const server = options.role === "server";
    this.#awaits = server ? "preface" : "settings";
    this.#nextId = server ? 2 : 1;
    if (!server) options.write(clientPreface);
    options.write(settingsFrame([
      server ? [settingId.maxConcurrentStreams, options.streamLimit] : [settingId.enablePush, 0],
      [settingId.initialWindowSize, options.streamWindowBytes],
      [settingId.maxHeaderListSize, headerListLimitBytes],
    ]));
    this.writeWindowUpdate(0, connectionWindowBytes - defaultWindowBytes);
  }

  /** How many streams are open. */
  get openStreams(): number {
    return this.#streams.size;
  }

  /** True while another stream may be begun. */
  get hasRoom(): boolean {
    return !this.#draining && this.#nextId < windowLimitBytes && this.#streams.size < this.#peerStreamLimit;
  }

  /** True when no further stream will ever be begun. */
  get draining(): boolean {
    return this.#draining;
  }

  /** True in the midst of a header block: somebody who dawdles here is no client. */
  get midHead(): boolean {
    return this.#block !== null;
  }

  /** Begins a stream; its request goes out by {@link Http2Stream.sendHeaders}. Only a client's, while there is room. */
  open(): Http2Stream {
    const stream = this.#begin(this.#nextId, false);
    this.#nextId += 2;
    return stream;
  }

  /**
   * Takes bytes as they were read; they must not change afterwards.
   *
   * @param nowMs Monotonic milliseconds.
   */
  receive(bytes: Uint8Array, nowMs: number): void {
    if (this.#over) return;
    this.#reader.push(bytes);
    try {
      this.#readPreface();
      for (let frame = this.#next(); frame !== null; frame = this.#next()) this.#take(frame, nowMs);
    } catch (error) {
      if (!(error instanceof Http2Error)) throw error;
      this.fail(error);
    }
  }

  /** Ends the connection because of what the other side did, and tells it. */
  fail(error: Http2Error): void {
    if (this.#over) return;
    const debug = Buffer.from(error.message.slice(0, 200), "latin1");
    this.write(frameOf(frameType.goaway, 0, 0, Buffer.concat([words(this.#lastPeerId, error.code), debug])));
    this.#endAll(error);
  }

  /** Says that no new stream is taken; those that are open go on. */
  drain(): void {
    if (this.#draining) return;
    this.#draining = true;
    this.write(frameOf(frameType.goaway, 0, 0, words(this.#lastPeerId, http2Code.noError)));
  }

  /** The socket is gone, and all streams with it. */
  lose(): void {
    this.#endAll(null);
  }

  write(bytes: Uint8Array): void {
    if (!this.#over && bytes.length > 0) this.#options.write(bytes);
  }

  writeHeaders(streamId: number, headers: readonly Header[], ended: boolean): void {
    const block = encodeHeaders(headers);
    let at = 0;
    do {
      const part = block.subarray(at, at + frameLimitBytes);
      const flags = (at + part.length === block.length ? frameFlag.endHeaders : 0) |
        (ended && at === 0 ? frameFlag.endStream : 0);
      this.write(frameOf(at === 0 ? frameType.headers : frameType.continuation, flags, streamId, part));
      at += part.length;
    } while (at < block.length);
  }

  writeReset(streamId: number, code: number): void {
    this.write(frameOf(frameType.rstStream, 0, streamId, words(code)));
  }

  writeWindowUpdate(streamId: number, bytes: number): void {
    this.write(frameOf(frameType.windowUpdate, 0, streamId, words(bytes)));
  }

  block(stream: Http2Stream): void {
    this.#blocked.add(stream);
  }

  forget(stream: Http2Stream): void {
    this.#streams.delete(stream.id);
    this.#blocked.delete(stream);
    if (this.#draining && this.#streams.size === 0) this.#tellEnd(null);
    this.#options.onRoom?.();
  }

  #begin(id: number, remoteEnded: boolean): Http2Stream {
    const stream = new Http2Stream(id, this, { sendWindow: this.#initialSendWindow, remoteEnded });
    this.#streams.set(id, stream);
    return stream;
  }

  #readPreface(): void {
    if (this.#awaits !== "preface") return;
    const preface = this.#reader.take(clientPreface.length);
    if (preface === null) return;
    if (!preface.equals(clientPreface)) throw violated("no preface of HTTP/2");
    this.#awaits = "settings";
  }

  #next(): Frame | null {
    return this.#over || this.#awaits === "preface" ? null : this.#reader.next();
  }

  #take(frame: Frame, nowMs: number): void {
    const { type, streamId } = frame;
    if (this.#awaits === "settings" && type !== frameType.settings) throw violated("a frame before the settings");
    if (this.#block !== null && (type !== frameType.continuation || streamId !== this.#block.frame.streamId)) {
      throw violated("a frame in the middle of a header block");
    }
    switch (type) {
      case frameType.data:
        return this.#takeData(frame);
      case frameType.headers:
        return this.#takeHeaders(frame);
      case frameType.continuation:
        return this.#takeContinuation(frame);
      case frameType.rstStream:
        return this.#takeReset(frame, nowMs);
      case frameType.settings:
        return this.#takeSettings(frame, nowMs);
      case frameType.ping:
        return this.#takePing(frame, nowMs);
      case frameType.goaway:
        return this.#takeGoaway(frame);
      case frameType.windowUpdate:
        return this.#takeWindowUpdate(frame);
      case frameType.pushPromise:
        throw violated("a push that nobody allowed");
        // Priorities say nothing here, and what is unknown is to be passed over (RFC 9113 4.1).
    }
  }

  #takeData(frame: Frame): void {
    const bytes = withoutPadding(frame);
    const frameBytes = frame.payload.length;
    this.#receiveWindow -= frameBytes;
    if (this.#receiveWindow < 0) throw new Http2Error(http2Code.flowControlError, "more data than the window allows");
    if (this.#receiveWindow < connectionWindowBytes / 2) {
      this.writeWindowUpdate(0, connectionWindowBytes - this.#receiveWindow);
      this.#receiveWindow = connectionWindowBytes;
    }
    this.#known(frame)?.takeData(bytes, frameBytes, (frame.flags & frameFlag.endStream) !== 0);
  }

  #takeHeaders(frame: Frame): void {
    if (frame.streamId === 0) throw violated("headers of no stream");
    const payload = withoutPadding(frame);
    const fragment = (frame.flags & frameFlag.priority) === 0 ? payload : payload.subarray(5);
    this.#block = { frame, parts: [], bytes: 0 };
    this.#takeFragment(fragment, frame.flags);
  }

  #takeContinuation({ payload, flags }: Frame): void {
    if (this.#block === null) throw violated("a continuation of nothing");
    this.#takeFragment(payload, flags);
  }

  #takeFragment(fragment: Buffer, flags: number): void {
    const block = this.#block;
    if (block === null) return;
    block.parts.push(fragment);
    block.bytes += fragment.length;
    if (block.bytes > headerListLimitBytes || block.parts.length > continuationLimit) {
      throw new Http2Error(http2Code.enhanceYourCalm, `a header block of more than ${headerListLimitBytes} bytes`);
    }
    if ((flags & frameFlag.endHeaders) === 0) return;
    this.#block = null;
    this.#takeBlock(block.frame, block.parts.length === 1 ? fragment : Buffer.concat(block.parts));
  }

  #takeBlock(frame: Frame, bytes: Buffer): void {
    const { headers, tooLarge } = this.#decoder.decode(bytes); // always: later blocks refer to this one
    const ended = (frame.flags & frameFlag.endStream) !== 0;
    const { streamId } = frame;
    const isNew = this.#options.role === "server" && streamId % 2 === 1 && streamId > this.#lastPeerId;
    if (!isNew) {
      const stream = this.#known(frame);
      return tooLarge ? this.#breakOff(stream, http2Code.enhanceYourCalm) : stream?.takeHeaders(headers, ended);
    }
    this.#lastPeerId = streamId;
    if (this.#draining) return;
    if (this.#streams.size >= this.#options.streamLimit) return this.writeReset(streamId, http2Code.refusedStream);
    this.#options.onStream(this.#begin(streamId, ended), headers, tooLarge);
  }

  /** Ends one stream because of what the other side did, and tells its owner. */
  #breakOff(stream: Http2Stream | undefined, code: number): void {
    if (stream === undefined) return;
    this.writeReset(stream.id, code);
    stream.takeReset(code);
  }

  #takeReset(frame: Frame, nowMs: number): void {
    if (frame.payload.length !== 4) throw wrongSize("RST_STREAM");
    this.#count(nowMs, "resets");
    this.#known(frame)?.takeReset(frame.payload.readUInt32BE(0));
  }

  #takeSettings({ streamId, flags, payload }: Frame, nowMs: number): void {
    this.#awaits = "frames";
    if (streamId !== 0) throw violated("settings of a stream");
    if ((flags & frameFlag.ack) !== 0) return;
    if (payload.length % 6 !== 0) throw wrongSize("SETTINGS");
    this.#count(nowMs, "settings");
    for (const [id, value] of readSettings(payload)) this.#set(id, value);
    this.write(frameHead(frameType.settings, frameFlag.ack, 0, 0));
    this.#options.onRoom?.();
  }

  #set(id: number, value: number): void {
    if (id === settingId.maxConcurrentStreams) this.#peerStreamLimit = value;
    else if (id === settingId.maxFrameSize) {
      // No use is made of more: what everybody must take is large enough.
      if (value < frameLimitBytes || value > 0xff_ffff) throw violated("a frame size out of bounds");
    } else if (id === settingId.initialWindowSize) {
      if (value > windowLimitBytes) throw new Http2Error(http2Code.flowControlError, "a window out of bounds");
      const more = value - this.#initialSendWindow;
      this.#initialSendWindow = value;
      for (const stream of [...this.#streams.values()]) stream.widen(more);
    }
  }

  #takePing({ flags, payload }: Frame, nowMs: number): void {
    if (payload.length !== 8) throw wrongSize("PING");
    if ((flags & frameFlag.ack) !== 0) return;
    this.#count(nowMs, "pings");
    this.write(frameOf(frameType.ping, frameFlag.ack, 0, payload));
  }

  /** Streams of ours that the other side has not looked at are over; they may be asked for again elsewhere. */
  #takeGoaway({ payload }: Frame): void {
    if (payload.length < 8) throw wrongSize("GOAWAY");
    const last = payload.readUInt32BE(0) & 0x7fff_ffff;
    this.#draining = true;
    const ours = this.#options.role === "client";
    for (const stream of [...this.#streams.values()]) {
      if (ours && stream.id > last) stream.takeReset(http2Code.refusedStream);
    }
    if (this.#streams.size === 0) this.#tellEnd(null);
    this.#options.onRoom?.();
  }

  #takeWindowUpdate(frame: Frame): void {
    const { streamId, payload } = frame;
    if (payload.length !== 4) throw wrongSize("WINDOW_UPDATE");
    const bytes = payload.readUInt32BE(0) & 0x7fff_ffff;
    const stream = streamId === 0 ? undefined : this.#known(frame);
    if (streamId !== 0) return bytes === 0 ? this.#breakOff(stream, http2Code.protocolError) : stream?.widen(bytes);
    if (bytes === 0) throw violated("a window update of nothing");
    this.sendWindow += bytes;
    if (this.sendWindow > windowLimitBytes) throw new Http2Error(http2Code.flowControlError, "a window out of bounds");
    const waiting = [...this.#blocked];
    this.#blocked.clear();
    for (const each of waiting) each.flush();
  }

  /** The stream of a frame; `undefined` when it is over, which the other side may not know yet. */
  #known({ streamId }: Frame): Http2Stream | undefined {
    const stream = this.#streams.get(streamId);
    if (stream !== undefined) return stream;
    const begun = streamId % 2 === this.#nextId % 2 ? streamId < this.#nextId : streamId <= this.#lastPeerId;
    if (streamId === 0 || !begun) throw violated(`a frame of stream ${streamId}, which was never begun`);
    return undefined;
  }

  #count(nowMs: number, what: string): void {
    if (this.#guard.allows(nowMs)) return;
    throw new Http2Error(http2Code.enhanceYourCalm, `too many ${what}`);
  }

  #endAll(error: Http2Error | null): void {
    if (this.#over) return;
    this.#over = true;
    this.#draining = true;
    for (const stream of [...this.#streams.values()]) stream.takeReset(null);
    this.#tellEnd(error);
    this.#options.onRoom?.();
  }

  #tellEnd(error: Http2Error | null): void {
    if (this.#told) return;
    this.#told = true;
    this.#options.onEnd(error);
  }
}

function violated(what: string): Http2Error {
  return new Http2Error(http2Code.protocolError, what);
}

function wrongSize(frame: string): Http2Error {
  return new Http2Error(http2Code.frameSizeError, `a ${frame} frame of the wrong size`);
}
