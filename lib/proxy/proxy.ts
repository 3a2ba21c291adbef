/**
 * The listening side: a forward proxy on loopback that looks into TLS.
 *
 * @module
 */
import { type AddressInfo, createServer, type ListenOptions, type Server, type Socket } from "node:net";
import type { Engine, Protocol } from "../engine/mod.ts";
import { type Header, headerValue } from "../step/mod.ts";
import type { ParsedHead } from "../wire/mod.ts";
import { endSoftly } from "./_end_softly.ts";
import { type ConnectionOptions, Http1Connection, type Target } from "./_http1_connection.ts";
import { Http2Connection } from "./_http2_connection.ts";
import { certificateName, type Origin, parseAuthority, spellingOf } from "./_origin.ts";
import { readDestination } from "./_read_destination.ts";
import { openTunnel, type Tunnel, type TunnelNotice } from "./_tunnel.ts";
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
  /** How long, in milliseconds, a head or a TLS handshake may take once it has begun. @default {60_000} */
  readonly patienceMs?: number;
  /** How many connections may be open at once; another one ends the oldest that asks nothing. @default {2000} */
  readonly connectionLimit?: number;
}

const defaultPatienceMs = 60_000;

/**
 * A system that has no room for another descriptor stops Deno's server from accepting for good, and after a replay has
 * given up its network permission no other can be opened: it must not come to that.
 */
const defaultConnectionLimit = 2000;

