/** HTTP/2 that nobody means: refused with the right code, or taken in bounded memory, while others are served. */
import { Buffer } from "node:buffer";
import { equal, match } from "node:assert/strict";
import {
  endHeaders,
  field,
  frame,
  get,
  kind,
  last,
  longGet,
  postHead,
  RawHttp2,
  requestBlock,
  settings,
  word,
} from "../support/raw_http2.ts";
import { DoorProcess } from "./door_process.ts";
import { type Flood, staysSmall } from "./http2_flood.ts";

/** Codes of RFC 9113 7. */
const flowControlError = 3;
const enhanceYourCalm = 11;

/** A window that is turned as often as one frame can. */
const turning = { even: turns(0), odd: turns(1) };

const refused: readonly (Flood & { readonly code: number })[] = [
  {
    name: "100,000 requests, each reset at once",
    one: (index) => Buffer.concat([get(2 * index + 1, "/stall"), frame(kind.reset, 0, 2 * index + 1, word(8))]),
    count: 100_000,
    code: enhanceYourCalm,
  },
  { name: "100,000 settings", one: () => settings([4, 65_535]), count: 100_000, code: enhanceYourCalm },
  {
    name: "settings that turn a window 2,700 times each",
    start: waiting(100),
    one: (index) => index % 2 === 0 ? turning.even : turning.odd,
    count: 6000,
    code: enhanceYourCalm,
  },
  { name: "100,000 pings", one: () => frame(kind.ping, 0, 0, "12345678"), count: 100_000, code: enhanceYourCalm },
  {
    name: "a header block of 100 MB",
    start: [frame(kind.headers, last, 1, requestBlock("/"))],
    one: () => frame(kind.continuation, 0, 1, field("x", "y".repeat(16_000))),
    count: 6000,
    code: enhanceYourCalm,
  },
  {
    name: "a header block in pieces of nothing",
    start: [frame(kind.headers, last, 1, requestBlock("/"))],
    one: () => frame(kind.continuation, 0, 1),
    count: 1_000_000,
    code: enhanceYourCalm,
  },
  {
    name: "a body in pieces of nothing",
    start: [postHead(1, "/echo")],
    one: () => frame(kind.data, 0, 1),
    count: 1_000_000,
    code: enhanceYourCalm,
  },
  {
    name: "100 MB of bytes, each in a frame of its own, for a body that nobody reads",
    start: [postHead(1, "/stall")],
    one: () => frame(kind.data, 0, 1, "x"),
    count: 10_000_000,
    code: flowControlError,
  },
  {
    name: "requests that it makes the door reset",
    one: (index) =>
      Buffer.concat([postHead(2 * index + 1, "/stall"), frame(kind.windowUpdate, 0, 2 * index + 1, word(0))]),
    count: 100_000,
    code: enhanceYourCalm,
  },
  {
    name: "100,000 requests without a method",
    one: (index) => frame(kind.headers, endHeaders | last, 2 * index + 1, Buffer.from([0x84, 0x87])),
    count: 100_000,
    code: enhanceYourCalm,
  },
];

for (const flood of refused) {
  Deno.test(`a door ends a connection that sends ${flood.name}`, async () => {
    await using door = await DoorProcess.start(60_000);
    await using client = await RawHttp2.open(door);
    equal(await staysSmall(door, client, flood, () => client.goaway()), flood.code);
  });
}

const absorbed: readonly Flood[] = [
  { name: "1,000,000 priorities", one: () => frame(kind.priority, 0, 3, "\0\0\0\0\x10"), count: 1_000_000 },
  { name: "windows that grow byte by byte", one: () => frame(kind.windowUpdate, 0, 0, word(1)), count: 2_000_000 },
  { name: "frames of a kind that nobody knows", one: () => frame(0xfa, 0xff, 7, "x".repeat(16_000)), count: 6000 },
  {
    name: "500 blocks of 200 KB, each a request",
    one: (index) => longGet(2 * index + 1, requestBlock("/big", "GET", field("x", "y".repeat(200_000)))),
    count: 500,
  },
  {
    name: "bytes of 20 bodies that nobody reads, each in a frame of its own, as far as the windows allow",
    start: waiting(20),
    one: (index) => frame(kind.data, 0, 2 * (index % 20) + 1, "x"),
    count: 20 * 250_000,
  },
  {
    name: "bodies that nobody reads, in frames that hold a lot and mean little",
    start: waiting(100),
    one: (index) =>
      Buffer.concat([
        frame(kind.data, 0, 2 * (index % 100) + 1, "x".repeat(1100)),
        frame(0xfa, 0, 0, "x".repeat(15_000)),
      ]),
    count: 100 * 100,
  },
];

for (const flood of absorbed) {
  Deno.test(`a door takes ${flood.name}, and goes on`, async () => {
    await using door = await DoorProcess.start(60_000);
    await using client = await RawHttp2.open(door);
    const body = await staysSmall(door, client, flood, () => {
      client.send(get(2_000_001, "/after"));
      return client.bodyOf(2_000_001);
    });
    match(body, /\/after 0$/);
  });
}

function turns(from: number): Buffer {
  return settings(...Array.from({ length: 2700 }, (_, at) => [4, (from + at) % 2] as const));
}

/** So many requests that are never answered. */
function waiting(count: number): Buffer[] {
  return Array.from({ length: count }, (_, index) => postHead(2 * index + 1, "/stall"));
}
