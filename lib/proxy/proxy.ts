/**
 * The listening side: a forward proxy on loopback that looks into TLS.
 *
 * @module
 */
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Engine } from "../engine/mod.ts";
import { ClientGoneError, Http1Sink, toLiveRequest } from "./_http1_exchange.ts";
import { parseAuthority } from "./_origin.ts";
import { refuse, refuseDropped, refuseSocket } from "./_refusal.ts";
import { openTunnel, type TunnelNotice } from "./_tunnel.ts";
import type { Authority } from "./authority.ts";

/** Something that went wrong at the door, and was no exchange. */
export type ProxyNotice =
  | TunnelNotice
  /** A request that no HTTP server should answer. */
  | { readonly kind: "refused"; readonly reason: string }
  /** A bug of ours. */
  | { readonly kind: "failed"; readonly error: unknown };

/** What a proxy works with. */
export interface ProxyOptions {
  readonly engine: Engine;
  readonly authority: Authority;
  /** Hosts that are answered 503 and kept from the engine: telemetry. @default {[]} */
  readonly drop?: readonly string[];
  readonly onNotice: (notice: ProxyNotice) => void;
}

/** Requests may carry heads of this size; more is answered 431. */
const headLimitBytes = 256 * 1024;

/** What is to become of a request. */
type Target =
  | { readonly kind: "exchange"; readonly url: string }
  | { readonly kind: "refused" }
  | { readonly kind: "dropped" };

/** Where a tunnel leads. */
interface OpenTunnel {
  readonly host: string;
  readonly target: Target;
}

type TargetReader = (request: IncomingMessage) => Target;

/** A host must stand where RFC 3986 has it: WHATWG would find one in `http:///x` and in `http://a\\b` as well. */
const absoluteUrl = /^https?:\/\/[^/?#\\]+(?:[/?#]|$)/i;

const refused: Target = { kind: "refused" };

/** A proxy that listens, on a port of 127.0.0.1 that the system chose. */
export class Proxy implements AsyncDisposable {
  readonly #options: ProxyOptions;
  /** Reads absolute-form requests and CONNECT. */
  readonly #outer: http.Server;
  /** Reads what comes out of tunnels. It listens too, or Deno closes its connections after one response. */
  readonly #inner: http.Server;
  /** Where each tunnel leads: decided once, not per request. */
  readonly #tunnels = new WeakMap<Socket, OpenTunnel>();
  readonly #sockets = new Set<Socket>();
  /** Hosts to which some tunnel has carried more than a handshake. */
  readonly #reached = new Set<string>();
  #closing = false;
  /** Those on which an answer is under way. */
  readonly #answering = new WeakSet<Socket>();

  private constructor(options: ProxyOptions) {
    this.#options = options;
    this.#outer = this.#server((request) => this.#absoluteTarget(request));
    this.#inner = this.#server((request) => this.#tunnelledTarget(request));
    this.#outer.on("connect", (request, socket, head) => this.#connect(request, socket as Socket, head));
  }

  /** Opens a proxy. */
  static async listen(options: ProxyOptions): Promise<Proxy> {
    const proxy = new Proxy(options);
    await Promise.all([listen(proxy.#outer), listen(proxy.#inner)]);
    return proxy;
  }

  get port(): number {
    return (this.#outer.address() as AddressInfo).port;
  }

  /** Stops listening and ends every connection; waits until they are closed. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = [this.#outer, this.#inner].map((server) => new Promise((resolve) => server.close(resolve)));
    this.#closing = true;
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
  }

  #server(targetOf: TargetReader): http.Server {
    const server = http.createServer({ maxHeaderSize: headLimitBytes, noDelay: true, requireHostHeader: false });
    // A child may think for minutes between two requests, and a model for minutes about one.
    server.keepAliveTimeout = 30 * 60 * 1000;
    server.requestTimeout = 0;
    const answer = (request: IncomingMessage, response: ServerResponse) =>
      void this.#answer(request, response, targetOf(request));
    server.on("request", answer);
    server.on("checkContinue", answer);
    server.on("checkExpectation", answer); // any other expectation is the origin's to judge
    server.on("connection", (socket: Socket) => this.#track(socket));
    server.on("clientError", (error: Error & { code?: string }, socket: Socket) => {
      const reason = refuseSocket(error, socket, this.#answering.has(socket));
      if (reason === null) return;
      this.#reach(this.#tunnels.get(socket));
      this.#notice({ kind: "refused", reason });
    });
    return server;
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setMaxListeners(0); // each pipelined exchange has some
    socket.once("close", () => this.#sockets.delete(socket));
  }

  async #answer(request: IncomingMessage, response: ServerResponse, target: Target): Promise<void> {
    const { socket } = request;
    this.#answering.add(socket);
    response.once("close", () => this.#answering.delete(socket));
    if (target.kind === "refused") return this.#notice({ kind: "refused", reason: refuse(request, response) });
    if (target.kind === "dropped") return refuseDropped(response);
    try {
      await this.#options.engine.exchange(toLiveRequest(request, target.url), new Http1Sink(response));
    } catch (error) {
      response.destroy();
      if (!(error instanceof ClientGoneError)) this.#notice({ kind: "failed", error });
    }
  }

  #connect(request: IncomingMessage, socket: Socket, head: Uint8Array): void {
    const origin = parseAuthority(request.url ?? "");
    if (origin === null) {
      this.#notice({ kind: "refused", reason: `CONNECT ${request.url}: expected host:port` });
      socket.end("HTTP/1.1 400 Bad Request\r\nx-agrepl: refused\r\ncontent-length: 0\r\n\r\n");
      return;
    }
    openTunnel({
      socket,
      head,
      origin,
      userAgent: request.headers["user-agent"],
      authority: this.#options.authority,
      onNotice: (notice) => this.#notice(notice),
      serve: (connection, scheme) => {
        const { host, port } = origin;
        this.#tunnels.set(connection, { host, target: this.#targetAt(`${scheme}://${host}:${port}`) });
        this.#inner.emit("connection", connection);
      },
      wasUsed: () => this.#closing || this.#reached.has(origin.host),
    });
  }

  #absoluteTarget(request: IncomingMessage): Target {
    const url = request.url ?? "";
    return absoluteUrl.test(url) ? this.#targetAt(url) : refused;
  }

  #tunnelledTarget(request: IncomingMessage): Target {
    const tunnel = this.#tunnels.get(request.socket);
    if (tunnel === undefined) return refused; // someone found the inner port: it serves tunnels only
    this.#reach(tunnel);
    const { target } = tunnel;
    const path = request.url ?? "";
    if (target.kind !== "exchange") return target;
    return path.startsWith("/") ? { kind: "exchange", url: target.url + path } : refused;
  }

  #reach(tunnel: OpenTunnel | undefined): void {
    if (tunnel !== undefined) this.#reached.add(tunnel.host);
  }

  #targetAt(url: string): Target {
    const { hostname, port } = URL.parse(url) ?? { hostname: "", port: "" };
    const ours = port === String(this.port) && /^(?:127\.|localhost$|\[::1\]$)/.test(hostname);
    if (hostname === "" || ours) return refused;
    const dropped = (this.#options.drop ?? []).some((host) => hostname === host || hostname.endsWith(`.${host}`));
    return dropped ? { kind: "dropped" } : { kind: "exchange", url };
  }

  #notice(notice: ProxyNotice): void {
    this.#options.onNotice(notice);
  }
}

function listen(server: http.Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve());
  });
}
