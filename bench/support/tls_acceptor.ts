/** The floor's own way in: CONNECT and TLS on Node's servers, with nothing of agrepl in between but the certificate. */

import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import tls from "node:tls";
import type { Authority } from "../../lib/proxy/mod.ts";

/**
 * Listens for CONNECT and ends TLS for `name`, whatever the client asks for.
 *
 * @param authority Signs the certificate.
 * @param name Whom the certificate is for.
 * @param answer Answers what comes out of the tunnels.
 * @returns The port of 127.0.0.1.
 */
export async function acceptTunnels(
  authority: Authority,
  name: string,
  answer: http.RequestListener,
): Promise<number> {
  const { keyPem, certPem } = authority.leafFor(name);
  const inner = http.createServer(answer);
  inner.keepAliveTimeout = 0;
  const outer = http.createServer();
  outer.on("connect", (_request, socket: Socket, head: Uint8Array) => {
    socket.setNoDelay(true);
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    if (head.length > 0) socket.unshift(head);
    socket.once("data", (hello: Uint8Array) => {
      socket.pause();
      socket.unshift(hello);
      const options = { isServer: true, key: keyPem, cert: certPem, ALPNProtocols: ["http/1.1"] };
      inner.emit("connection", new tls.TLSSocket(socket, options));
    });
  });
  await Promise.all([inner, outer].map(listen)); // the inner one too, or Deno closes after each response
  return (outer.address() as AddressInfo).port;
}

function listen(server: http.Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
}
