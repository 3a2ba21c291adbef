/**
 * The way out: HTTP/1.1 over TCP or TLS, connections kept and used again.
 *
 * @module
 */
import {
  type InterimSink,
  type LiveRequest,
  type LiveResponse,
  type OriginAddress,
  UpstreamError,
} from "../engine/mod.ts";
import { endToEndHeaders } from "../diff/mod.ts";
import { type Header, headerValue } from "../step/mod.ts";
import { upgradeOf } from "../wire/mod.ts";
import type { Http1Client } from "./_http1_client.ts";
import { Http1Pool } from "./_http1_pool.ts";
import type { DialTarget } from "./_origin_dial.ts";
import { credentialsWanted, towardsProxy } from "./_proxy_failure.ts";
import { type UpstreamOptions, withDefaults } from "./options.ts";
import { proxyFor, type UpstreamProxy } from "./proxies.ts";
import { splitUrl } from "./split_url.ts";

/** What a connection that the other side had closed already fails with. */
const staleCodes = /^(?:ECONNRESET|EPIPE)$/;

/** Talks HTTP/1.1 to whatever a request's URL names. Certificates are always verified. */
export class Http1Upstream implements Disposable {
  readonly #pool = new Http1Pool();
  readonly #options: Required<UpstreamOptions>;

  constructor(options: UpstreamOptions = {}) {
    this.#options = withDefaults(options);
  }

  /** Takes a connection that was made to ask its origin what it speaks, for the next request there. */
  adopt(origin: OriginAddress, connection: Deno.Conn): void {
    this.#pool.adopt(nameOf(origin, null), connection);
  }

  /**
   * Sends a request on its way and waits for the response's head.
   *
   * @throws {UpstreamError} when no response comes.
   */
  async exchange(request: LiveRequest, interim: InterimSink, signal: AbortSignal): Promise<LiveResponse> {
    const route = this.#routeOf(request);
    const ask = { request, first: route.first, headers: outgoingHeaders(request, route), interim, signal };
    const kept = this.#pool.take(route.name);
    try {
      const client = kept ?? await this.#pool.connect(route.name, route.target, signal);
      return checkProxy(await client.exchange(ask), client, route.plainProxy);
    } catch (error) {
      // A kept connection may have been closed just as it was taken (RFC 9112 9.3.1): the origin never saw the request.
      const stale = kept !== null && kept.reused && error instanceof UpstreamError && staleCodes.test(error.code);
      if (stale && request.body === null && !signal.aborted) return await this.exchange(request, interim, signal);
      throw error instanceof UpstreamError ? towardsProxy(error, route.plainProxy) : error;
    }
  }

  [Symbol.dispose](): void {
    this.#pool.close();
  }

  #routeOf({ url, method, upgrade }: LiveRequest): Route {
    const { secure, host, port, target } = splitUrl(url);
    const { trust, proxies, connectLimitMs: limitMs } = this.#options;
    const proxy = proxyFor(proxies, { secure, host, port });
    const authority = authorityOf(host, port);
    // Few proxies carry an upgrade on when they are given the request itself; RFC 6455 4.1 asks for a tunnel, too.
    if (proxy === null || secure || upgrade !== undefined) {
      const tls = secure ? { trust, offers: ["http/1.1"] as const } : null;
      const first = `${method} ${target} HTTP/1.1`;
      const name = nameOf({ secure, host, port }, null);
      return { name, target: { host, port, proxy, tls, limitMs }, first, authority, plainProxy: null };
    }
    // RFC 9112 3.2.2: a proxy wants the whole URL.
    const first = `${method} http://${port === 80 ? authority.slice(0, -3) : authority}${target} HTTP/1.1`;
    const toProxy = { host: proxy.host, port: proxy.port, proxy: null, tls: null, limitMs };
    return { name: nameOf({ secure, host, port }, proxy), target: toProxy, first, authority, plainProxy: proxy };
  }
}

/** Where a request goes, and how it says so. */
interface Route {
  /** Of the connections that it may use. */
  readonly name: string;
  readonly target: DialTarget;
  /** The request line. */
  readonly first: string;
  readonly authority: string;
  /** The proxy that is given the request itself, where there is one. */
  readonly plainProxy: UpstreamProxy | null;
}

function nameOf({ secure, host, port }: OriginAddress, proxy: UpstreamProxy | null): string {
  if (proxy !== null) return `proxy ${authorityOf(proxy.host, proxy.port)}`;
  return `${secure ? "https" : "http"}://${authorityOf(host, port)}`;
}

function authorityOf(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The client's own headers in its order and case, and the framing of this connection. */
function outgoingHeaders(request: LiveRequest, { authority, plainProxy }: Route): Header[] {
  const headers = [...endToEndHeaders(request.headers)];
  const te = headerValue(request.headers, "te");
  if (te !== undefined && /\btrailers\b/i.test(te)) headers.push(["TE", "trailers"]);
  if (headerValue(headers, "host") === undefined) headers.unshift(["Host", authority]);
  const framed = headerValue(headers, "content-length") !== undefined;
  if (request.body !== null && !framed) headers.push(["Transfer-Encoding", "chunked"]);
  const upgrade = request.upgrade === undefined ? null : upgradeOf(request.headers);
  if (upgrade !== null) headers.push(["Connection", "Upgrade"], ["Upgrade", upgrade]);
  if (plainProxy !== null && plainProxy.authorization !== null) {
    headers.push(["Proxy-Authorization", plainProxy.authorization]);
  }
  return headers;
}

/** A proxy that wants credentials is the user's affair: its page is no answer of the origin's. */
function checkProxy(response: LiveResponse, client: Http1Client, proxy: UpstreamProxy | null): LiveResponse {
  if (proxy === null || response.status !== 407) return response;
  client.close();
  throw credentialsWanted(proxy);
}
