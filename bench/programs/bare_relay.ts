/**
 * The floor of a recording proxy: looks into TLS and relays on Node's own servers and clients; records nothing.
 *
 * Argument: the PEM file that the upstream's certificate is verified with. Prints one JSON line `{port, ca}`; ends when
 * its stdin does.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import https from "node:https";
import { createAuthority } from "../../lib/proxy/mod.ts";
import { announceUntilEnd } from "../support/announce.ts";
import { acceptTunnels } from "../support/tls_acceptor.ts";

const agent = new https.Agent({ keepAlive: true, ca: Deno.readTextFileSync(Deno.args[0] ?? "") });
const authority = createAuthority();
await announceUntilEnd(await acceptTunnels(authority, "localhost", relay), authority);

function relay(request: IncomingMessage, response: ServerResponse): void {
  const [, port] = (request.headers.host ?? "").split(":");
  const { method, url, rawHeaders } = request;
  const outgoing = https.request({ agent, host: "localhost", port, method, path: url, headers: rawHeaders });
  outgoing.on("socket", (socket) => socket.setNoDelay(true));
  outgoing.on("error", () => response.destroy());
  outgoing.on("response", (incoming) => {
    response.sendDate = false;
    response.writeHead(incoming.statusCode ?? 0, incoming.statusMessage, incoming.rawHeaders);
    incoming.pipe(response);
  });
  request.pipe(outgoing);
}
