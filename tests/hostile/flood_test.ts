/** More than anybody sends: refused early, in bounded memory and time, while others are served. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { RawSocket } from "../support/raw_socket.ts";
import { openDoor } from "./door.ts";
import { DoorProcess } from "./door_process.ts";
import { pour } from "./pour.ts";
import { whileOthersAsk } from "./witness.ts";

const mebibyte = 1024 * 1024;

const chunkedPost = "POST http://a.test/flood HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n";

const floods: readonly {
  readonly name: string;
  readonly start: string;
  readonly piece: string;
  readonly answer: RegExp;
}[] = [
  {
    name: "100 MB of headers",
    start: "GET http://a.test/flood HTTP/1.1\r\n",
    piece: `A: ${"x".repeat(1000)}\r\n`,
    answer: /^HTTP\/1\.1 431 /,
  },
  {
    name: "a header of 100 MB",
    start: "GET http://a.test/flood HTTP/1.1\r\nA: ",
    piece: "x",
    answer: /^HTTP\/1\.1 431 /,
  },
  { name: "a request line of 100 MB", start: "GET http://a.test/", piece: "x", answer: /^HTTP\/1\.1 431 / },
  { name: "a chunk extension of 100 MB", start: `${chunkedPost}1;`, piece: "x", answer: /^HTTP\/1\.1 400 / },
  { name: "trailers that do not end", start: `${chunkedPost}0\r\n`, piece: "T: x\r\n", answer: /^HTTP\/1\.1 431 / },
];

for (const { name, start, piece, answer } of floods) {
  Deno.test(`a door refuses ${name} early, and holds no more than a little of it`, async () => {
    await using door = await DoorProcess.start(60_000);
    const received = await whileOthersAsk(door, async () => {
      await using client = await RawSocket.connect(door.port);
      const beforeBytes = await door.residentBytes();
      client.send(start);
      const sentBytes = await pour(client, piece, 100 * mebibyte);
      ok(sentBytes < 20 * mebibyte, `took ${sentBytes} bytes`);
      const grownBytes = await door.residentBytes() - beforeBytes;
      ok(grownBytes < 64 * mebibyte, `grew by ${grownBytes} bytes`);
      return client.received.toString("latin1");
    });
    match(received, answer);
  });
}

const held: Readonly<Record<string, readonly [start: string, piece: string]>> = {
  "requests behind one that waits": ["GET http://a.test/stall HTTP/1.1\r\n\r\n", "GET http://a.test/ HTTP/1.1\r\n\r\n"],
  "a body that nobody reads": [chunkedPost.replace("/flood", "/stall"), `8000\r\n${"x".repeat(0x8000)}\r\n`],
  "bytes in chunks of 4 KB that nobody reads": [
    chunkedPost.replace("/flood", "/stall"),
    `1;${"x".repeat(4000)}\r\na\r\n`,
  ],
};

for (const [name, [start, piece]] of Object.entries(held)) {
  Deno.test(`a door lets a client wait that sends 100 MB of ${name}`, async () => {
    await using door = await DoorProcess.start(60_000);
    await whileOthersAsk(door, async () => {
      await using client = await RawSocket.connect(door.port);
      const beforeBytes = await door.residentBytes();
      client.send(start);
      const sentBytes = await pour(client, piece, 100 * mebibyte, 300);
      ok(sentBytes < 40 * mebibyte, `took ${sentBytes} bytes`); // the kernel's buffers take their part
      const grownBytes = await door.residentBytes() - beforeBytes;
      ok(grownBytes < 64 * mebibyte, `grew by ${grownBytes} bytes`);
    });
  });
}

Deno.test(
  "a door takes 100 MB of chunk extensions, each of them short, and keeps none",
  async () => {
    await using door = await DoorProcess.start(60_000);
    await whileOthersAsk(door, async () => {
      await using client = await RawSocket.connect(door.port);
      client.send(chunkedPost);
      await pour(client, `1;${"x".repeat(4000)}\r\na\r\n`, 5 * mebibyte);
      const beforeBytes = await door.residentBytes();
      await pour(client, `1;${"x".repeat(4000)}\r\na\r\n`, 95 * mebibyte);
      const grownBytes = await door.residentBytes() - beforeBytes;
      ok(grownBytes < 64 * mebibyte, `grew by ${grownBytes} bytes`);
      equal(client.ended, false);
    });
  },
);

Deno.test("a door serves others beside 1,000 connections that say nothing", async () => {
  await using door = await DoorProcess.start(60_000);
  const beforeBytes = await door.residentBytes();
  await using silent = await many(1000, door.port, "");
  await whileOthersAsk(door, () => Promise.resolve());
  ok(silent.sockets.every((socket) => !socket.ended));
  const grownBytes = await door.residentBytes() - beforeBytes;
  ok(grownBytes < 64 * mebibyte, `grew by ${grownBytes} bytes`);
});

Deno.test("a door with room for 20 ends the oldest that ask nothing, and none that waits for an answer", async () => {
  await using door = await openDoor(60_000, 20);
  await using waiting = await many(5, door.port, "GET http://a.test/stall HTTP/1.1\r\n\r\n");
  await using tunnels = await many(5, door.port, "CONNECT a.test:443 HTTP/1.1\r\n\r\n");
  await using silent = await many(100, door.port, "");
  await using last = await RawSocket.connect(door.port);
  last.send("GET http://a.test/ HTTP/1.1\r\n\r\n");
  match(await last.response(), /^HTTP\/1\.1 200 /);
  const open = [waiting, tunnels, silent].map(({ sockets }) => sockets.filter((socket) => !socket.ended).length);
  deepEqual(open, [5, 0, 14]);
});

const halfOpen: Readonly<Record<string, string>> = {
  "half of a head": "GET http://a.test/ HTTP/1.1\r\nA: b",
  "half of a hello": "CONNECT a.test:443 HTTP/1.1\r\n\r\n\x16\x03\x01\x02\x00\x01\x00",
};

for (const [name, text] of Object.entries(halfOpen)) {
  Deno.test(`a door ends 300 connections that stop at ${name}, when its patience ends`, async () => {
    await using door = await DoorProcess.start(500);
    await using slow = await many(300, door.port, text);
    const startMs = performance.now();
    await whileOthersAsk(door, async () => void await Promise.all(slow.sockets.map((socket) => socket.rest())));
    ok(performance.now() - startMs < 5000);
  });
}

/** So many connections that send the same. */
async function many(count: number, port: number, text: string) {
  const sockets: RawSocket[] = [];
  for (let index = 0; index < count; index++) {
    const socket = await RawSocket.connect(port);
    socket.socket.on("error", () => {});
    if (text !== "") socket.send(text);
    sockets.push(socket);
  }
  return {
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) await socket[Symbol.asyncDispose]();
    },
  };
}
