import type { IncomingMessage, ServerResponse } from "node:http";
import { endToEndHeaders } from "../diff/mod.ts";
import type { EmissionMeter, LiveRequest, ResponseSink } from "../engine/mod.ts";
import { type Header, headerValue, type ResponseHead } from "../step/mod.ts";
import { chunksOf, pairs } from "../upstream/mod.ts";

/** Turns what Node's server read into a request for the engine. */
export function toLiveRequest(request: IncomingMessage, url: string): LiveRequest {
  const headers = pairs(request.rawHeaders).filter(([name]) => !name.toLowerCase().startsWith("proxy-"));
  return {
    method: request.method ?? "GET",
    url,
    httpVersion: request.httpVersion === "1.0" ? "1.0" : "1.1",
    headers,
    body: hasBody(headers) ? chunksOf(request, clientBrokeOff) : null,
    trailers: () => pairs(request.rawTrailers),
    expectsContinue: headerValue(headers, "expect")?.toLowerCase() === "100-continue",
  };
}

/** A request has a body when it says so (RFC 9112 6.3). */
function hasBody(headers: readonly Header[]): boolean {
  const length = headerValue(headers, "content-length");
  return headerValue(headers, "transfer-encoding") !== undefined || (length !== undefined && Number(length) > 0);
}

function clientBrokeOff(cause: unknown): Error {
  return new ClientGoneError(cause);
}

/** The client broke off in the middle of its own request: nobody is left to answer. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";

  constructor(cause: unknown) {
    super("Cannot read the request: the client closed the connection", { cause });
  }
}

/** Sends the engine's answer over HTTP/1.1. */
export class Http1Sink implements ResponseSink {
  meter: EmissionMeter | null = null;
  readonly #response: ServerResponse;
  #closed = false;
  /** A head that waits for the body's first piece. */
  #waiting = false;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.sendDate = false;
    response.on("close", () => this.#closed = true);
    response.on("error", () => this.#closed = true); // a write after the client left; "close" follows
  }

  get closed(): boolean {
    return this.#closed;
  }

  sendContinue(): void {
    if (!this.#closed) this.#response.writeContinue();
  }

  sendInformation(status: number, headers: readonly Header[]): void {
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    this.#response.socket?.write(`HTTP/1.1 ${status} \r\n${lines}\r\n`, "latin1");
  }

  sendHead(head: ResponseHead): void {
    const headers = endToEndHeaders(head.headers);
    this.meter?.head(head.status, headers);
    if (this.#closed) return;
    this.#response.writeHead(head.status, head.statusText, headers.flat());
    this.#waiting = true;
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#closed) return undefined;
    this.meter?.body(bytes);
    this.#waiting = false;
    return this.#response.write(bytes) ? undefined : this.#drained();
  }

  end(trailers: readonly Header[]): void {
    if (this.#closed) return;
    this.meter?.end(trailers);
    this.#waiting = false;
    if (trailers.length > 0) {
      this.#response.addTrailers(trailers.map(([name, value]): [string, string] => [name, value]));
    }
    this.#response.end();
  }

  abort(): void {
    if (this.#closed) return;
    this.meter?.end([]);
    this.flush();
    this.#response.socket?.destroySoon(); // what was sent before the break still arrives
  }

  flush(): void {
    if (!this.#waiting || this.#closed) return;
    this.#waiting = false;
    this.#response.flushHeaders();
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#response.once("drain", resolve);
      this.#response.once("close", resolve);
    });
  }
}
