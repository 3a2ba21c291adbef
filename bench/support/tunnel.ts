/** A client's way to an origin: straight to it, or by CONNECT through the proxy that the environment names. */

import net from "node:net";
import tls from "node:tls";

/**
 * Opens a TLS connection over `HTTPS_PROXY` when that is set, trusting `NODE_EXTRA_CA_CERTS`.
 *
 * @param authority `host:port`, or a host alone for 443.
 * @param ca What is trusted, as PEM.
 * @param protocol What is spoken inside, by its ALPN name.
 * @returns The connection, its handshake done.
 */
export async function openSecure(authority: string, ca: string, protocol = "http/1.1"): Promise<tls.TLSSocket> {
  const { hostname: servername, port: named } = new URL(`https://${authority}`);
  const port = named || "443";
  const proxy = Deno.env.get("HTTPS_PROXY");
  const socket = proxy ? await connect(new URL(proxy)) : await connect({ hostname: "127.0.0.1", port });
  if (proxy) await askForTunnel(socket, `${servername}:${port}`);
  const secure = tls.connect({ socket, servername, ca, ALPNProtocols: [protocol] });
  await new Promise((resolve, reject) => secure.once("secureConnect", resolve).once("error", reject));
  return secure;
}

function connect({ hostname, port }: { readonly hostname: string; readonly port: string }): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => resolve(socket));
    socket.setNoDelay(true).once("error", reject);
  });
}

function askForTunnel(socket: net.Socket, authority: string): Promise<void> {
  return new Promise((resolve) => {
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
    socket.once("data", () => resolve());
  });
}