/** A host must stand where RFC 3986 has it: WHATWG would find one in `http:///x` and in `http://a\\b` as well. */
const absoluteUrl = /^https?:\/\/[^/?#\\]+(?:[/?#]|$)/i;

const refused: Target = { kind: "refused" };

/** A proxy that listens, on a port of 127.0.0.1 that the system chose. */
export class Proxy implements AsyncDisposable {
  readonly #options: ProxyOptions;
  readonly #server: Server;
  /** Where connections say first where they want to go. */
  readonly #door: Server;
  readonly #sockets = new Set<Socket>();
  /** The connections as they were accepted, oldest first, and who serves each. */
  readonly #accepted = new Map<Socket, { readonly busy: boolean }>();
  /** Hosts to which some tunnel has carried more than a handshake. */
  readonly #reached = new Set<string>();
  #closing = false;
  #port = 0;

  private constructor(options: ProxyOptions) {
    this.#options = options;
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
    this.#door = createServer((socket) => void this.enter(socket));
  }

  /** Opens a proxy. */
  static async listen(options: ProxyOptions): Promise<Proxy> {
    const proxy = new Proxy(options);
    await proxy.#listen(proxy.#server, { port: 0, host: "127.0.0.1" });
    proxy.#port = (proxy.#server.address() as AddressInfo).port;
    return proxy;
  }

  /**
   * Listens on a unix socket as well, for the forwarder of a sandbox. Deno leaves it open in every process that is
   * started afterwards.
   */
  async openDoor(path: string): Promise<void> {
    await this.#listen(this.#door, { path });
  }

  get port(): number {
    return this.#port;
  }

  /** Stops listening and ends every connection; waits until they are closed. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = [this.#server, this.#door].map((server) => new Promise((resolve) => server.close(resolve)));
    this.#closing = true;
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
  }

  async #listen(server: Server, place: ListenOptions): Promise<void> {
    await new Promise<void>((resolve, reject) => void server.once("error", reject).listen(place, resolve));
    // What befalls the server later must not end the run.
    server.on("error", (error) => this.#notice({ kind: "failed", error }));
  }

  /** A connection as it comes: absolute-form requests, or a CONNECT. */
  #accept(socket: Socket): void {
    if (this.#closing) return void socket.destroy();
    if (!this.#hasRoom()) return void socket.destroy();
    this.#track(socket);
    const connection = new Http1Connection(socket, {
      ...this.#common(),
      target: ({ target }) => absoluteUrl.test(target) ? this.#targetAt(target) : refused,
      connect: (head, rest) => this.#connect(head, socket, rest),
      onRefused: (reason) => this.#notice({ kind: "refused", reason }),
    });
    this.#accepted.set(socket, connection);
    socket.once("close", () => this.#accepted.delete(socket));
  }

  /** Takes a connection of a sandbox, where nobody need know of a proxy: it says first where it wants to go. */
  async enter(socket: Socket): Promise<void> {
    if (this.#closing || !this.#hasRoom()) return void socket.destroy();
    this.#track(socket);
    this.#accepted.set(socket, { busy: false });
    socket.once("close", () => this.#accepted.delete(socket));
    const destination = await readDestination(socket, this.#patienceMs);
    if (destination === null) return void socket.destroy();
    if (destination.kind === "proxy") this.#accept(socket);
    else {this.#open({ ...destination, byAddress: true }, {
        socket,
        head: new Uint8Array(0),
        transparent: true,
        userAgent: undefined,
      });}
    socket.resume(); // it was paused behind its first line
  }

  /** Makes room where there is none: who asks nothing loses least, and may connect again. */
  #hasRoom(): boolean {
    if (this.#accepted.size < (this.#options.connectionLimit ?? defaultConnectionLimit)) return true;
    for (const [socket, connection] of this.#accepted) {
      if (connection.busy) continue;
      this.#accepted.delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  #connect(head: ParsedHead, socket: Socket, rest: Uint8Array): void {
    const origin = parseAuthority(head.target);
    if (origin === null) {
      this.#notice({ kind: "refused", reason: `CONNECT ${head.target.slice(0, 200)}: expected host:port` });
      socket.write("HTTP/1.1 400 Bad Request\r\nx-agrepl: refused\r\ncontent-length: 0\r\n\r\n");
      return endSoftly(socket);
    }
    const userAgent = headerValue(head.headers, "user-agent");
    this.#open(origin, { socket, head: rest, transparent: false, userAgent });
  }

  /** Goes on with a connection that leads to one origin. */
  #open(
    origin: Omit<Origin, "scheme">,
    asked: Pick<Tunnel, "socket" | "head" | "transparent" | "userAgent">,
  ): void {
    openTunnel({
      ...asked,
      origin,
      authority: this.#options.authority,
      onNotice: (notice) => this.#notice(notice),
      protocolOf: (offers) => this.#protocolOf(origin, offers),
      serve: (connection, scheme, protocol) => {
        const serve = protocol === "h2" ? this.#serveHttp2 : this.#serveHttp1;
        this.#track(connection);
        this.#accepted.set(asked.socket, serve(connection, { ...origin, scheme }));
      },
      patienceMs: this.#patienceMs,
      wasUsed: () => this.#closing || this.#reached.has(origin.host),
    });
  }

  /** What comes out of a tunnel: where it leads is decided once, not per request. */
  readonly #serveHttp1 = (connection: Socket, origin: Origin): Http1Connection => {
    const base = this.#targetAt(urlOf(origin));
    return new Http1Connection(connection, {
      ...this.#inTunnel(origin),
      target: ({ target, headers }) => this.#targetIn(origin, this.#spelt(origin, base, headers), target),
    });
  };

  readonly #serveHttp2 = (connection: Socket, origin: Origin): Http2Connection => {
    const base = this.#targetAt(urlOf(origin));
    return new Http2Connection(connection, {
      ...this.#inTunnel(origin),
      origin,
      target: (path) => this.#targetIn(origin, base, path),
    });
  };

  /** What is dropped, or refused, is nothing to ask an origin about. */
  #protocolOf(origin: Omit<Origin, "scheme">, offers: readonly Protocol[]): Protocol | Promise<Protocol> {
    const { host, port } = origin;
    if (!offers.includes("h2")) return "http/1.1";
    if (this.#targetAt(`https://${host}:${port}`).kind !== "exchange") return offers[0] ?? "http/1.1";
    return this.#options.engine.protocolOf({ secure: true, host: certificateName(host), port }, offers);
  }

  /** Without a proxy nobody says whether it was localhost or an address of loopback that was asked for, but for Host. */
  #spelt(origin: Origin, base: Target, headers: readonly Header[]): Target {
    if (origin.byAddress !== true) return base;
    const host = spellingOf(origin, headerValue(headers, "host"));
    return host === origin.host ? base : this.#targetAt(urlOf({ ...origin, host }));
  }

  #targetIn({ host }: Origin, base: Target, target: string): Target {
    this.#reached.add(host);
    if (base.kind !== "exchange") return base;
    return target.startsWith("/") ? { kind: "exchange", url: base.url + target } : refused;
  }

  get #patienceMs(): number {
    return this.#options.patienceMs ?? defaultPatienceMs;
  }

  #inTunnel({ host }: Origin): Omit<ConnectionOptions, "target"> {
    return {
      ...this.#common(),
      onRefused: (reason) => {
        this.#reached.add(host);
        this.#notice({ kind: "refused", reason });
      },
    };
  }

  #common(): Pick<ConnectionOptions, "exchange" | "onFailed" | "patienceMs"> {
    return {
      patienceMs: this.#patienceMs,
      exchange: (request, sink) => this.#options.engine.exchange(request, sink),
      onFailed: (error) => this.#notice({ kind: "failed", error }),
    };
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
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

function urlOf({ scheme, host, port }: Origin): string {
  return `${scheme}://${host}:${port}`;
}
