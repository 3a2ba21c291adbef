/**
 * A proxy of the kind that companies have: CONNECT and absolute-form, with credentials or without.
 *
 * @module
 */
import net from "node:net";
import type { RawSocket } from "./raw_socket.ts";
import { plain, type RawUpstream, startUpstream } from "./raw_upstream.ts";

/** A proxy that remembers what it was asked. */
export interface RawProxy extends RawUpstream {
  /** The head of each request. */
  readonly heads: readonly string[];
}

/** What a proxy does. */
export interface RawProxyOptions {
  /** `user:password` that it wants; without them anybody may. */
  readonly credentials?: string;
  /** What it answers to every CONNECT, in place of a tunnel. */
  readonly answer?: string;
}

/** Starts a proxy on a free port. */
export async function startProxy({ credentials, answer }: RawProxyOptions = {}): Promise<RawProxy> {
  const heads: string[] = [];
  const wanted = credentials === undefined ? "" : `\r\nProxy-Authorization: Basic ${btoa(credentials)}\r\n`;
  const upstream = await startUpstream(async (connection) => {
    while (!connection.ended) {
      const request = await connection.request();
      heads.push(request.slice(0, request.indexOf("\r\n\r\n") + 2));
      if (!request.includes(wanted)) connection.send(plain("", "HTTP/1.1 407 Proxy Authentication Required\r\n"));
      else if (!request.startsWith("CONNECT ")) await forward(connection, request);
      else if (answer !== undefined) connection.send(answer);
      else return tunnel(connection, request);
    }
  });
  return Object.assign(upstream, { heads });
}

/** Joins two connections: what one side ends or breaks, the other does. */
function tunnel(connection: RawSocket, request: string): Promise<void> {
  const inner = connection.socket;
  const outer = dial(request.split(" ")[1] ?? "");
  inner.removeAllListeners("data");
  outer.once("connect", () => {
    inner.write("HTTP/1.1 200 Connection established\r\n\r\n");
    inner.pipe(outer).pipe(inner);
  });
  inner.once("close", () => outer.destroy());
  outer.on("error", () => {}).once("close", () => inner.destroy());
  return Promise.resolve();
}

/** Sends a request on in origin-form, on a connection of its own, and its answer back. */
async function forward(connection: RawSocket, request: string): Promise<void> {
  const [, authority = "", target = ""] = /^\S+ http:\/\/([^/]+)(\S*)/.exec(request) ?? [];
  const asked = request.replace(`http://${authority}${target}`, target || "/");
  const outer = dial(authority);
  outer.end(asked.replace(/\r\n\r\n/, "\r\nX-Forwarded: yes\r\n\r\n"), "latin1");
  for await (const bytes of outer) connection.send(bytes);
}

function dial(authority: string): net.Socket {
  const [host = "", port] = authority.split(":");
  return net.connect({ host, port: Number(port) });
}
