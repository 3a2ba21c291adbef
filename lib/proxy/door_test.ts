/** What comes in by the door of a sandbox. It is tried over TCP here: a unix socket wants a permission for its path. */
import { deepEqual, equal, match } from "node:assert/strict";
import net from "node:net";
import tls from "node:tls";
import { RawSocket } from "../../tests/support/raw_socket.ts";
import type { Engine, LiveRequest, Protocol } from "../engine/mod.ts";
import { parseDestination } from "./_read_destination.ts";
import { createAuthority } from "./authority.ts";
import { type Destination, formatDestination } from "./forwarder_words.ts";
import { Proxy } from "./proxy.ts";

/** An engine that remembers what it was asked, and answers with the URL. */
class EchoEngine implements Engine {
  readonly requests: LiveRequest[] = [];
  readonly offers: (readonly Protocol[])[] = [];

  protocolOf(_origin: unknown, offers: readonly Protocol[]): Protocol {
    this.offers.push(offers);
    return "http/1.1";
  }

  exchange(request: LiveRequest, sink: Parameters<Engine["exchange"]>[1]): Promise<void> {
    this.requests.push(request);
    const body = new TextEncoder().encode(request.url);
    const headers = [["content-length", String(body.length)]] as const;
    sink.sendHead({ status: 200, statusText: "OK", httpVersion: "1.1", headers });
    sink.write(body);
    sink.end([]);
    return Promise.resolve();
  }
}

/** A proxy with a door. */
async function openDoor(
  patienceMs = 5000,
): Promise<AsyncDisposable & { engine: EchoEngine; port: number; ca: string }> {
  const [engine, authority] = [new EchoEngine(), createAuthority()];
  const proxy = await Proxy.listen({ engine, authority, onNotice: () => {}, patienceMs });
  const server = net.createServer((socket) => void proxy.enter(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    engine,
    port: (server.address() as net.AddressInfo).port,
    ca: authority.certificatePem,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      await proxy[Symbol.asyncDispose]();
      await closed;
    },
  };
}

Deno.test("Proxy takes an origin-form request at its door for the origin that was named", async () => {
  await using door = await openDoor();
  await using client = await RawSocket.connect(door.port);
  client.send("origin api.test:80\nGET /a?b HTTP/1.1\r\nHost: elsewhere.test\r\n\r\n");
  match(await client.response(), /\r\n\r\nhttp:\/\/api\.test:80\/a\?b$/);
});

Deno.test("Proxy reads a destination that comes byte by byte, and what follows it", async () => {
  await using door = await openDoor();
  await using client = await RawSocket.connect(door.port);
  for (const byte of "origin api.test:8080\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n") {
    client.send(byte);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  match(await client.response(), /http:\/\/api\.test:8080\/x$/);
});

Deno.test("Proxy ends TLS at its door as it does in a tunnel, with the protocols that were offered", async () => {
  await using door = await openDoor();
  const plain = await RawSocket.connect(door.port);
  plain.socket.removeAllListeners("data");
  plain.send("origin api.test:443\n");
  const options = { socket: plain.socket, servername: "api.test", ca: door.ca, ALPNProtocols: ["h2", "http/1.1"] };
  const secure = await new Promise<tls.TLSSocket>((resolve) => {
    const socket = tls.connect(options, () => resolve(socket));
  });
  await using client = new RawSocket(secure, plain.socket);
  client.send("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n");
  match(await client.response(), /https:\/\/api\.test:443\/$/);
  deepEqual([secure.alpnProtocol, door.engine.offers], ["http/1.1", [["h2", "http/1.1"]]]);
});

Deno.test("Proxy takes what speaks to a proxy at its door as one that came by TCP", async () => {
  await using door = await openDoor();
  await using client = await RawSocket.connect(door.port);
  client.send("proxy\nGET http://api.test/p HTTP/1.1\r\nHost: api.test\r\n\r\n");
  match(await client.response(), /http:\/\/api\.test\/p$/);
});

Deno.test("Proxy spells an origin of loopback at its door as the request does", async () => {
  await using door = await openDoor();
  await using client = await RawSocket.connect(door.port);
  client.send("origin 127.0.0.1:8080\nGET / HTTP/1.1\r\nHost: localhost:8080\r\n\r\n");
  match(await client.response(), /http:\/\/localhost:8080\/$/);
});

for (const nonsense of ["GET / HTTP/1.1\r\n\r\n", "origin api.test\n", "x".repeat(400)]) {
  Deno.test(`Proxy disconnects who says "${nonsense.slice(0, 16).trim()}" at its door`, async () => {
    await using door = await openDoor();
    await using client = await RawSocket.connect(door.port);
    client.send(nonsense);
    equal(await client.rest(), "");
    deepEqual(door.engine.requests, []);
  });
}

Deno.test("Proxy disconnects who says nothing at its door", async () => {
  await using door = await openDoor(50);
  await using client = await RawSocket.connect(door.port);
  equal(await client.rest(), "");
});

const destinations: readonly Destination[] = [
  { kind: "proxy" },
  { kind: "origin", host: "api.test", port: 443 },
  { kind: "origin", host: "[2001:db8::1]", port: 8080 },
];

Deno.test("parseDestination() reads what formatDestination() wrote", () => {
  for (const destination of destinations) {
    deepEqual(parseDestination(formatDestination(destination).slice(0, -1)), destination);
  }
});
