import { deepEqual, equal } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import schema from "../../schema/trace.v1.schema.json" with { type: "json" };
import { anyEnd, anyHeader, anyMore, anyStep } from "../../tests/support/arbitrary_lines.ts";
import { endLine, headerLine, stepLine } from "../../tests/support/trace_lines.ts";
import { formatLine, parseLine } from "./codec.ts";
import type { TraceLine } from "./step.ts";
import { TraceFormatError } from "./trace_format_error.ts";

const isLine = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false }).compile(schema);

/** Whether the codec reads a line. */
function isRead(text: string): boolean {
  try {
    parseLine(text, { path: "a", line: 1, offset: 0 });
    return true;
  } catch (error) {
    if (error instanceof TraceFormatError) return false;
    throw error;
  }
}

for (const [kind, lines] of Object.entries({ trace: anyHeader, step: anyStep, more: anyMore, end: anyEnd })) {
  Deno.test(`trace.v1.schema.json describes every line that formatLine() writes when it is a ${kind}`, () => {
    fc.assert(fc.property(lines as fc.Arbitrary<TraceLine>, (line) => {
      isLine(JSON.parse(formatLine(line)));
      deepEqual(isLine.errors, null);
    }));
  });
}

const { response, ...step } = JSON.parse(formatLine(stepLine(1)));
const header = JSON.parse(formatLine(headerLine()));
const end = JSON.parse(formatLine(endLine()));
const more = { kind: "more", seq: 1, chunks: [], body: null, end: "open" };
const frame = [1, "server", 2, { base64: "AA==" }];

const broken: Readonly<Record<string, unknown>> = {
  "no object": [],
  "of no kind": { ...step, kind: "stop" },
  "a step without an answer": step,
  "a step without a request": { ...step, response, request: undefined },
  "a step of no type": { ...step, response, type: "llm" },
  "a step with a short key": { ...step, response, key: "ab" },
  "a step with half a seq": { ...step, response, seq: 0.5 },
  "a step without a time to first byte": { ...step, response, ttfb_ms: undefined },
  "a status of two digits": { ...step, response: { ...response, status: 99 } },
  "a header without a value": { ...step, response: { ...response, headers: [["a"]] } },
  "a header with two values": { ...step, response: { ...response, headers: [["a", "b", "c"]] } },
  "a chunk of less than nothing": { ...step, response: { ...response, chunks: [[1, -1]] } },
  "a stream without an end": { ...step, response: { ...response, end: undefined } },
  "HTTP of no version": { ...step, response: { ...response, http_version: "3" } },
  "a body that is bare text": { ...step, response: { ...response, body: "x" } },
  "a body of no form": { ...step, response: { ...response, body: {} } },
  "a blob that leaves the store": { ...step, response: { ...response, body: { blob: "sha256:../x", bytes: 1 } } },
  "a blob without its bytes": { ...step, response: { ...response, body: { blob: end.digest } } },
  "a frame from a stranger": { ...step, response: { ...response, frames: [[1, "proxy", 1, null]] } },
  "a frame of no opcode": { ...step, response: { ...response, frames: [[1, "client", 16, null]] } },
  "a frame that is cut off": { ...step, response: { ...response, frames: [frame.slice(0, 3)] } },
  "an error of no phase": { ...step, error: { phase: "http", code: "E", message: "m" } },
  "a part without bytes": { ...step, response: { ...response, body: { parts: [null] } } },
  "a part that has parts": { ...step, response: { ...response, body: { parts: [{ parts: [] }] } } },
  "a continuation of nothing": { ...more, chunks: undefined, body: undefined },
  "a continuation of no step": { ...more, seq: undefined },
  "a header of another version": { ...header, version: 2 },
  "a header without a command": { ...header, command: undefined },
  "a header with a command in one text": { ...header, command: "python agent.py" },
  "a header with other key rules": { ...header, key: { ...header.key, version: 2 } },
  "a header with a text rule that is bare text": { ...header, key: { ...header.key, ignore_text: ["date"] } },
  "a header without redaction": { ...header, redaction: undefined },
  "an end of no status": { ...end, status: "ok" },
  "an end without a digest": { ...end, digest: undefined },
};
for (const [what, line] of Object.entries(broken)) {
  Deno.test(`trace.v1.schema.json refuses ${what}, as parseLine() does`, () => {
    const text = JSON.stringify(line);
    deepEqual({ schema: isLine(JSON.parse(text)), codec: isRead(text) }, { schema: false, codec: false });
  });
}

Deno.test("trace.v1.schema.json allows a continuation that has frames alone, as parseLine() does", () => {
  const line = { ...more, chunks: undefined, body: undefined, frames: [frame] };
  equal(isLine(JSON.parse(JSON.stringify(line))) && isRead(JSON.stringify(line)), true);
});

Deno.test("trace.v1.schema.json explains itself: every line, message and list has a title or a description", () => {
  const bare = Object.entries(schema.$defs).filter(([, part]) => !("title" in part) && !("description" in part));
  deepEqual(bare.map(([name]) => name), ["http_version", "count"]);
});
