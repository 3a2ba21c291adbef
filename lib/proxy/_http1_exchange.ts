import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { endToEndHeaders } from "../diff/mod.ts";
import { announcesBody, type EmissionMeter, type LiveRequest, type ResponseSink } from "../engine/mod.ts";
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
    body: announcesBody(headers) ? bodyOf(request) : null,
    trailers: () => pairs(request.rawTrailers),
    expectsContinue: headerValue(headers, "expect")?.toLowerCase() === "100-continue",
  };
}

function bodyOf(request: IncomingMessage): AsyncIterable<Uint8Array> {
  const { socket } = request;
  // Once it has answered, Node's server tells a request no more that its connection is gone.
  const gone = () => request.destroy();
  const forget = () => socket.off("close", gone);
  socket.once("close", gone);
  request.once("end", forget).once("close", forget);
  return chunksOf(request, clientBrokeOff);
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
  readonly #expects: boolean;
  #continued = false;
  #closed = false;
  /** A head that waits for the body's first piece. */
  #waiting = false;

  constructor(response: ServerResponse) {
    this.#response = response;
    this.#expects = response.req.headers.expect !== undefined;
    response.sendDate = false;
    response.on("close", () => this.#closed = !response.writableFinished);
    response.on("error", () => this.#closed = true); // a write after the client left; "close" follows
  }

  get closed(): boolean {
    // A response that waits behind a pipelined one is not told when their connection ends.
    return this.#closed || this.#response.req.socket.destroyed;
  }

  sendContinue(): void {
    if (this.closed || this.#continued) return;
    this.#continued = true;
    this.#response.writeContinue();
  }

  sendInformation(status: number, headers: readonly Header[]): void {
    const { req, socket } = this.#response;
    if (req.httpVersion === "1.0") return; // it knows no interim responses (RFC 9110 15.2)
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    // Without a socket it waits behind a pipelined request, and what is only interim may be left out.
    socket?.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines}\r\n`, "latin1");
  }

  sendHead(head: ResponseHead): void {
    const headers = endToEndHeaders(head.headers);
    this.meter?.head(head.status, headers);
    if (this.closed) return;
    // A client that was not told to go on may or may not send its body: the connection cannot be used again.
    if (this.#expects && !this.#continued) this.#response.shouldKeepAlive = false;
    this.#response.writeHead(head.status, head.statusText, headers.flat());
    this.#waiting = true;
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.closed) return undefined;
    this.meter?.body(bytes);
    this.#waiting = false;
    return this.#response.write(bytes) ? undefined : this.#drained();
  }

  end(trailers: readonly Header[]): void {
    if (this.closed) return;
    this.meter?.end(trailers);
    this.#waiting = false;
    if (trailers.length > 0) {
      this.#response.addTrailers(trailers.map(([name, value]): [string, string] => [name, value]));
    }
    this.#response.end();
  }

  abort(): void {
    if (this.closed) return;
    this.meter?.end([]);
    this.flush();
    const { socket } = this.#response;
    if (socket !== null) breakOff(socket);
    // It waits behind a pipelined request; once it has the socket, what it holds is written first.
    else this.#response.once("socket", (socket: Socket) => queueMicrotask(() => breakOff(socket)));
  }

  flush(): void {
    if (!this.#waiting || this.closed) return;
    this.#waiting = false;
    this.#response.flushHeaders();
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const { socket } = this.#response.req;
      const done = () => {
        this.#response.off("drain", done).off("close", done);
        socket.off("close", done);
        resolve();
      };
      this.#response.on("drain", done).on("close", done);
      socket.on("close", done);
    });
  }
}

/** Closes a connection so that what was sent before the break still arrives. */
function breakOff(socket: Socket): void {
  socket.destroySoon();
}
