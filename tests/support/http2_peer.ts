/**
 * One session of ours and the other side of it written by hand.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Header } from "../../lib/step/mod.ts";
import { type Http2Error, Http2Session, type Http2Stream } from "../../lib/wire/mod.ts";
import { kind, preface, type RawFrame, settings } from "./raw_http2.ts";

/** A session, what it was told and what it said. */
export class Http2Peer {
  readonly session: Http2Session;
  /** What happened, one line each; a body is one line, however it was cut. */
  readonly events: string[] = [];
  readonly streams = new Map<number, Http2Stream>();
  #said: Uint8Array[] = [];
  #nowMs = 0;

  constructor(role: "client" | "server", { streamWindowBytes = 65_535, streamLimit = 10 } = {}) {
    this.session = new Http2Session({
      role,
      streamLimit,
      streamWindowBytes,
      write: (bytes) => void this.#said.push(bytes),
      onStream: (stream, headers, tooLarge) => {
        this.events.push(`${stream.id} begins${tooLarge ? " too large" : ""}: ${lineOf(headers)}`);
        this.listen(stream);
      },
      onEnd: (error: Http2Error | null) => void this.events.push(`end: ${error?.code ?? null}`),
    });
    if (role === "client") this.#said.shift(); // the preface
  }

  /** A session that has been told how a connection begins, and has said what it says first. */
  static begun(role: "client" | "server", options?: { streamWindowBytes?: number; streamLimit?: number }): Http2Peer {
    const peer = new Http2Peer(role, options);
    peer.send(...(role === "server" ? [preface] : []), settings());
    peer.frames();
    return peer;
  }

  /** Notes what a stream is told, and uses up its data at once. */
  listen(stream: Http2Stream): void {
    this.streams.set(stream.id, stream);
    stream.listen({
      headers: (headers, ended) =>
        void this.events.push(`${stream.id} headers${ended ? " last" : ""}: ${lineOf(headers)}`),
      data: (bytes) => {
        this.#note(`${stream.id} data: `, Buffer.from(bytes).toString("latin1"));
        stream.consumed(bytes.length);
      },
      end: () => void this.events.push(`${stream.id} end`),
      reset: (code) => void this.events.push(`${stream.id} reset ${code}`),
    });
  }

  /** Opens a stream and begins its request. */
  open(ended = true): Http2Stream {
    const stream = this.session.open();
    this.listen(stream);
    stream.sendHeaders([[":method", "GET"]], ended);
    return stream;
  }

  /** Hands the session bytes, all in one read. */
  send(...bytes: readonly Uint8Array[]): void {
    this.session.receive(Buffer.concat(bytes), this.#nowMs);
  }

  /** Lets time pass. */
  later(ms: number): void {
    this.#nowMs += ms;
  }

  /** Takes the frames that the session has said. */
  frames(): RawFrame[] {
    const frames: RawFrame[] = [];
    for (let rest = Buffer.concat(this.#said.splice(0)); rest.length > 0;) {
      const payload = rest.subarray(9, 9 + rest.readUIntBE(0, 3));
      frames.push({ kind: rest[3] ?? 0, flags: rest[4] ?? 0, streamId: rest.readUInt32BE(5), payload });
      rest = rest.subarray(9 + payload.length);
    }
    return frames;
  }

  /** What the session says of errors, taken from its frames: `GOAWAY 1`, `RST_STREAM 3: 8`. */
  complaints(): string[] {
    return this.frames().flatMap((frame) => {
      if (frame.kind === kind.goaway) return [`GOAWAY ${frame.payload.readUInt32BE(4)}`];
      return frame.kind === kind.reset ? [`RST_STREAM ${frame.streamId}: ${frame.payload.readUInt32BE(0)}`] : [];
    });
  }

  #note(start: string, text: string): void {
    const last = this.events.at(-1);
    if (last?.startsWith(start) === true) this.events[this.events.length - 1] = last + text;
    else this.events.push(start + text);
  }
}

function lineOf(headers: readonly Header[]): string {
  return headers.map(([name, value]) => `${name}=${value}`).join(" ");
}
