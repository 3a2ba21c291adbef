/**
 * A server on a port of 127.0.0.1 that does to each connection what a test says, byte for byte.
 *
 * @module
 */
import net, { type AddressInfo } from "node:net";
import tls from "node:tls";
import { RawSocket } from "./raw_socket.ts";

/** What is done to a connection; `index` counts them from 0. */
export type Script = (connection: RawSocket, index: number) => Promise<void> | void;

/** A raw server. */
export interface RawUpstream extends AsyncDisposable {
  readonly port: number;
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** How many connections it has had. */
  readonly connections: number;
}

/**
 * Starts a server. A script that fails ends its connection.
 *
 * @param script What happens on each connection.
 * @param secure A certificate and its key, for TLS.
 * @param port Where to listen; a free one when it is 0.
 */
export async function startUpstream(script: Script, secure?: tls.TlsOptions, port = 0): Promise<RawUpstream> {
  const sockets = new Set<net.Socket>();
  let count = 0;
  const serve = (socket: net.Socket) => {
    const raw = new RawSocket(socket);
    const index = count++;
    Promise.resolve().then(() => script(raw, index)).catch(() => socket.destroy());
  };
  const server = secure === undefined ? net.createServer(serve) : tls.createServer(secure, serve);
  server.on("connection", (socket: net.Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: listening } = server.address() as AddressInfo;
  return {
    port: listening,
    host: `127.0.0.1:${listening}`,
    get connections() {
      return count;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A script that answers every request of a connection with what `answer` gives for it. */
export function answering(answer: (request: string) => Uint8Array | string | readonly string[]): Script {
  return async (connection) => {
    while (!connection.ended) {
      const answered = answer(await connection.request());
      if (typeof answered === "string" || answered instanceof Uint8Array) connection.send(answered);
      else await sendApart(connection, answered);
    }
  };
}

/** Sends pieces so that each is likely to be a read of its own. */
export async function sendApart(connection: RawSocket, pieces: readonly (Uint8Array | string)[]): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    // Until the other side has read: nothing tells when.
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    connection.send(piece);
  }
}

/** A whole response with a content-length. */
export function plain(body: string, head = "HTTP/1.1 200 OK\r\n"): string {
  return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
}
