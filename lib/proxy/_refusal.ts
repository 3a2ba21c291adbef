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

/** Codes of a client that left, which is no event, and of TLS, of which the tunnel gives notice. */
const silentCodes = /^(?:ECONNRESET|EPIPE|HPE_INVALID_EOF_STATE|ERR_SSL_.*|ERR_TLS_.*)$/;

/**
 * Answers bytes that are no HTTP request, as far as the connection still allows.
 *
 * @param answering An answer to an earlier request is on its way: nothing can be put in between.
 * @returns What was wrong, or `null` when that is told elsewhere, or the client has merely left.
 */
export function refuseSocket(error: Error & { code?: string }, socket: Socket, answering: boolean): string | null {
  if (silentCodes.test(error.code ?? "")) {
    socket.destroy();
    return null;
  }
  const tooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const status = tooLarge ? "431 Request Header Fields Too Large" : "400 Bad Request";
  if (socket.writable && !answering) {
    socket.end(`HTTP/1.1 ${status}\r\nx-agrepl: refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  } else socket.destroy();
  return tooLarge ? "a request's headers are larger than 256 KiB" : `not an HTTP request: ${error.message}`;
}
