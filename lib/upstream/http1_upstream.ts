/**
 * The way out: HTTP/1.1 over TCP or TLS, connections kept and used again.
 *
 * @module
 */
import http from "node:http";
import https from "node:https";
import type { Duplex } from "node:stream";
import {
  type InterimSink,
  type LiveRequest,
  type LiveResponse,
  type OriginAddress,
  UpstreamError,
} from "../engine/mod.ts";
import { endToEndHeaders } from "../diff/mod.ts";
import { type Header, headerValue, type HttpVersion } from "../step/mod.ts";
import { agentOptions } from "./_agent_options.ts";
import { Dial } from "./_dial.ts";
import { toUpstreamError } from "./_failure.ts";
import { credentialsWanted, towardsProxy } from "./_proxy_failure.ts";
import { SecureAgent } from "./_secure_agent.ts";
import { TunnelAgent } from "./_tunnel_agent.ts";
import { upgradeOf } from "../wire/mod.ts";
import { chunksOf } from "./chunks.ts";
import { type UpstreamOptions, withDefaults } from "./options.ts";
import { proxyFor, type UpstreamProxies, type UpstreamProxy } from "./proxies.ts";
import { type SplitUrl, splitUrl } from "./split_url.ts";
import { StreamChannel } from "./stream_channel.ts";

/** A response's head may be this large; browsers allow about as much. */
const headerLimitBytes = 256 * 1024;

/** What a connection that the other side had closed already fails with. */
const staleCodes = /^(?:ECONNRESET|EPIPE)$/;

/** Talks HTTP/1.1 to whatever a request's URL names. Certificates are always verified. */
export class Http1Upstream implements Disposable {
  readonly #plain = new http.Agent(agentOptions);
  readonly #secure: SecureAgent;
  readonly #proxies: UpstreamProxies;
  readonly #connectLimitMs: number;

  constructor(options: UpstreamOptions = {}) {
    const { trust, proxies, connectLimitMs } = withDefaults(options);
    this.#secure = new SecureAgent({ trust, proxies, limitMs: connectLimitMs });
    this.#proxies = proxies;
    this.#connectLimitMs = connectLimitMs;
  }

  /** Takes a connection that was made to ask its origin what it speaks, for the next request there. */
  adopt({ host, port }: OriginAddress, connection: Deno.Conn): void {
    this.#secure.adopt(host, port, connection);
  }

  /**
   * Sends a request on its way and waits for the response's head.
   *
   * @throws {UpstreamError} when no response comes.
   */
  exchange(request: LiveRequest, interim: InterimSink, signal: AbortSignal): Promise<LiveResponse> {
    return this.#send(request, interim, signal, true);
  }

  async #send(
    request: LiveRequest,
    interim: InterimSink,
    signal: AbortSignal,
    mayRetry: boolean,
  ): Promise<LiveResponse> {
    const route = this.#routeOf(request);
    const outgoing = this.#open(request, route, signal);
    const dial = new Dial(outgoing, route.secure || route.tunnel !== null ? null : this.#connectLimitMs);
    try {
      return await answerOf(outgoing, { request, interim, proxy: route.plainProxy });
    } catch (error) {
      const failure = towardsProxy(toUpstreamError(error, dial.phase), route.plainProxy);
      // A kept connection may have been closed just as it was taken (RFC 9112 9.3.1): the origin never saw the request.
      const stale = mayRetry && dial.reused && request.body === null && staleCodes.test(failure.code);
      if (!stale || signal.aborted) throw failure;
      return await this.#send(request, interim, signal, false);
    }
  }

  #routeOf({ url, upgrade }: LiveRequest): Route {
    const { secure, host, port, target } = splitUrl(url);
    const proxy = secure ? null : proxyFor(this.#proxies, { secure, host, port });
    if (proxy === null || upgrade === undefined) return { secure, host, port, target, plainProxy: proxy, tunnel: null };
    const tunnel = new TunnelAgent(proxy, this.#connectLimitMs);
    return { secure, host, port, target, plainProxy: null, tunnel };
  }

  #open(request: LiveRequest, route: Route, signal: AbortSignal): http.ClientRequest {
    const { secure, host, port, target, plainProxy, tunnel } = route;
    const client = secure ? https : http;
    const name = authorityOf(host, port);
    const headers = outgoingHeaders(request, name);
    const authorization = plainProxy?.authorization ?? null;
    if (authorization !== null) headers.push(["Proxy-Authorization", authorization]);
    return client.request({
      agent: tunnel ?? (secure ? this.#secure : this.#plain),
      host: plainProxy?.host ?? host,
      port: plainProxy?.port ?? port,
      // RFC 9112 3.2.2: a proxy wants the whole URL
      path: plainProxy === null ? target : `http://${port === 80 ? name.slice(0, -3) : name}${target}`,
      method: request.method,
      headers: headers.flat(),
      setDefaultHeaders: false,
      maxHeaderSize: headerLimitBytes,
      signal,
    });
  }

  [Symbol.dispose](): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }
}

/** Where a request goes, and by whom. */
interface Route extends SplitUrl {
  /** The proxy that is given the request itself; one that is asked for a tunnel is the agent's affair. */
  readonly plainProxy: UpstreamProxy | null;
  /** For an upgrade without TLS, past a proxy. */
  readonly tunnel: TunnelAgent | null;
}

