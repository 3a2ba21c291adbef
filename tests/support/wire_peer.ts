/**
 * One end of a WebSocket of which every frame is seen, as a server or as a client behind a proxy.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import {
  acceptOf,
  closePayload,
  type Deflate,
  encodeFrame,
  MessageReader,
  negotiatedDeflate,
  opcodes,
  type ReadFrame,
  type WebSocketFrame,
} from "../../lib/wire/mod.ts";
import { RawSocket } from "./raw_socket.ts";
import { type RawUpstream, type Script, startUpstream } from "./raw_upstream.ts";

/** The key of RFC 6455, 1.3. */
export const sampleKey = "dGhlIHNhbXBsZSBub25jZQ==";

const mask = Uint8Array.of(0x37, 0xfa, 0x21, 0x3d);

/** Sends frames and takes them. */
export class WirePeer implements AsyncDisposable {
  readonly raw: RawSocket;
  /** The head that the other side sent. */
  readonly head: string;
  readonly #from: "client" | "server";
  readonly #reader: MessageReader;
  readonly #read: ReadFrame[] = [];

  constructor(raw: RawSocket, from: "client" | "server", head: string, deflate: Deflate | null = null) {
    this.raw = raw;
    this.head = head;
    this.#from = from;
    this.#reader = new MessageReader({ from: from === "client" ? "server" : "client", deflate });
  }

  /** Sends one frame. */
  frame(opcode: number, payload: string | Uint8Array = "", changes: Partial<WebSocketFrame> = {}): void {
    const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
    const frame = { fin: true, deflated: false, opcode, payload: bytes, ...changes };
    this.raw.send(encodeFrame(frame, this.#from === "client" ? mask : undefined));
  }

  /** Sends a text message. */
  text(text: string): void {
    this.frame(opcodes.text, text);
  }

  /** Sends a close. */
  close(code = 1000, reason = ""): void {
    this.frame(opcodes.close, closePayload(code, reason));
  }

  /** Takes the next frame; `null` when the other side has ended instead. */
  async next(): Promise<ReadFrame | null> {
    while (this.#read.length === 0) {
      if (this.raw.received.length === 0 && this.raw.ended) return null;
      const bytes = await this.raw.take((received) => received.length > 0 ? received.length : null).catch(() => null);
      if (bytes === null) return null;
      this.#read.push(...this.#reader.push(bytes));
      if (this.#reader.failure !== null) throw new TypeError(`Cannot read a frame: ${this.#reader.failure}`);
    }
    return this.#read.shift() ?? null;
  }

  /** Takes the next frame as one reads it: `text hello`, `close 1000 bye`, `end`. */
  async saw(): Promise<string> {
    const read = await this.next();
    return read === null ? "end" : shownFrame(read.frame, read.message?.payload);
  }

  /** Takes frames until so many have come. */
  async sees(count: number): Promise<string[]> {
    const seen: string[] = [];
    while (seen.length < count) seen.push(await this.saw());
    return seen;
  }

  /** Takes frames up to the end of the connection. */
  async rest(): Promise<string[]> {
    const seen: string[] = [];
    do seen.push(await this.saw()); while (seen.at(-1) !== "end");
    return seen;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.raw[Symbol.asyncDispose]();
  }
}

const names: Readonly<Record<number, string>> = {
  0: "more",
  1: "text",
  2: "binary",
  8: "close",
  9: "ping",
  10: "pong",
};

function shownFrame({ opcode, fin, payload }: WebSocketFrame, message: Uint8Array = payload): string {
  const bytes = Buffer.from(message);
  const name = `${names[opcode] ?? opcode}${fin ? "" : "…"}`;
  if (opcode === opcodes.close && bytes.length > 1) {
    return `close ${bytes.readUInt16BE(0)} ${bytes.toString("utf8", 2)}`.trimEnd();
  }
  const shown = bytes.length > 200 ? `${bytes.length} bytes` : bytes.toString("utf8");
  return `${name} ${shown}`.trimEnd();
}

/** What happens on a socket of a server. */
export type SocketScript = (peer: WirePeer, index: number) => Promise<void> | void;

/**
 * Starts a server that takes every connection for a WebSocket.
 *
 * @param script What it does behind the 101.
 * @param headers Lines to put into the 101.
 */
export function startSocketServer(
  script: SocketScript,
  { headers = "", secure }: { readonly headers?: string; readonly secure?: Parameters<typeof startUpstream>[1] } = {},
): Promise<RawUpstream> {
  return startUpstream(takingSockets(script, headers), secure);
}

/** A script of a raw server that answers with a 101. */
export function takingSockets(script: SocketScript, headers = ""): Script {
  return async (connection, index) => {
    const head = await connection.requestHead();
    const key = /\r\nsec-websocket-key: *(\S+)/i.exec(head)?.[1] ?? "";
    connection.send(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Accept: ${acceptOf(key)}\r\n${headers}\r\n`,
    );
    await script(new WirePeer(connection, "server", head, deflateOf(headers)), index);
  };
}

/** Where a client goes, and how. */
export interface SocketTarget {
  readonly host: string;
  readonly path?: string;
  /** Lines of its own. */
  readonly headers?: string;
  readonly key?: string;
  /** The authority to trust, for wss. */
  readonly ca?: string;
}

/** Opens a WebSocket through a proxy: `ws` by an absolute-form request, `wss` in a tunnel. */
export async function openSocket(
  proxyPort: number,
  { host, path = "/ws", headers = "", key = sampleKey, ca }: SocketTarget,
): Promise<WirePeer> {
  const raw = ca === undefined
    ? await RawSocket.connect(proxyPort)
    : await RawSocket.tlsTunnel(proxyPort, host, { ca, servername: "localhost" });
  raw.socket.on("error", () => {});
  const target = ca === undefined ? `http://${host}${path}` : path;
  raw.send(
    `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n${headers}\r\n`,
  );
  const head = await raw.response();
  if (!head.startsWith("HTTP/1.1 101 ")) {
    await raw[Symbol.asyncDispose]();
    throw new TypeError(`Cannot open a socket: ${head}`);
  }
  if (!head.includes(`Sec-WebSocket-Accept: ${acceptOf(key)}\r\n`)) throw new TypeError(`Not accepted: ${head}`);
  return new WirePeer(raw, "client", head, deflateOf(head));
}

function deflateOf(head: string): Deflate | null {
  const lines = head.split("\r\n").map((line) => line.split(/: */));
  return negotiatedDeflate(lines.map(([name = "", value = ""]) => [name, value]));
}
