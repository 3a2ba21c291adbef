/** Exchanges of 1 KiB over one HTTP/2 connection, one after the other. */

import { Buffer } from "node:buffer";
import type { TLSSocket } from "node:tls";
import { Http2Session } from "../../lib/wire/mod.ts";
import { answerTo, type ExchangeKind, requestBody, requestHeaders, stepPath } from "./exchange.ts";
import { WrongAnswerError } from "./wrong_answer_error.ts";

const windowBytes = 1024 * 1024;

/** A client that does as little as HTTP/2 allows. */
export class Http2Trips {
  readonly #socket: TLSSocket;
  readonly #authority: string;
  readonly #kind: ExchangeKind;
  readonly #session: Http2Session;
  #gathered: Uint8Array[] = [];

  constructor(socket: TLSSocket, authority: string, kind: ExchangeKind) {
    this.#socket = socket;
    this.#authority = authority;
    this.#kind = kind;
    this.#session = new Http2Session({
      role: "client",
      write: (bytes) => this.#gathered.push(bytes),
      onStream: () => {},
      onEnd: () => socket.destroy(),
      streamLimit: 0,
      streamWindowBytes: windowBytes,
    });
    this.#flush();
    socket.on("data", (bytes: Uint8Array) => {
      this.#session.receive(bytes, performance.now());
      this.#flush();
    });
    socket.on("close", () => this.#session.lose());
  }

  prepare(index: number): { readonly send: () => Promise<Buffer>; readonly expected: Buffer } {
    const path = stepPath(this.#kind, index);
    const headers = requestHeaders(this.#kind, this.#authority)
      .filter(([name]) => name !== "Host")
      .map(([name, value]): [string, string] => [name.toLowerCase(), value]);
    const fields: [string, string][] = [
      [":method", this.#kind.method],
      [":scheme", "https"],
      [":authority", this.#authority],
      [":path", path],
      ...headers,
    ];
    const body = Buffer.from(requestBody(this.#kind, index));
    return { expected: Buffer.from(answerTo(path)), send: () => this.#send(fields, body) };
  }

  close(): void {
    this.#socket.destroy();
  }

  #send(fields: [string, string][], body: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const stream = this.#session.open();
      const pieces: Uint8Array[] = [];
      stream.listen({
        headers: () => {},
        data: (bytes) => {
          pieces.push(bytes);
          stream.consumed(bytes.length);
        },
        end: () => resolve(Buffer.concat(pieces)),
        reset: (code) => reject(new WrongAnswerError("a step", `the stream was broken off: ${code}`)),
      });
      stream.sendHeaders(fields, body.length === 0);
      if (body.length > 0) {
        stream.sendData(body);
        stream.end([]);
      }
      this.#flush();
    });
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#gathered);
    this.#gathered = [];
    if (bytes.length > 0) this.#socket.write(bytes);
  }
}