function authorityOf(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The client's own headers in its order and case, and the framing of this connection. */
function outgoingHeaders(request: LiveRequest, authority: string): Header[] {
  const headers = [...endToEndHeaders(request.headers)];
  const te = headerValue(request.headers, "te");
  if (te !== undefined && /\btrailers\b/i.test(te)) headers.push(["TE", "trailers"]);
  if (headerValue(headers, "host") === undefined) headers.unshift(["Host", authority]);
  const framed = headerValue(headers, "content-length") !== undefined;
  if (request.body !== null && !framed) headers.push(["Transfer-Encoding", "chunked"]);
  const upgrade = request.upgrade === undefined ? null : upgradeOf(request.headers);
  if (upgrade !== null) headers.push(["Connection", "Upgrade"], ["Upgrade", upgrade]);
  return headers;
}

/** What is asked, and who may answer. */
interface Asked {
  readonly request: LiveRequest;
  readonly interim: InterimSink;
  readonly proxy: UpstreamProxy | null;
}

function answerOf(outgoing: http.ClientRequest, { request, interim, proxy }: Asked): Promise<LiveResponse> {
  return new Promise((resolve, reject) => {
    outgoing.on("error", reject);
    outgoing.on("socket", (socket) => socket.setNoDelay(true));
    outgoing.on("continue", () => interim.sendContinue());
    outgoing.on("information", ({ statusCode, rawHeaders }) => {
      if (statusCode !== 100) interim.sendInformation(statusCode, pairs(rawHeaders));
    });
    outgoing.on("response", (response) => {
      const wrong = refusal(response, proxy);
      response.on("end", () => {
        // Answered before the request had ended: a connection with half a request on it serves nobody else.
        if (!outgoing.writableEnded) outgoing.destroy();
      });
      if (wrong === null) resolve(toLiveResponse(response));
      else outgoing.destroy(wrong);
    });
    outgoing.on("upgrade", (response, socket, head) => {
      if (request.upgrade !== undefined) return resolve(toSwitched(response, socket, head));
      socket.destroy();
      reject(new UpstreamError("read", "EPROTO", "it switched to another protocol, which was not asked for"));
    });
    outgoing.on("close", () => reject(new Error("the connection closed before an answer came")));
    sendBody(outgoing, request).catch((error) => outgoing.destroy(toUpstreamError(error, "read")));
  });
}

/** What Node's client takes and is no answer for our client; `null` when there is nothing. */
function refusal(response: http.IncomingMessage, proxy: UpstreamProxy | null): UpstreamError | null {
  const { statusCode = 0, statusMessage = "" } = response;
  if (proxy !== null && statusCode === 407) return credentialsWanted(proxy);
  if (statusCode < 100) return invalidStatus(`its status is ${statusCode}, expected 100 to 999`);
  return /[^\t\x20-\x7e\x80-\xff]/.test(statusMessage)
    ? invalidStatus("its reason phrase holds a control character")
    : null;
}

/** What Node's server would not send on. */
function invalidStatus(message: string): UpstreamError {
  return new UpstreamError("read", "HPE_INVALID_STATUS", message);
}

async function sendBody(outgoing: http.ClientRequest, request: LiveRequest): Promise<void> {
  if (request.body === null) {
    outgoing.end();
    return;
  }
  if (request.expectsContinue) outgoing.flushHeaders();
  let rest = Number(headerValue(request.headers, "content-length") ?? Infinity);
  for await (const bytes of request.body) {
    if (outgoing.destroyed) return;
    rest -= bytes.length;
    // With the last byte of a counted body the request has ended, and its answer may come before the client's own end is
    // seen. Node's client, ended after its answer, never gives its connection back.
    if (rest <= 0) {
      outgoing.end(bytes);
      return;
    }
    if (!outgoing.write(bytes)) await drained(outgoing);
  }
  const trailers = request.trailers();
  if (trailers.length > 0) outgoing.addTrailers(trailers.map(([name, value]): [string, string] => [name, value]));
  outgoing.end();
}

function drained(outgoing: http.ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off("drain", done).off("close", done);
      resolve();
    };
    outgoing.on("drain", done).on("close", done);
  });
}

function toLiveResponse(response: http.IncomingMessage): LiveResponse {
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? "",
    httpVersion: httpVersion(response.httpVersion),
    headers: pairs(response.rawHeaders),
    body: chunksOf(response, (error) => readError(error)),
    trailers: () => pairs(response.rawTrailers),
  };
}

/** The connection is nobody's but the channel's from here on: Node's agent has let go of it. */
function toSwitched(response: http.IncomingMessage, socket: Duplex, first: Uint8Array): LiveResponse {
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? "",
    httpVersion: httpVersion(response.httpVersion),
    headers: pairs(response.rawHeaders),
    body: { async *[Symbol.asyncIterator]() {} },
    trailers: () => [],
    channel: new StreamChannel(socket, { first, toError: readError }),
  };
}

function readError(error: unknown): UpstreamError {
  const failure = toUpstreamError(error, "read");
  return failure.phase === "read" ? failure : new UpstreamError("read", failure.code, failure.message);
}

function httpVersion(version: string): HttpVersion {
  return version === "1.0" ? "1.0" : "1.1";
}

/** Node's flat list of names and values, as pairs. */
function pairs(raw: readonly string[]): Header[] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? "", raw[2 * index + 1] ?? ""]);
}
