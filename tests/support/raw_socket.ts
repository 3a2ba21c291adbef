/**
 * A TCP or TLS connection of which every byte is seen: for clients and servers that no HTTP library would give.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import net from "node:net";
import tls from "node:tls";

/** What one side sent and received. */
export class RawSocket implements AsyncDisposable {
  readonly socket: net.Socket;
  /** The TCP connection: below TLS another than {@link socket}. */
  readonly transport: net.Socket;
  #received: Buffer = Buffer.alloc(0);
  #ended = false;
  #wake = () => {};

  constructor(socket: net.Socket, transport: net.Socket = socket) {
    this.socket = socket;
    this.transport = transport;
    socket.setNoDelay(true);
    socket.on("data", (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      this.#wake();
    });
    for (const event of ["end", "close", "error"]) {
      socket.on(event, () => {
        this.#ended = true;
        this.#wake();
      });
    }
  }

  /** Connects to a port of 127.0.0.1. */
  static connect(port: number): Promise<RawSocket> {
    return new Promise((resolve, reject) => {
      const socket = net.connect({ port, host: "127.0.0.1" }, () => resolve(new RawSocket(socket)));
      socket.once("error", reject);
    });
  }

  /** Opens a tunnel and stays plain in it. */
  static async tunnel(proxyPort: number, authority: string): Promise<RawSocket> {
    const raw = await RawSocket.connect(proxyPort);
    raw.send(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
    await raw.take((bytes) => indexAfter(bytes, "\r\n\r\n"));
    return raw;
  }

  /** Opens a tunnel and TLS in it. */
  static async tlsTunnel(proxyPort: number, authority: string, options: tls.ConnectionOptions): Promise<RawSocket> {
    const { socket } = await RawSocket.tunnel(proxyPort, authority);
    socket.removeAllListeners("data");
    return await new Promise((resolve, reject) => {
      const secure = tls.connect({ ...options, socket }, () => resolve(new RawSocket(secure, socket)));
      secure.once("error", reject);
    });
  }

  /** True once the other side has ended or broken the connection. */
  get ended(): boolean {
    return this.#ended;
  }

  /** What has come and was not taken. */
  get received(): Buffer {
    return this.#received;
  }

  /** Sends bytes, or text as latin1. */
  send(bytes: Uint8Array | string): void {
    this.socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  }

  /**
   * Waits until something has come whole, and takes it.
   *
   * @param lengthOf Gives how many bytes it has, or `null` while it is not whole.
   */
  async take(lengthOf: (received: Buffer) => number | null): Promise<Buffer> {
    while (true) {
      const length = lengthOf(this.#received);
      if (length !== null) return this.#cut(length);
      if (this.#ended) throw new Error(`Cannot take a message: the connection ended after "${this.#received}"`);
      await this.#more();
    }
  }

  /** Takes all there is until the other side ends. */
  async rest(): Promise<string> {
    while (!this.#ended) await this.#more();
    return this.#cut(this.#received.length).toString("latin1");
  }

  /** Takes one response, exactly as it stands on the wire, framing included. */
  async response({ head = false } = {}): Promise<string> {
    const start = await this.take((bytes) => indexAfter(bytes, "\r\n\r\n"));
    const text = start.toString("latin1");
    const status = Number(text.slice(9, 12));
    if (head || status < 200 || status === 204 || status === 304) return text;
    const framing = framingOf(text);
    if (framing === "close") return text + await this.rest();
    const body = await this.take((bytes) => bodyLength(bytes, framing));
    return text + body.toString("latin1");
  }

  /** Takes one request, head and body. */
  async request(): Promise<string> {
    const text = (await this.take((bytes) => indexAfter(bytes, "\r\n\r\n"))).toString("latin1");
    const framing = framingOf(text);
    const body = await this.take((bytes) => framing === "close" ? 0 : bodyLength(bytes, framing));
    return text + body.toString("latin1");
  }

  /** Takes a request's head and leaves its body. */
  async requestHead(): Promise<string> {
    return (await this.take((bytes) => indexAfter(bytes, "\r\n\r\n"))).toString("latin1");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.socket.destroyed) return;
    await new Promise<void>((resolve) => {
      this.socket.once("close", () => resolve());
      this.socket.destroy();
    });
  }

  #cut(length: number): Buffer {
    const taken = this.#received.subarray(0, length);
    this.#received = this.#received.subarray(length);
    return taken;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => this.#wake = resolve);
  }
}

function indexAfter(bytes: Buffer, mark: string): number | null {
  const at = bytes.indexOf(mark);
  return at === -1 ? null : at + mark.length;
}

type Framing = number | "chunked" | "close";

function framingOf(head: string): Framing {
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return "chunked";
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  return length === undefined ? "close" : Number(length);
}

function bodyLength(bytes: Buffer, framing: Exclude<Framing, "close">): number | null {
  if (framing !== "chunked") return bytes.length < framing ? null : framing;
  let at = 0;
  while (true) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd === -1) return null;
    const size = parseInt(bytes.toString("latin1", at, lineEnd), 16);
    at = lineEnd + 2;
    if (size === 0) return trailersEnd(bytes, at);
    at += size + 2;
    if (at > bytes.length) return null;
  }
}

function trailersEnd(bytes: Buffer, from: number): number | null {
  if (bytes.toString("latin1", from, from + 2) === "\r\n") return from + 2;
  const end = bytes.indexOf("\r\n\r\n", from);
  return end === -1 ? null : end + 4;
}

/** The sizes of a chunked message's chunks, as they stand on the wire. */
export function chunkSizes(message: string): number[] {
  const sizes: number[] = [];
  let at = message.indexOf("\r\n\r\n") + 4;
  while (at < message.length) {
    const lineEnd = message.indexOf("\r\n", at);
    const size = parseInt(message.slice(at, lineEnd), 16);
    if (!(size > 0)) break;
    sizes.push(size);
    at = lineEnd + 2 + size + 2;
  }
  return sizes;
}
