/** Bytes that begin like TLS and are none, or that stop in the middle: each ends its own connection and no other. */
import { Buffer } from "node:buffer";
import { deepEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { RawSocket } from "../support/raw_socket.ts";
import { type Door, openDoor } from "./door.ts";
import { realHello } from "./hello.ts";
import { pour } from "./pour.ts";
import { whileOthersAsk } from "./witness.ts";

/** Sends bytes into a tunnel while others ask, and waits until the door has ended it. */
async function endsTunnel(door: Door, send: (tunnel: RawSocket) => unknown): Promise<void> {
  await whileOthersAsk({ port: door.port, certificatePem: door.authority.certificatePem }, async () => {
    await using tunnel = await RawSocket.tunnel(door.port, "a.test:443");
    tunnel.socket.on("error", () => {});
    await send(tunnel);
    await tunnel.rest();
  });
  // What a client of HTTP did not ask must not have been asked for it.
  ok(door.asked.every((asked) => asked.includes("witness.test")), door.asked.join("\n"));
  deepEqual(door.notices.filter(({ kind }) => kind === "failed"), []);
}

const record = (lengthBytes: number) => Buffer.from([22, 3, 1, lengthBytes >> 8, lengthBytes & 255]);

const bad: Readonly<Record<string, (hello: Buffer) => readonly (Buffer | string)[]>> = {
  "a record of 65,535 bytes, all of them": () => [record(65535), Buffer.alloc(65535, 1)],
  "a record of 65,535 bytes that stops": () => [record(65535), Buffer.from([1, 0, 255, 0])],
  "a hello that says it has 16 MiB": () => [record(9), Buffer.from([1, 255, 255, 255]), Buffer.alloc(70_000)],
  "a hello that stops in the middle": (hello) => [hello.subarray(0, hello.length >> 1)],
  "garbage behind a whole hello": (hello) => [hello, Buffer.alloc(1000, 0xa5)],
  "HTTP behind a whole hello": (hello) => [hello, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"],
  "a second hello behind the first": (hello) => [hello, hello],
  "an alert behind a whole hello": (hello) => [hello, Buffer.from([21, 3, 3, 0, 2, 2, 40])],
  "nothing behind a whole hello": (hello) => [hello],
  "an alert alone": () => [Buffer.from([21, 3, 1, 0, 2, 2, 40])],
  "SSL 2": () => [Buffer.from([0x80, 0x2e, 1, 0, 2, 0, 0x15, 0, 0, 0, 0x10]), "\r\n\r\n"],
};

for (const [name, parts] of Object.entries(bad)) {
  Deno.test(`a door ends a tunnel in which comes ${name}`, async () => {
    await using door = await openDoor(300);
    const hello = await realHello("a.test");
    await endsTunnel(door, (tunnel) => parts(hello).forEach((part) => tunnel.send(part)));
  });
}

Deno.test("a door ends a tunnel with a hello that never ends, in records of one byte", async () => {
  await using door = await openDoor(300);
  await endsTunnel(door, async (tunnel) => {
    tunnel.send(Buffer.from([22, 3, 1, 0, 4, 1, 255, 255, 255]));
    await pour(tunnel, "\x16\x03\x01\x00\x01\xff", 10_000_000);
  });
});

Deno.test("a door ends 60 tunnels with a hello of which some bytes are others, and others do not notice", async () => {
  await using door = await openDoor(300);
  const hello = await realHello("a.test");
  const change = fc.tuple(fc.nat({ max: hello.length - 1 }), fc.nat({ max: 255 }));
  const changed = fc.sample(fc.array(change, { minLength: 1, maxLength: 8 }), { numRuns: 60, seed: 1 });
  await endsTunnel(door, async (last) => {
    await Promise.all(changed.map(async (changes) => {
      const bytes = Buffer.from(hello);
      for (const [at, value] of changes) bytes[at] = value;
      await using tunnel = await RawSocket.tunnel(door.port, "a.test:443");
      tunnel.socket.on("error", () => {});
      tunnel.send(bytes);
      await tunnel.rest();
    }));
    last.send("\0");
    last.send("\r\n\r\n");
  });
});

/** How far a client gets before it resets its connection. */
const stages: Readonly<Record<string, (hello: Buffer) => Buffer | string>> = {
  "it connected": () => "",
  "half a head": () => "GET http://a.test/ HT",
  "a head and half its body": () => "POST http://a.test/stall HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc",
  "a request that waits": () => "GET http://a.test/stall HTTP/1.1\r\n\r\n",
  "requests that it does not read": () => "GET http://a.test/ HTTP/1.1\r\n\r\n".repeat(100),
  "a CONNECT": () => "CONNECT a.test:443 HTTP/1.1\r\n\r\n",
  "half a hello": (hello) => Buffer.concat([connect, hello.subarray(0, 50)]),
  "a whole hello": (hello) => Buffer.concat([connect, hello]),
  "garbage behind a hello": (hello) => Buffer.concat([connect, hello, hello.subarray(0, 90)]),
};

const connect = Buffer.from("CONNECT a.test:443 HTTP/1.1\r\n\r\n");

for (const [stage, sent] of Object.entries(stages)) {
  Deno.test(`a door serves others while 30 clients reset their connections after ${stage}`, async () => {
    await using door = await openDoor();
    const bytes = sent(await realHello("a.test"));
    const { port, authority: { certificatePem } } = door;
    await whileOthersAsk({ port, certificatePem }, async () => {
      for (let count = 0; count < 30; count++) {
        const client = await RawSocket.connect(port);
        client.socket.on("error", () => {});
        client.socket.write(bytes);
        if (count % 2 === 0) await new Promise((resolve) => setImmediate(resolve));
        client.socket.resetAndDestroy();
      }
    });
    deepEqual(door.notices.filter(({ kind }) => kind !== "tls"), []);
  });
}
