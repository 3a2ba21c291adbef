/**
 * The upstream of the recording benchmarks: an HTTPS server of its own.
 *
 * Prints one JSON line `{port, ca}`; ends when its stdin does.
 *
 * @module
 */
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { createAuthority } from "../../lib/proxy/mod.ts";
import { announceUntilEnd } from "../support/announce.ts";
import { answerLarge, answerStep, answerStream } from "../support/origin_answers.ts";

const authority = createAuthority();
const { keyPem: key, certPem: cert } = authority.leafFor("localhost");
const server = createServer({ key, cert }, (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "https://localhost");
  if (pathname === "/large") return void answerLarge(response, Number(searchParams.get("bytes")));
  if (pathname === "/stream") return void answerStream(response, Number(searchParams.get("chunks")));
  answerStep(request, response);
});
server.keepAliveTimeout = 60_000;
server.on("secureConnection", (socket: Socket) => socket.setNoDelay(true));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
await announceUntilEnd((server.address() as AddressInfo).port, authority);
