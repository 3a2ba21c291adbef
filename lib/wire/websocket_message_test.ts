import { deepEqual, equal } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { deflateMessage } from "./websocket_deflate.ts";
import { encodeFrame } from "./websocket_frame.ts";
import { finsOf, MessageReader } from "./websocket_message.ts";

const deflate = { clientTakeover: true, serverTakeover: true, serverWindowBits: 15 };

function frame(opcode: number, payload: Uint8Array | string, { fin = true, deflated = false } = {}): Uint8Array {
  return encodeFrame({ opcode, payload: Buffer.from(payload), fin, deflated });
}

Deno.test("MessageReader puts the fragments of a message together, a ping between them apart", () => {
  const reader = new MessageReader({ from: "server", deflate: null });
  const bytes = [frame(1, Buffer.from("ü"), { fin: false }), frame(9, "ping"), frame(0, "ber")];
  const read = reader.push(Buffer.concat(bytes));
  deepEqual(read.map(({ frame }) => frame.opcode), [1, 9, 0]);
  const messages = read.flatMap(({ message }) => message === null ? [] : [message]);
  deepEqual(messages.map(({ opcode, frameBytes }) => [opcode, frameBytes]), [[1, [2, 3]]]);
  equal(Buffer.from(messages[0]?.payload ?? []).toString(), "über");
});

Deno.test("MessageReader decompresses a message in fragments as one", () => {
  const reader = new MessageReader({ from: "server", deflate });
  const wire = deflateMessage(Buffer.from("a compressed text, a compressed text"), 15);
  const first = frame(1, wire.subarray(0, 4), { fin: false, deflated: true });
  const read = reader.push(Buffer.concat([first, frame(0, wire.subarray(4))]));
  const message = read.at(-1)?.message;
  equal(Buffer.from(message?.payload ?? []).toString(), "a compressed text, a compressed text");
  deepEqual([message?.deflated, message?.frameBytes], [true, [4, wire.length - 4]]);
});

Deno.test("MessageReader fails for a message that decompresses to more than its limit, and reads no further", () => {
  const reader = new MessageReader({ from: "server", deflate, limitBytes: 1000 });
  const bomb = frame(2, deflateMessage(Buffer.alloc(100_000), 15), { deflated: true });
  deepEqual(reader.push(Buffer.concat([bomb, frame(1, "after")])), []);
  equal(reader.failure, "a compressed message that cannot be decompressed, or to more than is kept");
  deepEqual(reader.push(frame(1, "after")), []);
});

Deno.test("MessageReader keeps no read that a fragment, or a part of a frame, was cut from", () => {
  const reader = new MessageReader({ from: "server", deflate: null });
  for (const hex of ["0103616263", "000364", "6566"]) {
    const read = Buffer.concat([Buffer.from(hex, "hex"), Buffer.alloc(1000)]);
    reader.push(read.subarray(0, hex.length / 2));
    read.fill("!");
  }
  const [read] = reader.push(Buffer.from("800167", "hex"));
  equal(Buffer.from(read?.message?.payload ?? []).toString(), "abcdefg");
  deepEqual(read?.message?.frameBytes, [3, 3, 1]);
});

Deno.test("finsOf() ends each message but those that a continuation follows, whatever stands between", () => {
  deepEqual(finsOf([1, 2, 0, 9, 0, 8]), [true, false, false, true, true, true]);
  deepEqual(finsOf([1, 9, 10, 0]), [false, true, true, true]);
});
