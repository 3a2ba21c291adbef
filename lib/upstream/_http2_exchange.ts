import { endToEndHeaders } from "../diff/mod.ts";
import { type InterimSink, type LiveRequest, type LiveResponse, UpstreamError } from "../engine/mod.ts";
import { type Header, headerValue } from "../step/mod.ts";
import {
  http2Code,
  http2CodeName,
  type Http2Error,
  type Http2Receiver,
  type Http2ResponseHead,
  type Http2Stream,
  lowerCased,
  PieceQueue,
  readResponseHead,
  readTrailers,
} from "../wire/mod.ts";
import { toUpstreamError } from "./_failure.ts";
import type { Http2Client } from "./_http2_client.ts";
import { type SplitUrl, splitUrl } from "./split_url.ts";

/** The origin did not look at the request: it may be sent again (RFC 9113 8.7). */
export const refusedCode = "ERR_HTTP2_REFUSED_STREAM";

/** One request on its stream, and its answer. */
export class Http2Exchange implements Http2Receiver {
  readonly #client: Http2Client;
  readonly #stream: Http2Stream;
  readonly #request: LiveRequest;
  readonly #interim: InterimSink;
  readonly #head = Promise.withResolvers<LiveResponse>();
  readonly #body: PieceQueue;
  #answered = false;
  /** All of the request is on its way. */
  #sent = false;
  /** What is still to come of a body that said how long it is. */
  #owedBytes: number | null = null;
  #trailers: readonly Header[] = [];
  #failure: UpstreamError | null = null;

  constructor(
    { client, stream }: { readonly client: Http2Client; readonly stream: Http2Stream },
    request: LiveRequest,
    interim: InterimSink,
  ) {
    this.#client = client;
    this.#stream = stream;
    this.#request = request;
    this.#interim = interim;
    this.#body = new PieceQueue((bytes) => stream.consumed(bytes), () => this.#giveUp());
    stream.listen(this);
  }

  /**
   * Sends the request and waits for the answer's head.
   *
   * @throws {UpstreamError} when none comes.
   */
  run(signal: AbortSignal): Promise<LiveResponse> {
    const abort = () => this.#fail(new UpstreamError("read", "ABORT_ERR", "the exchange was given up"));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    this.#stream.sendHeaders(requestFields(this.#request), this.#request.body === null);
    this.#sendBody().catch((error) => this.#fail(toUpstreamError(error, "read")));
    return this.#head.promise;
  }

  headers(fields: readonly Header[], ended: boolean): void {
    if (this.#answered) return this.#takeTrailers(fields, ended);
    const head = readResponseHead(fields);
    if ("malformed" in head) return this.#violated(head.malformed);
    const { status, headers } = head;
    if (status === 100) return this.#interim.sendContinue();
    if (status === 101) return this.#violated("a 101, which HTTP/2 does not have"); // RFC 9113 8.6
    if (status < 200) return this.#interim.sendInformation(status, headers);
    this.#answered = true;
    this.#owedBytes = promisedBytes(this.#request.method, head);
    this.#head.resolve({
      status,
      statusText: "",
      httpVersion: "2",
      headers,
      body: this.#body,
      trailers: () => this.#trailers,
    });
  }

  data(bytes: Uint8Array): void {
    if (!this.#answered) return this.#violated("a body before its head");
    if (this.#owedBytes !== null) this.#owedBytes -= bytes.length;
    if ((this.#owedBytes ?? 0) < 0) return this.#violated("more of a body than its content-length says");
    this.#body.push(bytes);
  }

  end(): void {
    if (!this.#answered) return this.#violated("an end before the head");
    if ((this.#owedBytes ?? 0) > 0) return this.#violated("less of a body than its content-length says");
    this.#body.end();
    // Whoever has answered reads no more of the request.
    if (!this.#sent) this.#stream.reset(http2Code.cancel);
  }

  reset(code: number | null, cause: Http2Error | null): void {
    // A server that has answered may say that it wants no more of the request (RFC 9113 8.1).
    if (this.#stream.remoteEnded) return;
    this.#settle(cause === null ? resetError(code) : violationOf(cause));
  }

  #takeTrailers(fields: readonly Header[], ended: boolean): void {
    const trailers = readTrailers(fields);
    if ("malformed" in trailers) return this.#violated(trailers.malformed);
    if (!ended) return this.#violated("headers in the middle of a body");
    this.#trailers = trailers.headers;
  }

  async #sendBody(): Promise<void> {
    const { body, trailers } = this.#request;
    if (body === null) return void (this.#sent = true);
    for await (const bytes of body) {
      if (this.#stream.closed) return;
      const taken = this.#stream.sendData(bytes) ?? this.#client.drained();
      if (taken !== undefined) await taken;
    }
    this.#sent = true;
    this.#stream.end(lowerCased(trailers()));
  }

  /** Nobody reads on. */
  #giveUp(): void {
    this.#stream.reset(http2Code.cancel);
  }

  #violated(what: string): void {
    this.#stream.reset(http2Code.protocolError);
    const options = { streamCode: http2Code.protocolError };
    this.#settle(new UpstreamError("read", "ERR_HTTP2_PROTOCOL_ERROR", `it sent ${what}`, options));
  }

  #fail(failure: UpstreamError): void {
    this.#stream.reset(http2Code.cancel);
    this.#settle(failure);
  }

  #settle(failure: UpstreamError): void {
    this.#failure ??= failure;
    this.#head.reject(this.#failure);
    this.#body.breakOff(this.#failure);
  }
}

/** The length that a head promises its body; `null` where it says nothing of it. */
function promisedBytes(method: string, { status, headers }: Http2ResponseHead): number | null {
  const length = headerValue(headers, "content-length");
  if (method === "HEAD" || status === 204 || status === 304 || length === undefined) return null;
  return /^\d{1,15}$/.test(length) ? Number(length) : null;
}

function violationOf({ code, message }: Http2Error): UpstreamError {
  return new UpstreamError("read", `ERR_HTTP2_${http2CodeName(code)}`, `it broke the rules of HTTP/2: ${message}`);
}

function resetError(code: number | null): UpstreamError {
  if (code === null) {
    return new UpstreamError("read", "ECONNRESET", "the connection closed before the answer was whole");
  }
  const name = http2CodeName(code);
  return new UpstreamError("read", `ERR_HTTP2_${name}`, `it broke the stream off: ${name}`, { streamCode: code });
}

/** The client's own headers in its order, and where they go (RFC 9113 8.3.1). */
function requestFields(request: LiveRequest): Header[] {
  const url = splitUrl(request.url);
  const headers = lowerCased(endToEndHeaders(request.headers));
  const te = headerValue(request.headers, "te");
  if (te !== undefined && /\btrailers\b/i.test(te)) headers.push(["te", "trailers"]);
  return [
    [":method", request.method],
    [":scheme", url.secure ? "https" : "http"],
    [":authority", headerValue(headers, "host") ?? authorityOf(url)],
    [":path", url.target],
    ...headers.filter(([name]) => name !== "host"),
  ];
}

function authorityOf({ secure, host, port }: SplitUrl): string {
  const bracketed = host.includes(":") ? `[${host}]` : host;
  return port === (secure ? 443 : 80) ? bracketed : `${bracketed}:${port}`;
}
