/**
 * One HTTP/2 connection (RFC 9113), without its socket: bytes go in, frames and events come out.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Header } from "../step/mod.ts";
import { FloodGuard } from "./_flood_guard.ts";
import { checkFrame } from "./_frame_rules.ts";
import { type AssembledBlock, HeaderAssembly } from "./_header_assembly.ts";
import { readPeerSettings } from "./_peer_settings.ts";
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

/** Of all streams together; given back as it comes, not as it is used, so that a stream that nobody reads stops no other. */
const connectionWindowBytes = 16 * 1024 * 1024;

/** What a client asks at once of a server that has not said yet how much it takes (RFC 9113 6.5.2 wants no less). */
const cautiousStreamLimit = 100;

/**
 * Says that nothing will be kept from one header block to the next (RFC 7541 6.3). A side that wants to keep less than
 * usual has to be told so at the start of a block, and nghttp2 takes nothing from whom it was not told.
 */
const keepsNothing = Buffer.from([0x20]);

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
  readonly #assembly = new HeaderAssembly(headerListLimitBytes);
  #headsTaken = 0;
  #awaits: "preface" | "settings" | "frames";
  #initialSendWindow = defaultWindowBytes;
  #receiveWindow = connectionWindowBytes;
  #peerStreamLimit = cautiousStreamLimit;
  #saidSize = false;
  #nowMs = 0;
  #nextId: number;
  #lastPeerId = 0;
  #draining = false;
  /** The other side has said goodbye. */
  #leaving = false;
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
    return !this.draining && this.#streams.size < this.#peerStreamLimit;
  }

  /** True when no further stream will ever be begun. */
  get draining(): boolean {
    return this.#draining || this.#nextId >= windowLimitBytes; // ids are as many as windows are large
  }

  /** The number of the head that has begun to come and is not whole: somebody who dawdles here is no client. */
  get midHead(): number | null {
    const begun = this.#assembly.begun || this.#reader.midHead || (this.#awaits !== "frames" && this.#reader.holds);
    return begun ? this.#headsTaken : null;
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
    this.#nowMs = nowMs;
    this.#reader.push(bytes);
    try {
      this.#readPreface();
      for (let frame = this.#next(); frame !== null; frame = this.#next()) this.#take(frame);
    } catch (error) {
      if (!(error instanceof Http2Error)) throw error;
      this.fail(error);
    }
  }

  /** Ends the connection because of what the other side did, and tells it. */
  fail(error: Http2Error): void {
    if (this.#over) return;
    const debug = Buffer.from(error.message.slice(0, 200), "latin1");
    this.#write(frameOf(frameType.goaway, 0, 0, Buffer.concat([words(this.#lastPeerId, error.code), debug])));
    this.#endAll(error);
  }

  /**
   * Breaks a stream off because of what the other side did on it, and tells its owner.
   *
   * @throws {Http2Error} when that happens too often; only to be called while the session receives.
   */
  refuse(stream: Http2Stream, code: number): void {
    this.#count("streams against the rules");
    stream.refuse(code);
  }

  /** Says that no new stream is taken; those that are open go on. */
  drain(): void {
    if (this.#draining) return;
    this.#draining = true;
    this.#write(frameOf(frameType.goaway, 0, 0, words(this.#lastPeerId, http2Code.noError)));
  }

  /** The socket is gone, and all streams with it. */
  lose(): void {
    this.#endAll(null);
  }

  writeHeaders(streamId: number, headers: readonly Header[], ended: boolean): void {
    const fields = encodeHeaders(headers);
    const block = this.#saidSize ? fields : Buffer.concat([keepsNothing, fields]);
    this.#saidSize = true;
    this.#guard.earn();
    let at = 0;
    do {
      const part = block.subarray(at, at + frameLimitBytes);
      const flags = (at + part.length === block.length ? frameFlag.endHeaders : 0) |
        (ended && at === 0 ? frameFlag.endStream : 0);
      this.#write(frameOf(at === 0 ? frameType.headers : frameType.continuation, flags, streamId, part));
      at += part.length;
    } while (at < block.length);
  }

  writeData(streamId: number, bytes: Uint8Array, ended: boolean): void {
    this.#guard.earn();
    this.sendWindow -= bytes.length;
    this.#write(frameHead(frameType.data, ended ? frameFlag.endStream : 0, streamId, bytes.length));
    this.#write(bytes);
  }

  writeReset(streamId: number, code: number): void {
    this.#write(frameOf(frameType.rstStream, 0, streamId, words(code)));
  }

  writeWindowUpdate(streamId: number, bytes: number): void {
    this.#write(frameOf(frameType.windowUpdate, 0, streamId, words(bytes)));
  }

  block(stream: Http2Stream): void {
    this.#blocked.add(stream);
  }

  forget(stream: Http2Stream): void {
    this.#streams.delete(stream.id);
    this.#blocked.delete(stream);
    if ((this.#draining || this.#leaving) && !this.#over && this.#streams.size === 0) this.#tellEnd(null);
    this.#options.onRoom?.();
  }

  #write(bytes: Uint8Array): void {
    if (!this.#over && bytes.length > 0) this.#options.write(bytes);
  }

  #begin(id: number, remoteEnded: boolean): Http2Stream {
    const stream = new Http2Stream(id, this, { sendWindow: this.#initialSendWindow, remoteEnded });
    this.#streams.set(id, stream);
    return stream;
  }

  #readPreface(): void {
    if (this.#awaits !== "preface") return;
    const preface = this.#reader.take(clientPreface);
    if (preface === "other") throw violated("no preface of HTTP/2");
    if (preface === "part") return;
    this.#awaits = "settings";
  }

  #next(): Frame | null {
    return this.#over || this.#awaits === "preface" ? null : this.#reader.next();
  }

  #take(frame: Frame): void {
    const { type, flags } = frame;
    checkFrame(frame);
    if (this.#awaits === "settings" && (type !== frameType.settings || (flags & frameFlag.ack) !== 0)) {
      throw violated("a frame before the settings");
    }
    const block = this.#assembly.take(frame);
    if (block !== null) return this.#takeBlock(block);
    switch (type) {
      case frameType.data:
        return this.#takeData(frame);
      case frameType.rstStream:
        return this.#takeReset(frame);
      case frameType.settings:
        return this.#takeSettings(frame);
      case frameType.ping:
        return this.#takePing(frame);
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
    const ended = (frame.flags & frameFlag.endStream) !== 0;
    if (bytes.length === 0 && !ended) this.#count("frames of nothing");
    this.#openOf(frame)?.takeData(bytes, frameBytes, ended);
  }

  #takeBlock({ frame, bytes }: AssembledBlock): void {
    this.#headsTaken++;
    const { headers, tooLarge } = this.#decoder.decode(bytes); // always: later blocks refer to this one
    const ended = (frame.flags & frameFlag.endStream) !== 0;
    const { streamId } = frame;
    const isNew = this.#options.role === "server" && streamId % 2 === 1 && streamId > this.#lastPeerId;
    if (!isNew) {
      const stream = this.#openOf(frame);
      if (stream === undefined) return;
      return tooLarge ? this.refuse(stream, http2Code.enhanceYourCalm) : stream.takeHeaders(headers, ended);
    }
    this.#lastPeerId = streamId;
    if (this.#draining) return;
    const stream = this.#begin(streamId, ended);
    if (this.#streams.size > this.#options.streamLimit) return this.refuse(stream, http2Code.refusedStream);
    this.#options.onStream(stream, headers, tooLarge);
  }

  #takeReset(frame: Frame): void {
    this.#count("resets");
    this.#known(frame)?.takeReset(frame.payload.readUInt32BE(0));
  }

  #takeSettings({ flags, payload }: Frame): void {
    if ((flags & frameFlag.ack) !== 0) return;
    this.#count("settings");
    const said = readPeerSettings(payload, this.#options.role === "server");
    const first = this.#awaits === "settings";
    this.#awaits = "frames";
    this.#peerStreamLimit = said.streamLimit ?? (first ? Infinity : this.#peerStreamLimit);
    this.#write(frameHead(frameType.settings, frameFlag.ack, 0, 0));
    const more = (said.windowBytes ?? this.#initialSendWindow) - this.#initialSendWindow;
    this.#initialSendWindow += more;
    for (const stream of more === 0 ? [] : [...this.#streams.values()]) stream.widen(more);
    this.#options.onRoom?.();
  }

  #takePing({ flags, payload }: Frame): void {
    if ((flags & frameFlag.ack) !== 0) return;
    this.#count("pings");
    this.#write(frameOf(frameType.ping, frameFlag.ack, 0, payload));
  }

  /** Streams of ours that the other side has not looked at are over; they may be asked for again elsewhere. */
  #takeGoaway({ payload }: Frame): void {
    const last = payload.readUInt32BE(0) & 0x7fff_ffff;
    const ours = this.#options.role === "client";
    this.#leaving = true;
    this.#draining ||= ours; // a client that leaves may still begin streams (RFC 9113 6.8)
    for (const stream of [...this.#streams.values()]) {
      if (ours && stream.id > last) stream.takeReset(http2Code.refusedStream);
    }
    if (this.#streams.size === 0) this.#tellEnd(null);
    this.#options.onRoom?.();
  }

  #takeWindowUpdate(frame: Frame): void {
    const bytes = frame.payload.readUInt32BE(0) & 0x7fff_ffff;
    if (frame.streamId !== 0) {
      const stream = this.#known(frame);
      return bytes > 0 || stream === undefined ? stream?.widen(bytes) : this.refuse(stream, http2Code.protocolError);
    }
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
    if (!begun) throw violated(`a frame of stream ${streamId}, which was never begun`);
    return undefined;
  }

  /** As {@link #known}; a stream whose other side has sent its last takes no more of it (RFC 9113 5.1). */
  #openOf(frame: Frame): Http2Stream | undefined {
    const stream = this.#known(frame);
    if (stream?.remoteEnded !== true) return stream;
    this.refuse(stream, http2Code.streamClosed);
    return undefined;
  }

  #count(what: string): void {
    if (this.#guard.allows(this.#nowMs)) return;
    throw new Http2Error(http2Code.enhanceYourCalm, `too many ${what}`);
  }

  #endAll(error: Http2Error | null): void {
    if (this.#over) return;
    this.#over = true;
    this.#draining = true;
    for (const stream of [...this.#streams.values()]) stream.takeReset(null, error);
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
