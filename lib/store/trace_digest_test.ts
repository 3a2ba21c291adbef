import { equal, notEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { endLine, headerLine, stepLine } from "../../tests/support/trace_lines.ts";
import { ThrowawayStore } from "../../tests/support/throwaway_store.ts";
import { formatLine } from "../step/mod.ts";
import { digestBeforeEnd } from "./trace_digest.ts";

const before = `${formatLine(headerLine())}\n${formatLine(stepLine(0))}\n`;
const expected = `sha256:${createHash("sha256").update(before).digest("hex")}`;

function digestOf(content: string | Uint8Array): string {
  using room = new ThrowawayStore();
  return digestBeforeEnd(room.write("a.ndjson", content));
}

const reversed = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(formatLine(endLine()))).reverse()));
for (
  const [what, rest] of Object.entries({
    "there is an end": `${formatLine(endLine())}\n`,
    "the end has its fields in another order": `${reversed}\n`,
    "the end has no newline": formatLine(endLine()),
    "there is no end": "",
    "the last line is torn": formatLine(stepLine(1)).slice(0, 50),
    "something stands after the end": `${formatLine(endLine())}\n${formatLine(stepLine(1))}\n`,
  })
) {
  Deno.test(`digestBeforeEnd() hashes the complete lines before the end when ${what}`, () => {
    equal(digestOf(before + rest), expected);
  });
}

Deno.test("digestBeforeEnd() differs when a line ending, a byte or a damaged line was put in", () => {
  notEqual(digestOf(before.replace("\n", "\r\n")), expected);
  notEqual(digestOf(`${before}{"kind":"en\n`), expected);
  const replacement = digestOf(before.replace("hello", "\ufffd"));
  // No UTF-8: read as text, this byte would be U+FFFD as well.
  notEqual(digestOf(Buffer.from(before.replace("hello", "\u00ff"), "latin1")), replacement);
});
