/** The live side: an HTTPS server on loopback, of HTTP/2 and HTTP/1.1, that never gives the same answer twice. */

import { randomBytes } from "node:crypto";
import { createServer as createPlainServer } from "node:http";
import { createSecureServer } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { type Authority, createAuthority } from "../../lib/proxy/mod.ts";

/** A server that runs; disposing of it stops it. */
export interface OriginServer extends AsyncDisposable {
  /** `https://localhost:PORT`. */
  readonly origin: string;
  /** What a client must trust to reach it, as PEM. */
  readonly certificatePem: string;
  /** The words that made its answers so far unlike each other. */
  readonly words: readonly string[];
}

/**
 * Starts a server on a free port of 127.0.0.1.
 *
 * @param host The name or address that clients are to call it by.
 * @param scheme With `http` there is no certificate in the way.
 */
export async function startOriginServer(host: string, scheme: "http" | "https" = "https"): Promise<OriginServer> {
  const words: string[] = [];
  const authority = createAuthority();
  const server = listener(authority, host, scheme, (request, response) => void answer(request, response, words));
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${scheme}://${host}:${port}`,
    certificatePem: authority.certificatePem,
    words,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** What the two versions' requests and responses have in common. */
type Request = Readable & { readonly method?: string | undefined; readonly url?: string | undefined };
interface Response {
  writeHead(status: number, headers?: Readonly<Record<string, string | string[] | number>>): Response;
  write(text: string): boolean;
  end(body?: string | Uint8Array): void;
}
type Listener = (request: Request, response: Response) => void;

function listener(authority: Authority, host: string, scheme: "http" | "https", take: Listener) {
  if (scheme === "http") return createPlainServer(take);
  const { keyPem, certPem } = authority.leafFor(host);
  return createSecureServer({ key: keyPem, cert: certPem, allowHTTP1: true }, take);
}

async function answer(request: Request, response: Response, words: string[]): Promise<void> {
  const fresh = () => {
    const word = randomBytes(20).toString("hex"); // as long as a commit's name in git
    words.push(word);
    return word;
  };
  const path = new URL(request.url ?? "/", "https://host").pathname;
  if (path === "/chunked") await answerChunked(response, fresh);
  else if (path === "/gzip") answerGzip(response, fresh);
  else if (path === "/echo") await answerEcho(request, response, fresh);
  else if (path === "/repeated") answerRepeated(response, fresh);
  else if (path === "/repository/info/refs") answerReferences(response, fresh);
  else response.writeHead(404).end();
}

async function answerChunked(response: Response, fresh: () => string): Promise<void> {
  response.writeHead(200, { "content-type": "text/plain; charset=utf-8" });
  for (const part of ["first", "zweitens: ü", "third"]) {
    response.write(`${part} ${fresh()}\n`);
    await setImmediate(); // or the three would leave as one
  }
  response.end();
}

function answerGzip(response: Response, fresh: () => string): void {
  const body = gzipSync(JSON.stringify({ zipped: fresh() }));
  const headers = { "content-type": "application/json", "content-encoding": "gzip", "content-length": body.length };
  response.writeHead(200, headers).end(body);
}

async function answerEcho(request: Request, response: Response, fresh: () => string): Promise<void> {
  const received = new TextDecoder().decode(await new globalThis.Response(toBody(request)).arrayBuffer());
  const body = JSON.stringify({ method: request.method, received: JSON.parse(received), id: fresh() });
  response.writeHead(200, { "content-type": "application/json" }).end(body);
}

function toBody(request: Request): ReadableStream<Uint8Array> {
  return ReadableStream.from(request);
}

/** The last answer is an error, so that a client's own exit code can tell that it read it. */
function answerRepeated(response: Response, fresh: () => string): void {
  const body = `short and stout: ${fresh()}\n`;
  response.writeHead(418, { "x-part": [fresh(), fresh()], "content-length": body.length });
  response.end(body);
}

/** What git's smart protocol answers to `ls-remote` (gitprotocol-http, version 0). */
function answerReferences(response: Response, fresh: () => string): void {
  const name = fresh();
  const lines = [
    "# service=git-upload-pack\n",
    null,
    `${name} HEAD\0agent=origin\n`,
    `${name} refs/heads/main\n`,
    null,
  ];
  const type = "application/x-git-upload-pack-advertisement";
  response.writeHead(200, { "content-type": type }).end(lines.map(toPacket).join(""));
}

function toPacket(line: string | null): string {
  return line === null ? "0000" : (line.length + 4).toString(16).padStart(4, "0") + line;
}
