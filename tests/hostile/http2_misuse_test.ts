/** Clients of HTTP/2 that dawdle, do not read, or are none: each loses its own connection or stream, and nobody else's. */
import { Buffer } from "node:buffer";
import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import {
  endHeaders,
  field,
  frame,
  get,
  kind,
  last,
  postHead,
  preface,
  RawHttp2,
  requestBlock,
  settings,
  word,
} from "../support/raw_http2.ts";
import { MuteHttp2 } from "../support/mute_http2.ts";
import { RawSocket } from "../support/raw_socket.ts";
import { type Door, openDoor } from "./door.ts";
import { DoorProcess } from "./door_process.ts";
import { grewLittle, staysSmall, work } from "./http2_flood.ts";
import { whileOthersAsk } from "./witness.ts";

const address = ({ port, authority }: Door) => ({ port, certificatePem: authority.certificatePem });

/** What is no HTTP/2 behind a handshake that chose it, and the code of the farewell. */
const none: Readonly<Record<string, readonly [code: number, sent: Buffer | string]>> = {
  "HTTP/1.1": [1, "GET / HTTP/1.1\r\n"],
  "a preface with one byte wrong": [1, preface.subarray(0, 23).toString() + "\r"],
  "garbage behind the preface": [6, Buffer.concat([preface, Buffer.alloc(300, 0xa5)])],
  "zeros behind the preface": [1, Buffer.concat([preface, Buffer.alloc(300)])],
  "a request without settings before it": [1, Buffer.concat([preface, get(1, "/")])],
  "the preface twice": [6, Buffer.concat([preface, preface])],
};

for (const [what, [code, sent]] of Object.entries(none)) {
  Deno.test(`a door ends a connection of HTTP/2 on which comes ${what}, while others are served`, async () => {
    await using door = await openDoor();
    await whileOthersAsk(address(door), async () => {
      await using client = await RawHttp2.silent(address(door));
      client.raw.send(sent);
      equal(await client.goaway(), code);
    });
    ok(door.asked.every((asked) => asked.includes("witness.test")), door.asked.join("\n"));
    deepEqual(door.notices.map(({ kind }) => kind), ["refused"]);
  });
}

/** Where a client falls silent. */
const halves: Readonly<Record<string, Buffer>> = {
  "half a preface": preface.subarray(0, 12),
  "half its settings": Buffer.concat([preface, settings([4, 1]).subarray(0, 10)]),
  "half a frame of headers": Buffer.concat([preface, settings(), get(1, "/").subarray(0, 30)]),
  "half a header block": Buffer.concat([preface, settings(), frame(kind.headers, last, 1, requestBlock("/"))]),
};

for (const [what, sent] of Object.entries(halves)) {
  Deno.test(`a door ends a connection that stops at ${what}, when its patience ends`, async () => {
    await using door = await openDoor(400);
    await whileOthersAsk(address(door), async () => {
      await using client = await RawHttp2.silent(address(door));
      client.send(sent);
      equal(await client.goaway(), 11);
    });
  });
}

