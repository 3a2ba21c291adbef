import { equal } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { decodeBody, type Frame, type InlineBody } from "../step/mod.ts";
import { deflateMessage, encodeFrame } from "../wire/mod.ts";
import { FrameMeter } from "./_frame_meter.ts";
import { socketScript } from "./_socket_script.ts";

const deflate = { clientTakeover: true, serverTakeover: true, serverWindowBits: 15 };

function meterFor(...stored: readonly Frame[]): FrameMeter {
  const { server } = socketScript(stored);
  return new FrameMeter({
    expected: server,
    payloadOf: ({ payload }) => Buffer.from(decodeBody(payload as InlineBody)),
    deflate,
  });
}

function frame(opcode: number, payload: string | Uint8Array, changes: { fin?: boolean; deflated?: boolean } = {}) {
  return encodeFrame({ fin: true, deflated: false, opcode, payload: Buffer.from(payload), ...changes });
}

const hello: Frame = [1, "server", 1, { text: "hello" }];
const deflated: Frame = [1, "server", 1, { text: "hello", deflated: true }];
const squeezed = deflateMessage(Buffer.from("hello"), 15);

const emissions: readonly (readonly [what: string, stored: Frame, bytes: Uint8Array, difference: string | null])[] = [
  ["what is stored goes out", hello, frame(1, "hello"), null],
  ["other bytes go out", hello, frame(1, "hullo"), "frame 1 of the server"],
  ["another kind goes out", hello, frame(2, "hello"), "frame 1 of the server"],
  ["it goes out in fragments", hello, frame(1, "hello", { fin: false }), "frame 1 of the server"],
  ["it goes out compressed", hello, frame(1, squeezed, { deflated: true }), "frame 1 of the server"],
  ["what is stored goes out compressed", deflated, frame(1, squeezed, { deflated: true }), null],
  ["it goes out without its compression", deflated, frame(1, "hello"), "frame 1 of the server"],
  [
    "more goes out",
    hello,
    Buffer.concat([frame(1, "hello"), frame(8, "")]),
    "a frame of the server that was not recorded (opcode 8)",
  ],
  ["no frame goes out", hello, Buffer.from("83", "hex"), null],
  ["nonsense goes out", hello, Buffer.from("8300", "hex"), "bytes that are no frames: the reserved opcode 3"],
];

for (const [what, stored, bytes, difference] of emissions) {
  Deno.test(`FrameMeter tells ${difference === null ? "no difference" : "the difference"} when ${what}`, () => {
    const meter = meterFor(stored);
    meter.take(bytes);
    equal(meter.difference, difference);
  });
}

Deno.test("FrameMeter tells what is missing once the script has ended", () => {
  const meter = meterFor(hello, hello);
  meter.take(frame(1, "hello"));
  equal(meter.difference, null);
  meter.finish();
  equal(meter.difference, "1 frames of the server, recorded 2");
});

Deno.test("FrameMeter passes over the pong that answers a live ping, and over no other", () => {
  const meter = meterFor(hello);
  meter.notePing(Buffer.from("a"));
  meter.take(frame(10, "a"));
  equal(meter.difference, null);
  meter.take(frame(10, "a"));
  equal(meter.difference, "frame 1 of the server");
});
