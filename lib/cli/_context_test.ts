import { equal } from "node:assert/strict";
import { plainPaint, terminalPaint } from "../report/mod.ts";
import { paintFor, write } from "./_context.ts";

const terminal = { isTerminal: () => true };

Deno.test("paintFor() gives colours on a terminal, and none elsewhere", () => {
  equal(paintFor(terminal, {}), terminalPaint);
  equal(paintFor({ isTerminal: () => false }, {}), plainPaint);
});

Deno.test("paintFor() gives no colours when NO_COLOR is set, unless it is empty", () => {
  equal(paintFor(terminal, { NO_COLOR: "1" }), plainPaint);
  equal(paintFor(terminal, { NO_COLOR: "" }), terminalPaint);
});

Deno.test("paintFor() gives no colours on a dumb terminal", () => {
  equal(paintFor(terminal, { TERM: "dumb" }), plainPaint);
});

Deno.test("write() goes on until every byte is taken", () => {
  let taken = "";
  const slow = { writeSync: (bytes: Uint8Array) => (taken += new TextDecoder().decode(bytes.subarray(0, 2)), 2) };
  write(slow, "abcd");
  equal(taken, "abcd");
});

Deno.test("write() lets it be when the reader has gone", () => {
  write({
    writeSync: () => {
      throw new Deno.errors.BrokenPipe("gone");
    },
  }, "abcd");
});
