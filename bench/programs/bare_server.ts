/**
 * The floor: CONNECT, TLS and a constant answer of 1 KiB on Node's own server, with nothing of agrepl in between but the
 * certificate.
 *
 * Prints one JSON line `{port, ca}`; stops when its stdin closes.
 */
import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import tls from "node:tls";
import { createAuthority } from "../../lib/proxy/mod.ts";

const authority = createAuthority();
const { keyPem, certPem } = authority.leafFor("localhost");
const body = new Uint8Array(1024).fill(120);

const inner = http.createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/plain", "content-length": body.length });
  response.end(body);
});
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
await Promise.all([inner, outer].map((server) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))));
const ca = Deno.makeTempFileSync({ prefix: "agrepl-bench-", suffix: ".pem" });
Deno.writeTextFileSync(ca, authority.certificatePem);
console.log(JSON.stringify({ port: (outer.address() as AddressInfo).port, ca }));
for await (const _ of Deno.stdin.readable);
Deno.removeSync(ca);
Deno.exit(0);