Deno.test("a door has patience with a client that sends one head after the other, each in two halves", async () => {
  await using door = await openDoor(400);
  await using client = await RawHttp2.open(address(door));
  let rest: Buffer = Buffer.alloc(0);
  for (let streamId = 1; streamId < 20; streamId += 2) {
    const request = get(streamId, "/");
    client.send(rest, request.subarray(0, 30));
    rest = request.subarray(30);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  client.send(rest);
  equal(await client.bodyOf(19), "GET https://a.test:443/ 0");
});

Deno.test("a door lets go of a client that asks and asks and reads no answer, while others are served", async () => {
  await using door = await DoorProcess.start(60_000);
  await whileOthersAsk(door, async () => {
    await work(door);
    const windows = [settings([4, 2 ** 31 - 1]), frame(kind.windowUpdate, 0, 0, word(2 ** 31 - 1 - 65_535))];
    using client = await MuteHttp2.open(door.port, ...windows);
    const beforeBytes = await door.residentBytes();
    const path = `/${"x".repeat(8000)}`; // its answer is as long
    let asked = 0;
    for (; await client.write(get(2 * asked + 1, path)); asked++) {
      if (asked % 100 === 0) await grewLittle(door, beforeBytes); // and has answered by then
    }
    ok(asked > 2000, `${asked} requests`);
  });
});

Deno.test("a door waits with answers that have no window, and sends them byte by byte when it grows so", async () => {
  await using door = await DoorProcess.start(60_000);
  await using client = await RawHttp2.open(door, [4, 0]);
  const ids = Array.from({ length: 100 }, (_, at) => 2 * at + 1);
  const after = async () => {
    const length = "GET https://a.test:443/window 0".length;
    for (let sent = 0; sent < length; sent++) client.send(...ids.map((id) => frame(kind.windowUpdate, 0, id, word(1))));
    const texts = new Map<number, string>();
    for (let ended = 0; ended < ids.length;) {
      const { streamId, payload, flags } = await client.until((got) => got.kind === kind.data);
      ok(payload.length <= 1);
      texts.set(streamId, (texts.get(streamId) ?? "") + payload.toString());
      ended += flags & last;
    }
    return new Set(texts.values());
  };
  const flood = {
    name: "",
    start: ids.map((id) => get(id, "/window")),
    one: (index: number) => get(2 * index + 201, "/"),
    count: 900,
  };
  deepEqual(await staysSmall(door, client, flood, after), new Set(["GET https://a.test:443/window 0"]));
});

Deno.test("a door answers 431 to each of 500 header blocks that are small and mean a lot, and goes on", async () => {
  await using door = await DoorProcess.start(60_000);
  await using client = await RawHttp2.open(door);
  const literal = field("x", "v".repeat(4000));
  literal[0] = 0x40; // to be kept
  const bomb = Buffer.concat([literal, Buffer.alloc(12_000, 0xbe)]);
  const one = (index: number) => frame(kind.headers, endHeaders | last, 2 * index + 1, bomb);
  await staysSmall(door, client, { name: "", one, count: 500 }, async () => {
    const { payload } = await client.until((got) => got.kind === kind.headers && got.streamId === 999);
    equal(payload.toString("latin1", 0, 5), "\x08\x03431");
    client.send(get(1001, "/after"));
    equal(await client.bodyOf(1001), "GET https://a.test:443/after 0");
  });
});

const lengths: Readonly<Record<string, readonly [length: string, ...body: string[]]>> = {
  "less than it says": ["3", "ab"],
  "more than it says": ["3", "ab", "cd"],
  "nothing where it says something": ["1", ""],
  "something where it says nothing": ["0", "a"],
  "a length that is none": ["+2", "ab"],
};

for (const [what, [length, ...body]] of Object.entries(lengths)) {
  Deno.test(`a door breaks off a request whose body is ${what}, and its engine never has it whole`, async () => {
    await using door = await openDoor();
    await using client = await RawHttp2.open(address(door));
    const head = requestBlock("/", "POST", field("content-length", length));
    const data = body.map((text, at) => frame(kind.data, at === body.length - 1 ? last : 0, 1, text));
    client.send(frame(kind.headers, endHeaders, 1, head), ...data, get(3, "/next"));
    equal(await client.resetOf(1), 1);
    equal(await client.bodyOf(3), "GET https://a.test:443/next 0");
    deepEqual(door.asked, ["GET https://a.test:443/next 0"]);
  });
}

Deno.test("a door takes a body of the length that its head says, and one behind a head that says none", async () => {
  await using door = await openDoor();
  await using client = await RawHttp2.open(address(door));
  const head = requestBlock("/", "POST", field("content-length", "3"));
  client.send(frame(kind.headers, endHeaders, 1, head), frame(kind.data, 0, 1, "ab"), frame(kind.data, last, 1, "c"));
  equal(await client.bodyOf(1), "POST https://a.test:443/ 3");
  client.send(postHead(3, "/"), frame(kind.data, last, 3, "abcd"));
  equal(await client.bodyOf(3), "POST https://a.test:443/ 4");
});

Deno.test("a door speaks HTTP/2 in a tunnel without TLS to a client that begins so, byte by byte", async () => {
  await using door = await openDoor();
  await using raw = await RawSocket.tunnel(door.port, "a.test:80");
  await using client = new RawHttp2(raw);
  for (const byte of Buffer.concat([preface, settings(), get(1, "/plain")])) client.raw.send(Buffer.from([byte]));
  equal(await client.bodyOf(1), "GET http://a.test:80/plain 0");
  client.send(...Array.from({ length: 1100 }, () => frame(kind.ping, 0, 0, "12345678")));
  equal(await client.goaway(), 11);
});

Deno.test("a door serves others while 30 clients reset their connections in the midst of requests", async () => {
  await using door = await openDoor();
  await whileOthersAsk(address(door), async () => {
    for (let count = 0; count < 30; count++) {
      const client = await RawHttp2.open(address(door));
      client.send(get(1, "/"), postHead(3, "/echo"), frame(kind.data, 0, 3, "x".repeat(1000)), get(5, "/stall"));
      if (count % 2 === 0) await client.bodyOf(1);
      client.raw.transport.resetAndDestroy();
    }
  });
  deepEqual(door.notices.filter(({ kind }) => kind === "failed"), []);
});

Deno.test("a door ends 100 connections on which some bytes of a conversation are others, and others do not notice", async () => {
  await using door = await openDoor(300);
  const talk = Buffer.concat([
    settings([4, 1000]),
    get(1, "/one"),
    postHead(3, "/two"),
    frame(kind.data, 8, 3, "\x03hello\0\0\0"),
    frame(kind.headers, endHeaders | last, 3, field("trailer", "t")),
    frame(kind.headers, last, 5, requestBlock("/three").subarray(0, 7)),
    frame(kind.continuation, endHeaders, 5, requestBlock("/three").subarray(7)),
    frame(kind.windowUpdate, 0, 0, word(500)),
    frame(kind.reset, 0, 3, word(8)),
    frame(kind.goaway, 0, 0, "\0\0\0\0\0\0\0\0"),
  ]);
  const change = fc.tuple(fc.nat({ max: talk.length - 1 }), fc.nat({ max: 255 }));
  const changed = fc.sample(fc.array(change, { minLength: 1, maxLength: 6 }), { numRuns: 100, seed: 1 });
  await whileOthersAsk(address(door), async () => {
    for (const changes of changed) await tellAll(door, changes.reduce(replaced, talk));
  });
  deepEqual(door.notices.filter(({ kind }) => kind === "failed"), []);
});

/** Sends bytes behind a preface, ends, and waits until the door has ended, too. */
async function tellAll(door: Door, bytes: Buffer): Promise<void> {
  await using client = await RawHttp2.silent(address(door));
  client.send(preface, bytes);
  client.raw.socket.end();
  await client.raw.rest();
}

function replaced(bytes: Buffer, [at, value]: readonly [number, number]): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = value;
  return copy;
}
