import { type Protocol, UpstreamError } from "../engine/mod.ts";
import type { ErrorPhase } from "../step/mod.ts";
import { toUpstreamError } from "./_failure.ts";
import { towardsProxy } from "./_proxy_failure.ts";
import { openTunnel } from "./_tunnel.ts";
import type { UpstreamProxy } from "./proxies.ts";

/** Where a connection goes, and how. */
export interface DialTarget {
  readonly host: string;
  readonly port: number;
  readonly proxy: UpstreamProxy | null;
  /** `null` for a connection without TLS. */
  readonly tls: {
    /** Certificates trusted beside the public roots, as PEM. */
    readonly trust: readonly string[];
    /** What is offered by ALPN, in this order. */
    readonly offers: readonly Protocol[];
  } | null;
  /** How long TCP, the proxy's word and the handshake may take together. */
  readonly limitMs: number;
}

/** A connection to an origin. */
export interface Dialled {
  readonly connection: Deno.Conn;
  /** What the origin chose; `null` when it chose nothing. */
  readonly protocol: Protocol | null;
}

/** One connection being made; it can be given up at any time, and leaves nothing open then. */
export class OriginDial {
  readonly #target: DialTarget;
  readonly #abort = new AbortController();
  #phase: ErrorPhase = "connect";
  #connection: Deno.Conn | null = null;
  #given: UpstreamError | null = null;

  constructor(target: DialTarget) {
    this.#target = target;
  }

  /** @throws {UpstreamError} when no connection comes. */
  async connect(): Promise<Dialled> {
    const { limitMs, proxy } = this.#target;
    const timer = setTimeout(() => this.giveUp("ETIMEDOUT", timeoutWords(limitMs)), limitMs);
    try {
      return await this.#connect();
    } catch (error) {
      closeQuietly(this.#connection);
      throw towardsProxy(this.#given ?? toUpstreamError(error, this.#phase), proxy);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends what is under way; {@link connect} throws. */
  giveUp(code: string, message: string): void {
    this.#given ??= new UpstreamError(this.#phase, code, message);
    this.#abort.abort();
    closeQuietly(this.#connection);
  }

  async #connect(): Promise<Dialled> {
    const { host, port, proxy, tls } = this.#target;
    const { host: hostname, port: dialled } = proxy ?? { host, port };
    const tcp = await Deno.connect({ hostname, port: dialled, signal: this.#abort.signal });
    this.#enter(tcp);
    tcp.setNoDelay(true);
    if (proxy !== null) await openTunnel(tcp, proxy, { host, port });
    this.#enter(tcp);
    if (tls === null) return { connection: tcp, protocol: null };
    this.#phase = "tls";
    const { trust, offers } = tls;
    // the handshake itself waits for the call below
    const secure = await Deno.startTls(tcp, { hostname: host, caCerts: [...trust], alpnProtocols: [...offers] });
    this.#enter(secure);
    const { alpnProtocol } = await secure.handshake();
    this.#enter(secure);
    const protocol = alpnProtocol === "h2" || alpnProtocol === "http/1.1" ? alpnProtocol : null;
    return { connection: secure, protocol };
  }

  /** Goes on with a connection, unless the dial was given up while it was made. */
  #enter(connection: Deno.Conn): void {
    this.#connection = connection;
    if (this.#given !== null) throw this.#given;
  }
}

/** Says how long was waited. */
export function timeoutWords(limitMs: number): string {
  return `no connection after ${limitMs / 1000} s`;
}

/** Closes a connection that may be closed, or have become another, already. */
function closeQuietly(connection: Deno.Conn | null): void {
  try {
    connection?.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}
