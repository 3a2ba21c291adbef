/**
 * An upstream on loopback for scripts: `/hello`, `/count` (another number each time), `/echo` and `/large`.
 *
 * @module
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An upstream that runs; disposing waits until nothing of it is left. */
export interface ScriptUpstream extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** How many requests have come. */
  readonly requests: number;
}

/** Starts an upstream on a free port. */
export async function startScriptUpstream(): Promise<ScriptUpstream> {
  let requests = 0;
  const server = createServer((request, response) => void answer(request, response, ++requests));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, count: number): Promise<void> {
  let body = "";
  for await (const chunk of request) body += chunk;
  const path = (request.url ?? "/").replace(/\?.*$/, "");
  const bodies: Readonly<Record<string, string>> = {
    "/hello": "hello\n",
    "/count": `${count}\n`,
    "/echo": body,
    "/large": "0123456789abcdef".repeat(8192),
  };
  const text = bodies[path];
  response.writeHead(text === undefined ? 404 : 200, { "content-type": "text/plain" });
  response.end(text ?? "not found\n");
}
