import { deepEqual, equal } from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { closePayload, encodeFrame, type FrameLimits, FrameReader, type WebSocketFrame } from "./websocket_frame.ts";

const server: FrameLimits = { masked: false, deflate: false };
const client: FrameLimits = { masked: true, deflate: false };

function readAll(
  limits: FrameLimits,
  ...pieces: readonly Uint8Array[]
): { frames: WebSocketFrame[]; failure: string | null } {
  const reader = new FrameReader(limits);
  const frames = pieces.flatMap((piece) => reader.push(piece));
  return {
    frames: frames.map((frame) => ({ ...frame, payload: Buffer.from(frame.payload) })),
    failure: reader.failure,
  };
}

/** Frames in an order that RFC 6455 allows. */
const anyFrames: fc.Arbitrary<WebSocketFrame[]> = fc.array(
  fc.record({
    opcode: fc.constantFrom(1, 2, 8, 9, 10),
    cuts: fc.nat(3),
    bytes: fc.uint8Array({ maxLength: 300 }),
  }),
  { maxLength: 6 },
).map((messages) => messages.flatMap(toFrames));

function toFrames({ opcode, cuts, bytes }: { opcode: number; cuts: number; bytes: Uint8Array }): WebSocketFrame[] {
  const payload = Buffer.from(bytes);
  if (opcode >= 8) return [{ fin: true, deflated: false, opcode, payload: payload.subarray(0, 125) }];
  const size = Math.ceil(payload.length / (cuts + 1));
  return Array.from({ length: cuts + 1 }, (_, index) => ({
    fin: index === cuts,
    deflated: false,
    opcode: index === 0 ? opcode : 0,
    payload: payload.subarray(index * size, (index + 1) * size),
  }));
}

Deno.test("FrameReader reads what encodeFrame() wrote, masked or not, at every split point", () => {
  fc.assert(
    fc.property(
      anyFrames,
      fc.option(fc.uint8Array({ minLength: 4, maxLength: 4 }), { nil: undefined }),
      (frames, mask) => {
        const bytes = Buffer.concat(frames.map((frame) => encodeFrame(frame, mask)));
        const limits = mask === undefined ? server : client;
        for (let at = 0; at <= bytes.length; at += bytes.length > 200 ? 13 : 1) {
          const { frames: read, failure } = readAll(limits, bytes.subarray(0, at), bytes.subarray(at));
          equal(failure, null);
          deepEqual(read, frames);
        }
      },
    ),
    { numRuns: 40 },
  );
});

Deno.test("FrameReader reads frames that come byte by byte", () => {
  const frames = toFrames({ opcode: 1, cuts: 2, bytes: Buffer.from("a text of some length") });
  const bytes = Buffer.concat(frames.map((frame) => encodeFrame(frame)));
  deepEqual(readAll(server, ...[...bytes].map((byte) => Uint8Array.of(byte))).frames, frames);
});

for (const length of [0, 125, 126, 65_535, 65_536, 200_000]) {
  Deno.test(`encodeFrame() says a length of ${length} so that FrameReader finds it`, () => {
    const frame = { fin: true, deflated: false, opcode: 2, payload: Buffer.alloc(length, 7) };
    deepEqual(readAll(server, encodeFrame(frame)).frames, [frame]);
    deepEqual(readAll(client, encodeFrame(frame, Uint8Array.of(1, 2, 3, 4))).frames, [frame]);
  });
}

/** RFC 6455, 5.7. */
const samples: readonly (readonly [hex: string, limits: FrameLimits, text: string])[] = [
  ["810548656c6c6f", server, "Hello"],
  ["818537fa213d7f9f4d5158", client, "Hello"],
];

for (const [hex, limits, text] of samples) {
  Deno.test(`FrameReader reads the sample ${hex} of RFC 6455`, () => {
    const { frames } = readAll(limits, Buffer.from(hex, "hex"));
    deepEqual(frames.map(({ payload }) => Buffer.from(payload).toString()), [text]);
  });
}

const refusals: readonly (readonly [what: string, hex: string, limits: FrameLimits, failure: string])[] = [
  ["an unmasked client", "8100", client, "an unmasked frame of a client"],
  ["a masked server", "818000000000", server, "a masked frame of a server"],
  ["RSV1 without compression", "c100", server, "reserved bits that are set"],
  ["RSV1 on a continuation", "4100c000", { ...server, deflate: true }, "reserved bits that are set"],
  ["RSV2", "a100", { ...server, deflate: true }, "reserved bits that are set"],
  ["RSV1 on a control frame", "c900", { ...server, deflate: true }, "reserved bits that are set"],
  ["a reserved data opcode", "8300", server, "the reserved opcode 3"],
  ["a reserved control opcode", "8b00", server, "the reserved opcode 11"],
  ["a control frame of 126 bytes", "897e007e", server, "a control frame of more than 125 bytes"],
  ["a control frame in fragments", "0900", server, "a control frame in fragments"],
  ["a continuation of nothing", "8000", server, "a continuation of nothing"],
  ["a message within another", "01008100", server, "a message that begins within another"],
  ["a length of 2^63", "827f8000000000000000", server, "a message of more than 67108864 bytes"],
  ["a length of 2^64 - 1", "827fffffffffffffffff", server, "a message of more than 67108864 bytes"],
  ["a length beyond the limit", "827e0100", { ...server, messageLimitBytes: 255 }, "a message of more than 255 bytes"],
  [
    "fragments beyond the limit",
    "0201aa8001bb",
    { ...server, messageLimitBytes: 40 },
    "a message of more than 40 bytes",
  ],
];

for (const [what, hex, limits, failure] of refusals) {
  Deno.test(`FrameReader takes ${what} for no frame, and reads nothing behind it`, () => {
    const reader = new FrameReader(limits);
    reader.push(Buffer.from(hex, "hex"));
    equal(reader.failure, failure);
    deepEqual(reader.push(Buffer.from("810548656c6c6f", "hex")), []);
  });
}

Deno.test("FrameReader gives the frames before what is none", () => {
  const { frames, failure } = readAll(server, Buffer.from("810548656c6c6f8300", "hex"));
  deepEqual([frames.length, failure], [1, "the reserved opcode 3"]);
});

Deno.test("FrameReader ends a message of empty fragments that never ends", () => {
  const reader = new FrameReader({ ...server, messageLimitBytes: 1000 });
  reader.push(Buffer.from("0100" + "0000".repeat(100), "hex"));
  equal(reader.failure, "a message of more than 1000 bytes");
});

Deno.test("closePayload() cuts a reason that a control frame has no room for", () => {
  const payload = Buffer.from(closePayload(1011, "x".repeat(200)));
  deepEqual([payload.readUInt16BE(0), payload.length], [1011, 125]);
  equal(Buffer.from(closePayload(1000, "bye")).toString("latin1"), "\x03\xe8bye");
});
