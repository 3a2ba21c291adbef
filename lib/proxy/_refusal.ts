import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Answers a request that is meant for no origin, and says why in one sentence. */
export function refuse(request: IncomingMessage, response: ServerResponse): string {
  const asked = `${request.method} ${(request.url ?? "").slice(0, 200)}`;
  const reason = `${asked}: agrepl's proxy wants an absolute URL of http or https, or CONNECT host:port`;
  response.writeHead(400, { "content-type": "text/plain", "x-agrepl": "refused", "connection": "close" });
  response.end(`${reason}\n`);
  return reason;
}

/** Answers a request to a host that the user dropped. */
export function refuseDropped(response: ServerResponse): void {
  response.writeHead(503, { "x-agrepl": "dropped", "content-length": "0" });
  response.end();
}

/** Answers bytes that are no HTTP request, as far as the connection still allows. */
export function refuseSocket(error: Error & { code?: string }, socket: Socket): string {
  const tooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const status = tooLarge ? "431 Request Header Fields Too Large" : "400 Bad Request";
  const reason = tooLarge ? "a request's headers are larger than 256 KiB" : `not an HTTP request: ${error.message}`;
  if (socket.writable && error.code !== "ECONNRESET") {
    socket.end(`HTTP/1.1 ${status}\r\nx-agrepl: refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  } else socket.destroy();
  return reason;
}
