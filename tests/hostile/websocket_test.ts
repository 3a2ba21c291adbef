/** Frames that nobody should send: read the same however they are cut, told, and never a harm to anybody else. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { deflateMessage, encodeFrame, MessageReader, opcodes } from "../../lib/wire/mod.ts";
import { Rig } from "../support/rig.ts";
import { openSocket, startSocketServer } from "../support/wire_peer.ts";

const deflate = { clientTakeover: true, serverTakeover: true, serverWindowBits: 15 };
const mask = Uint8Array.of(1, 2, 3, 4);

function frame(opcode: number, payload: Uint8Array | string, changes: { fin?: boolean; deflated?: boolean } = {}) {
  return Buffer.from(encodeFrame({ fin: true, deflated: false, opcode, payload: Buffer.from(payload), ...changes }));
}

/** What a server may send: each kind of frame once, and a compressed message in two fragments. */
const compressed = deflateMessage(Buffer.from("again and again and again"), 15);
const whole = Buffer.concat([
  frame(opcodes.text, "hello"),
  frame(opcodes.text, compressed.subarray(0, 3), { deflated: true, fin: false }),
  frame(opcodes.ping, "between"),
  frame(opcodes.continuation, compressed.subarray(3)),
  frame(opcodes.binary, Buffer.alloc(300, 1)),
  frame(opcodes.close, "\0\0"),
]);

/** All that a reader says of bytes that come in pieces. */
function readingOf(...pieces: readonly Uint8Array[]): unknown {
  const reader = new MessageReader({ from: "server", deflate, limitBytes: 100_000 });
  const frames = pieces.flatMap((piece) => reader.push(piece)).map(({ frame, message }) => [
    frame.opcode,
    frame.fin,
    Buffer.from(frame.payload).toString("hex"),
    message === null ? null : Buffer.from(message.payload).toString("hex"),
  ]);
  return { frames, failure: reader.failure };
}

Deno.test("MessageReader reads the same at every split point", () => {
  const expected = readingOf(whole);
  for (let at = 0; at <= whole.length; at++) deepEqual(readingOf(whole.subarray(0, at), whole.subarray(at)), expected);
});

Deno.test("MessageReader reads mutated bytes the same at every split point, and never throws", () => {
  const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(changes, fc.nat(whole.length), fc.nat(whole.length), (mutations, one, other) => {
      const bytes = Buffer.from(whole);
      for (const [at, value] of mutations) bytes[at] = value;
      const [first, last] = [Math.min(one, other), Math.max(one, other)];
      deepEqual(
        readingOf(bytes.subarray(0, first), bytes.subarray(first, last), bytes.subarray(last)),
        readingOf(bytes),
      );
    }),
    { numRuns: 500 },
  );
});

Deno.test("MessageReader reads noise without throwing, and stays silent once it has failed", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }), (pieces) => {
      const reader = new MessageReader({ from: "client", deflate, limitBytes: 1000 });
      for (const piece of pieces) {
        const failed = reader.failure !== null;
        const read = reader.push(piece);
        if (failed) deepEqual(read, []);
      }
    }),
    { numRuns: 500 },
  );
});

/** What a client may send to a replay that no client should. */
const nonsense: Readonly<Record<string, Uint8Array>> = {
  "an unmasked frame": frame(opcodes.text, "hello"),
  "a reserved opcode": encodeFrame({ fin: true, deflated: false, opcode: 3, payload: Buffer.of() }, mask),
  "a reserved bit": encodeFrame({ fin: true, deflated: true, opcode: opcodes.ping, payload: Buffer.of() }, mask),
  "a ping of 126 bytes": encodeFrame(
    { fin: true, deflated: false, opcode: opcodes.ping, payload: Buffer.alloc(126) },
    mask,
  ),
  "a length of 2^63": Buffer.from("82ff800000000000000001020304", "hex"),
  "a message of 65 MiB": Buffer.from("82ff000000000410000001020304", "hex"),
  "a continuation of nothing": encodeFrame({ fin: true, deflated: false, opcode: 0, payload: Buffer.of() }, mask),
  "bytes that are not compressed": encodeFrame(
    { fin: true, deflated: true, opcode: opcodes.text, payload: Buffer.from("no deflate") },
    mask,
  ),
  "a bomb": encodeFrame(
    { fin: true, deflated: true, opcode: opcodes.text, payload: deflateMessage(Buffer.alloc(65 * 1024 * 1024), 15) },
    mask,
  ),
};

const extensions = "Sec-WebSocket-Extensions: permessage-deflate\r\n";

for (const [what, bytes] of Object.entries(nonsense)) {
  Deno.test(`a replay closes a socket with 1002 when its client sends ${what}, and serves the others`, async () => {
    await using rig = new Rig();
    await using server = await startSocketServer(async (peer) => {
      await peer.saw();
      peer.text("welcome");
      await peer.rest();
    }, { headers: extensions });
    const hello = async (port: number) => {
      await using peer = await openSocket(port, { host: server.host, headers: extensions });
      peer.text("hello");
      return await peer.saw();
    };
    await rig.record((port) => Promise.all([hello(port), hello(port)]));
    const { value } = await rig.replay(async (port) => {
      await using hostile = await openSocket(port, { host: server.host, headers: extensions });
      hostile.raw.send(bytes);
      const closed = await hostile.rest();
      return [closed, await hello(port)] as const;
    });
    match(value[0][0] ?? "", /^close 1002 /);
    equal(value[1], "text welcome");
  });
}

Deno.test("a recording passes a bomb on as it is, and what comes behind it", async () => {
  await using rig = new Rig();
  const bomb = Buffer.from(nonsense["a bomb"] ?? []);
  await using server = await startSocketServer(async (peer) => {
    const [opcode] = await peer.raw.take((bytes) => bytes.length >= bomb.length ? bomb.length : null);
    peer.text(`it began with ${opcode}`);
    await peer.raw.rest();
  }, { headers: extensions });
  const before = Deno.memoryUsage().rss;
  const seen = await rig.record(async (port) => {
    await using peer = await openSocket(port, { host: server.host, headers: extensions });
    peer.raw.send(bomb);
    return await peer.saw();
  });
  equal(seen, "text it began with 193");
  match(rig.lost.join(), /the client sent a compressed message that cannot be decompressed, or to more than is kept/);
  ok(Deno.memoryUsage().rss - before < 400 * 1024 * 1024, "the bomb went off");
  deepEqual(rig.steps().map(({ response }) => response?.frames), [[]]);
});
