import { deepEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { formatFrames, type ReadableFrame } from "./frames.ts";

function frame(from: "client" | "server", opcode: number, payload: string | Uint8Array): ReadableFrame {
  return { frame: [12.5, from, opcode, null], payload: Buffer.from(payload) };
}

Deno.test("formatFrames() gives a line a frame: time, direction, kind, payload", () => {
  deepEqual(formatFrames([frame("client", 1, "hello"), frame("server", 9, "")]), [
    "13 ms  >  text  hello",
    "13 ms  <  ping  ",
  ]);
});

const payloads: readonly (readonly [what: string, shown: ReadableFrame, text: string])[] = [
  ["a close by its code", frame("server", 8, Buffer.from("\x03\xe8bye", "latin1")), "13 ms  <  close  1000 bye"],
  ["a close without one", frame("server", 8, ""), "13 ms  <  close  "],
  ["binary by its size", frame("server", 2, "abc"), "13 ms  <  binary  (3 B)"],
  ["a fragment that is no text by its size", frame("server", 0, Uint8Array.of(0xc3)), "13 ms  <  more  (1 B)"],
  ["an opcode that nobody knows", frame("server", 5, "x"), "13 ms  <  opcode 5  x"],
  ["control characters as escapes", frame("server", 1, "\x1b[31m\n"), "13 ms  <  text  \\x1b[31m\\n"],
];

for (const [what, shown, text] of payloads) {
  Deno.test(`formatFrames() shows ${what}`, () => deepEqual(formatFrames([shown]), [text]));
}

Deno.test("formatFrames() cuts what a line does not hold", () => {
  const [line = ""] = formatFrames([frame("client", 1, "x".repeat(1000))]);
  deepEqual([line.length, line.at(-1)], ["13 ms  >  text  ".length + 160, "…"]);
});
