import { deepEqual, equal, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { constants, createDeflateRaw, deflateRawSync } from "node:zlib";
import type { Header } from "../step/mod.ts";
import { deflateMessage, MessageInflater, negotiatedDeflate } from "./websocket_deflate.ts";

const limit = 1024 * 1024;
const extensions = (...values: string[]): Header[] => values.map((value) => ["Sec-WebSocket-Extensions", value]);

/** Messages as a peer that keeps its window sends them. */
async function deflatedInOneGo(messages: readonly string[]): Promise<Buffer[]> {
  const stream = createDeflateRaw();
  let pieces: Buffer[] = [];
  stream.on("data", (piece: Buffer) => pieces.push(piece));
  const deflated: Buffer[] = [];
  for (const message of messages) {
    await new Promise<void>((resolve) => {
      stream.write(message);
      stream.flush(constants.Z_SYNC_FLUSH, resolve);
    });
    deflated.push(Buffer.concat(pieces).subarray(0, -4));
    pieces = [];
  }
  stream.destroy();
  return deflated;
}

const messages = [
  "hello hello",
  "hello hello again",
  "x".repeat(40_000),
  "hello again, hello hello again",
  "x".repeat(99),
];

Deno.test("MessageInflater decompresses messages that refer to those before them", async () => {
  const inflater = new MessageInflater(true, limit);
  for (const [index, deflated] of (await deflatedInOneGo(messages)).entries()) {
    equal(Buffer.from(inflater.inflate(deflated) ?? []).toString(), messages[index]);
  }
});

Deno.test("MessageInflater gives null for a message that refers to another when none may", async () => {
  const [first, second] = await deflatedInOneGo(messages);
  const inflater = new MessageInflater(false, limit);
  ok(first !== undefined && second !== undefined && inflater.inflate(first) !== null);
  equal(inflater.inflate(second), null);
});

Deno.test("MessageInflater gives null for a bomb, at about its limit", () => {
  const bomb = deflateRawSync(Buffer.alloc(50 * limit), { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
  equal(new MessageInflater(true, limit).inflate(bomb), null);
  equal(new MessageInflater(true, 50 * limit).inflate(bomb)?.length, 50 * limit);
});

Deno.test("MessageInflater gives null for bytes that are not compressed", () => {
  equal(new MessageInflater(true, limit).inflate(Buffer.from("no deflate")), null);
});

Deno.test("MessageInflater reads a message that ends with a final block, and the one behind it", () => {
  const inflater = new MessageInflater(true, limit);
  const final = Buffer.concat([deflateRawSync(Buffer.from("last")), Buffer.of(0)]); // RFC 7692, 7.2.3.5
  equal(Buffer.from(inflater.inflate(final) ?? []).toString(), "last");
  equal(Buffer.from(inflater.inflate(deflateMessage(Buffer.from("next"), 15)) ?? []).toString(), "next");
});

for (const bits of [8, 9, 12, 15]) {
  Deno.test(`deflateMessage() makes what an inflater reads when ${bits} bits were negotiated`, () => {
    const text = Buffer.from("a message that repeats, a message that repeats".repeat(500));
    const inflater = new MessageInflater(true, limit);
    for (const message of [text, Buffer.alloc(0), text]) {
      deepEqual(Buffer.from(inflater.inflate(deflateMessage(message, bits)) ?? [1]), message);
    }
  });
}

const takeover = { clientTakeover: true, serverTakeover: true, serverWindowBits: 15 };
const negotiations: readonly (readonly [Header[], ReturnType<typeof negotiatedDeflate>])[] = [
  [[], null],
  [extensions("x-other"), null],
  [extensions("permessage-deflate"), takeover],
  [extensions("x-other; a=1", "Permessage-Deflate; client_max_window_bits=10"), takeover],
  [extensions("permessage-deflate; server_no_context_takeover"), { ...takeover, serverTakeover: false }],
  [
    extensions('permessage-deflate;client_no_context_takeover; server_max_window_bits="10"'),
    { clientTakeover: false, serverTakeover: true, serverWindowBits: 10 },
  ],
  [extensions("permessage-deflate; server_max_window_bits=99"), takeover],
];

for (const [headers, negotiated] of negotiations) {
  Deno.test(`negotiatedDeflate() reads ${JSON.stringify(headers.map(([, value]) => value))}`, () => {
    deepEqual(negotiatedDeflate(headers), negotiated);
  });
}
