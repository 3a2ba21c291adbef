/**
 * Both ends of an HTTP/2 connection by another implementation than ours: Node's.
 *
 * Few streams a connection: Deno 2.9.6 aborts in its `node:http2` when a connection that had thousands of them ends.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import http2 from "node:http2";
import net, { type AddressInfo } from "node:net";
import { createAuthority } from "../../lib/proxy/mod.ts";
import { RawSocket } from "./raw_socket.ts";
import type { Rig } from "./rig.ts";

const world = createAuthority();

/** What a client of {@link startHttp2} must trust, as PEM. */
export const http2Trust: string = world.certificatePem;

const { keyPem, certPem } = world.leafFor("localhost");

/** Of a server of one's own, for `localhost`. */
export const http2Certificate: { readonly key: string; readonly cert: string } = { key: keyPem, cert: certPem };

/** A server that runs. */
export interface Http2Origin extends AsyncDisposable {
  /** `localhost:PORT`. */
  readonly host: string;
  /** How many HTTP/2 connections it has had. */
  readonly sessions: number;
}

/** Does what a test says with a request. */
export type Http2Script = (stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders, index: number) => void;

/**
 * Starts a server on a free port of 127.0.0.1.
 *
 * @param secure False for HTTP/2 without TLS, by prior knowledge.
 */
export async function startHttp2(script: Http2Script, secure = true): Promise<Http2Origin> {
  const server = secure ? http2.createSecureServer(http2Certificate) : http2.createServer();
  const sockets = new Set<net.Socket>();
  let sessions = 0;
  let streams = 0;
  server.on("connection", (socket: net.Socket) => sockets.add(socket));
  server.on("session", (session) => {
    sessions++;
    session.on("error", () => {});
  });
  server.on("stream", (stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders) => {
    stream.on("error", () => {}); // the other end may break off
    script(stream, headers, streams++);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `localhost:${(server.address() as AddressInfo).port}`,
    get sessions() {
      return sessions;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** An answer, as a client has it. */
export interface Http2Answer {
  /** Names and values in the order of the wire, pseudo-header fields included. */
  readonly headers: readonly string[];
  readonly body: string;
  readonly trailers: readonly string[];
  /** Of the stream's end: `NO_ERROR`, or why it was broken off. */
  readonly code: number;
  /** The head was all of it, and said so. */
  readonly endedWithHead: boolean;
  /** 1xx that came before. */
  readonly interim: readonly number[];
}

/** What a client asks. */
export interface Http2Ask {
  readonly path: string;
  readonly method?: string;
  readonly headers?: http2.OutgoingHttpHeaders;
  readonly body?: Uint8Array | string;
  readonly trailers?: http2.OutgoingHttpHeaders;
}

/** A client on one connection. */
export class Http2Peer implements AsyncDisposable {
  readonly session: http2.ClientHttp2Session;
  readonly #closed: Promise<void>;

  constructor(session: http2.ClientHttp2Session) {
    this.session = session;
    session.on("error", () => {}); // each stream tells
    this.#closed = new Promise((resolve) => session.once("close", () => resolve()));
  }

  /** Goes through a tunnel of a rig's proxy to an origin. */
  static async connect(rig: Rig, proxyPort: number, host: string, options: http2.SessionOptions = {}) {
    const secure = await RawSocket.tlsTunnel(proxyPort, host, {
      ca: rig.authority.certificatePem,
      servername: "localhost",
      ALPNProtocols: ["h2", "http/1.1"],
    });
    secure.socket.removeAllListeners("data");
    return new Http2Peer(http2.connect(`https://${host}`, { ...options, createConnection: () => secure.socket }));
  }

  /** Goes through a tunnel and speaks without TLS. */
  static async connectPlain(proxyPort: number, host: string) {
    const { socket } = await RawSocket.tunnel(proxyPort, host);
    socket.removeAllListeners("data");
    return new Http2Peer(http2.connect(`http://${host}`, { createConnection: () => socket }));
  }

  /** Begins a request and leaves the rest to the test. */
  begin({ path, method = "GET", headers = {}, body }: Http2Ask): http2.ClientHttp2Stream {
    const stream = this.session.request({ ":path": path, ":method": method, ...headers }, {
      endStream: body === undefined,
    });
    stream.on("error", () => {});
    return stream;
  }

  ask(ask: Http2Ask): Promise<Http2Answer> {
    const stream = this.session.request(
      { ":path": ask.path, ":method": ask.method ?? "GET", ...ask.headers },
      { endStream: ask.body === undefined, waitForTrailers: ask.trailers !== undefined },
    );
    stream.on("wantTrailers", () => stream.sendTrailers(ask.trailers ?? {}));
    if (ask.body !== undefined) stream.end(ask.body);
    return answerOf(stream);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.session.destroyed) this.session.destroy();
    await this.#closed;
  }
}

/** Waits for all of an answer. */
export function answerOf(stream: http2.ClientHttp2Stream): Promise<Http2Answer> {
  const pieces: Uint8Array[] = [];
  const interim: number[] = [];
  let headers: readonly string[] = [];
  let trailers: readonly string[] = [];
  let endedWithHead = false;
  stream.on("headers", (fields) => interim.push(Number(fields[":status"])));
  stream.on("response", (_fields: unknown, flags: number, raw: readonly string[]) => {
    headers = raw;
    endedWithHead = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    stream.on("data", (bytes: Uint8Array) => pieces.push(bytes));
  });
  stream.on("trailers", (_fields: unknown, _flags: number, raw: readonly string[]) => trailers = raw);
  stream.on("error", () => {});
  return new Promise((resolve) => {
    stream.on("close", () => {
      const body = Buffer.concat(pieces).toString("latin1");
      resolve({ headers, body, trailers, code: stream.rstCode ?? 0, endedWithHead, interim });
    });
  });
}
