/**
 * The way out: HTTP/1.1 over TCP or TLS, connections kept and used again.
 *
 * @module
 */
import http from "node:http";
import https from "node:https";
import { type InterimSink, type LiveRequest, type LiveResponse, type Upstream, UpstreamError } from "../engine/mod.ts";
import { endToEndHeaders } from "../diff/mod.ts";
import { type Header, headerValue, type HttpVersion } from "../step/mod.ts";
import { Dial } from "./_dial.ts";
import { toUpstreamError } from "./_failure.ts";
import { SecureAgent } from "./_secure_agent.ts";
import { chunksOf } from "./chunks.ts";
import { splitUrl } from "./split_url.ts";

/** What an upstream trusts beyond the public roots. */
export interface UpstreamOptions {
  /** Certificates of further authorities, as PEM. */
  readonly trust?: readonly string[];
}

/** A response's head may be this large; browsers allow about as much. */
const headerLimitBytes = 256 * 1024;

/** What a connection that the other side had closed already fails with. */
const staleCodes = /^(?:ECONNRESET|EPIPE)$/;

/** Talks HTTP/1.1 to whatever a request's URL names. Certificates are always verified. */
export class Http1Upstream implements Upstream {
  readonly #plain = new http.Agent({ keepAlive: true });
  readonly #secure: SecureAgent;
  #calls = 0;

  constructor({ trust = [] }: UpstreamOptions = {}) {
    this.#secure = new SecureAgent(trust);
  }

  get calls(): number {
    return this.#calls;
  }

  exchange(request: LiveRequest, interim: InterimSink, signal: AbortSignal): Promise<LiveResponse> {
    this.#calls++;
    return this.#send(request, interim, signal, true);
  }

  async #send(
    request: LiveRequest,
    interim: InterimSink,
    signal: AbortSignal,
    mayRetry: boolean,
  ): Promise<LiveResponse> {
    const outgoing = this.#open(request, signal);
    const dial = new Dial(outgoing);
    try {
      return await answerOf(outgoing, request, interim);
    } catch (error) {
      const failure = toUpstreamError(error, dial.phase);
      // A kept connection may have been closed just as it was taken (RFC 9112 9.3.1): the origin never saw the request.
      const stale = mayRetry && dial.reused && request.body === null && staleCodes.test(failure.code);
      if (!stale || signal.aborted) throw failure;
      return await this.#send(request, interim, signal, false);
    }
  }

  #open(request: LiveRequest, signal: AbortSignal): http.ClientRequest {
    const { secure, host, port, target } = splitUrl(request.url);
    const client = secure ? https : http;
    return client.request({
      agent: secure ? this.#secure : this.#plain,
      host,
      port,
      path: target,
      method: request.method,
      headers: outgoingHeaders(request, host, port).flat(),
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

/** The client's own headers in its order and case, and the framing of this connection. */
function outgoingHeaders(request: LiveRequest, host: string, port: number): Header[] {
  const headers = [...endToEndHeaders(request.headers)];
  const te = headerValue(request.headers, "te");
  if (te !== undefined && /\btrailers\b/i.test(te)) headers.push(["TE", "trailers"]);
  if (headerValue(headers, "host") === undefined) headers.unshift(["Host", `${host}:${port}`]);
  const framed = headerValue(headers, "content-length") !== undefined;
  if (request.body !== null && !framed) headers.push(["Transfer-Encoding", "chunked"]);
  return headers;
}

function answerOf(outgoing: http.ClientRequest, request: LiveRequest, interim: InterimSink): Promise<LiveResponse> {
  return new Promise((resolve, reject) => {
    outgoing.on("error", reject);
    outgoing.on("socket", (socket) => socket.setNoDelay(true));
    outgoing.on("continue", () => interim.sendContinue());
    outgoing.on("information", ({ statusCode, rawHeaders }) => {
      if (statusCode !== 100) interim.sendInformation(statusCode, pairs(rawHeaders));
    });
    outgoing.on("response", (response) => {
      const wrong = oddity(response);
      response.on("end", () => {
        // Answered before the request had ended: a connection with half a request on it serves nobody else.
        if (!outgoing.writableEnded) outgoing.destroy();
      });
      if (wrong === null) resolve(toLiveResponse(response));
      else outgoing.destroy(new UpstreamError("read", "HPE_INVALID_STATUS", wrong));
    });
    outgoing.on("upgrade", (_response, socket) => {
      socket.destroy();
      reject(new UpstreamError("read", "EPROTO", "it switched to another protocol, which was not asked for"));
    });
    outgoing.on("close", () => reject(new Error("the connection closed before an answer came")));
    sendBody(outgoing, request).catch((error) => outgoing.destroy(toUpstreamError(error, "read")));
  });
}

/** What Node's client takes and its server would not send on; `null` when there is nothing. */
function oddity({ statusCode = 0, statusMessage = "" }: http.IncomingMessage): string | null {
  if (statusCode < 100) return `its status is ${statusCode}, expected 100 to 999`;
  return /[^\t\x20-\x7e\x80-\xff]/.test(statusMessage) ? "its reason phrase holds a control character" : null;
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

function readError(error: unknown): UpstreamError {
  const failure = toUpstreamError(error, "read");
  return failure.phase === "read" ? failure : new UpstreamError("read", failure.code, failure.message);
}

function httpVersion(version: string): HttpVersion {
  return version === "1.0" ? "1.0" : "1.1";
}

/** Node's flat list of names and values, as pairs. */
export function pairs(raw: readonly string[]): Header[] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? "", raw[2 * index + 1] ?? ""]);
}
