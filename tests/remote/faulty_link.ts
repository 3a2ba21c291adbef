/** What stands between a client and an S3 server, and breaks what it is told to break. */

import http from "node:http";
import type { AddressInfo } from "node:net";

/** What becomes of one request; `pass` forwards it. */
export type Fault =
  | { readonly kind: "pass" }
  /** Answers at once. */
  | {
    readonly kind: "answer";
    readonly status: number;
    readonly headers?: Record<string, string>;
    readonly body?: string;
  }
  /** Reads so many bytes of the request and hangs up. */
  | { readonly kind: "cut-request"; readonly afterBytes: number }
  /** Forwards, and changes the answer's body: its length header fits what is sent. */
  | { readonly kind: "change"; readonly change: (body: Uint8Array) => Uint8Array }
  /** Forwards, gives so many bytes of the answer and hangs up. */
  | { readonly kind: "cut-answer"; readonly afterBytes: number };

/** A request as a fault is chosen by it. */
export interface PassingRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
}

/** A proxy that keeps the host header, since requests are signed with it. */
export class FaultyLink implements AsyncDisposable {
  readonly seen: PassingRequest[] = [];
  readonly #server: http.Server;
  readonly #target: URL;
  readonly #choose: (request: PassingRequest) => Fault;

  private constructor(target: string, choose: (request: PassingRequest) => Fault) {
    this.#target = new URL(target);
    this.#choose = choose;
    this.#server = http.createServer((request, response) => void this.#take(request, response));
  }

  /** Begins to listen before a server. */
  static async before(target: string, choose: (request: PassingRequest) => Fault): Promise<FaultyLink> {
    const link = new FaultyLink(target, choose);
    await new Promise<void>((resolve) => link.#server.listen(0, "127.0.0.1", resolve));
    return link;
  }

  get endpoint(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #take(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const passing = { method: request.method ?? "", path: request.url ?? "" };
    this.seen.push(passing);
    const fault = this.#choose(passing);
    if (fault.kind === "cut-request") return cutRequest(request, fault.afterBytes);
    const body = await readAll(request);
    if (fault.kind === "answer") {
      response.writeHead(fault.status, fault.headers).end(fault.body ?? "");
      return;
    }
    const answer = await this.#forward(request, body);
    const changed = fault.kind === "change" ? fault.change(answer.body) : answer.body;
    const headers: http.OutgoingHttpHeaders = { ...answer.headers };
    if (fault.kind === "change") headers["content-length"] = String(changed.length);
    response.writeHead(answer.status, headers);
    if (fault.kind !== "cut-answer") response.end(changed);
    else response.write(changed.subarray(0, fault.afterBytes), () => response.socket?.destroy());
  }

  #forward(request: http.IncomingMessage, body: Uint8Array): Promise<ForwardedAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<ForwardedAnswer>();
    const { method, url: path, headers } = request;
    const out = http.request(
      { host: this.#target.hostname, port: this.#target.port, method, path, headers, agent: false },
      (answer) => {
        readAll(answer).then(
          (bytes) => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: bytes }),
          reject,
        );
      },
    );
    out.on("error", reject);
    out.end(body);
    return promise;
  }
}

interface ForwardedAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Uint8Array;
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return new Uint8Array(await new Blob(pieces.map((piece) => new Uint8Array(piece))).arrayBuffer());
}

function cutRequest(request: http.IncomingMessage, afterBytes: number): void {
  let seen = 0;
  request.on("data", (piece: Uint8Array) => {
    seen += piece.length;
    if (seen >= afterBytes) request.socket.destroy();
  });
  request.on("error", () => {}); // we hung up ourselves
  if (afterBytes === 0) request.socket.destroy();
}
