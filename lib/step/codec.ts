/**
 * One trace line as text, and back. Behind this door alone are the snake_case names of the disk known.
 *
 * @module
 */
import { convertLine, currentVersion } from "./_convert.ts";
import { FieldError, isObject, type JsonObject, NewerVersionError, readOneOf } from "./_fields.ts";
import { decodeEnd, decodeHeader, encodeEnd, encodeHeader } from "./_frame_lines.ts";
import { decodeMore, decodeStep, encodeMore, encodeStep } from "./_step_lines.ts";
import type { TraceLine } from "./step.ts";
import { type LinePlace, TraceFormatError } from "./trace_format_error.ts";

/**
 * Writes a line as JSON text, in the order of fields that the format's page shows.
 *
 * @param line Header, step, continuation or end.
 * @returns One line without its newline; JSON escapes every newline inside.
 *
 * @example The last line of a trace
 * ```ts
 * import { formatLine } from "@agrepl/core";
 * import { equal } from "node:assert/strict";
 *
 * const digest = `sha256:${"0".repeat(64)}`;
 * const end = { kind: "end", status: "completed", exitCode: 0, steps: 2, durationMs: 81.5, digest } as const;
 * equal(
 *   formatLine(end),
 *   `{"kind":"end","status":"completed","exit_code":0,"steps":2,"duration_ms":81.5,"digest":"${digest}"}`,
 * );
 * ```
 */
export function formatLine(line: TraceLine): string {
  return JSON.stringify(encodeLine(line));
}

function encodeLine(line: TraceLine): JsonObject {
  switch (line.kind) {
    case "trace":
      return encodeHeader(line);
    case "step":
      return encodeStep(line);
    case "more":
      return encodeMore(line);
    case "end":
      return encodeEnd(line);
  }
}

/**
 * Reads a line, checking every field that something here relies on.
 *
 * @param text One line, without its newline.
 * @param place Where it stands, for the error.
 * @param version The version that the trace's header names, a whole number from 1.
 * @returns The line; fields that are not known stand in `unknown`.
 * @throws {TraceFormatError} when the line is not JSON, lacks a field, or its version is newer than this agrepl.
 *
 * @example A line that was written is read back as it was
 * ```ts
 * import { formatLine, parseLine } from "@agrepl/core";
 * import { deepEqual } from "node:assert/strict";
 *
 * const more = { kind: "more", seq: 4, chunks: [[2100.5, 2]], body: { text: "hi" }, end: "complete" } as const;
 * deepEqual(parseLine(formatLine(more), { path: "a.ndjson", line: 9, offset: 4096 }), more);
 * ```
 */
export function parseLine(text: string, place: LinePlace, version: number = currentVersion): TraceLine {
  try {
    return decodeLine(convertLine(parseObject(text), version));
  } catch (error) {
    if (error instanceof FieldError) throw new TraceFormatError(place, error.message);
    if (error instanceof NewerVersionError) throw new TraceFormatError(place, error.message, "newer_version");
    throw error;
  }
}

function parseObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new FieldError("line", "one whole JSON object", text.slice(0, 40));
  }
  if (!isObject(value)) throw new FieldError("line", "one whole JSON object", value);
  return value;
}

function decodeLine(from: JsonObject): TraceLine {
  switch (readOneOf(from, "kind", ["trace", "step", "more", "end"])) {
    case "trace":
      return decodeHeader(from);
    case "step":
      return decodeStep(from);
    case "more":
      return decodeMore(from);
    case "end":
      return decodeEnd(from);
  }
}
