import { Buffer } from "node:buffer";
import { proxyNonsense, tunnelRefused } from "./_proxy_failure.ts";
import type { UpstreamProxy } from "./proxies.ts";

/** Proxies explain themselves with a page; only its head is read. */
const headLimitBytes = 64 * 1024;

/**
 * Asks a proxy for a tunnel (RFC 9110 9.3.6); afterwards the connection is one to the origin.
 *
 * @param connection To the proxy.
 * @throws {UpstreamError} when the proxy gives none.
 */
export async function openTunnel(
  connection: Deno.TcpConn,
  proxy: UpstreamProxy,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  const authority = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const credentials = proxy.authorization === null ? "" : `Proxy-Authorization: ${proxy.authorization}\r\n`;
  await writeAll(connection, Buffer.from(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`));
  const { head, rest } = await readHead(connection, proxy);
  const [, status = "", reason = ""] = /^HTTP\/1\.[01] (\d{3})(?: ([\t\x20-\x7e]*))?/.exec(head) ?? [];
  if (status === "") throw proxyNonsense(proxy, "answered a CONNECT with something that is not HTTP");
  if (!status.startsWith("2")) throw tunnelRefused(proxy, Number(status), reason);
  // In TLS the client speaks first: what comes before it cannot be the origin's.
  if (rest > 0) throw proxyNonsense(proxy, `sent ${rest} bytes through a tunnel before they were asked for`);
}

async function readHead(
  connection: Deno.TcpConn,
  proxy: UpstreamProxy,
): Promise<{ readonly head: string; readonly rest: number }> {
  let head = Buffer.alloc(0);
  const buffer = new Uint8Array(4096);
  while (head.length < headLimitBytes) {
    const count = await connection.read(buffer);
    if (count === null) throw proxyNonsense(proxy, "closed the connection before it answered a CONNECT");
    head = Buffer.concat([head, buffer.subarray(0, count)]);
    const end = head.indexOf("\r\n\r\n");
    if (end !== -1) return { head: head.toString("latin1", 0, end), rest: head.length - end - 4 };
  }
  throw proxyNonsense(proxy, `answered a CONNECT with a head of more than ${headLimitBytes} bytes`);
}

/** Writes the whole of it, which one write need not. */
export async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  let rest = bytes;
  while (rest.length > 0) rest = rest.subarray(await connection.write(rest));
}
