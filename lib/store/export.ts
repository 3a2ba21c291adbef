/**
 * The self-contained form of a trace: all bodies inline, steps in the order of `seq`, one line each. It needs no store.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import {
  type Body,
  bodyBytes,
  encodeBody,
  formatLine,
  type Frame,
  type FramePayload,
  type Step,
  type TraceEnd,
  TraceFormatError,
} from "../step/mod.ts";
import { StreamedFile } from "./_streamed_file.ts";
import type { TraceEntry, TraceFile } from "./trace_file.ts";

/** A line must fit into a string, its escapes and base64 included. */
const stepLimitBytes = 192 * 1024 * 1024;

/**
 * Gives the lines of a trace's self-contained form.
 *
 * @param trace Open for as long as lines are asked for.
 * @returns Each line without its newline; the end's digest is that of the lines before it.
 * @throws {TraceFormatError} when a step is damaged, a blob is missing, or one step holds more than 192 MiB.
 */
export function* selfContainedLines(trace: TraceFile): Generator<string> {
  const hash = createHash("sha256");
  const header = formatLine(trace.header);
  hash.update(`${header}\n`);
  yield header;
  let lastMs = Date.parse(trace.header.timestamp);
  for (const entry of trace.entries) {
    const step = selfContainedStep(trace, entry);
    lastMs = Math.max(lastMs, Date.parse(step.timestamp) + step.latencyMs);
    const line = formatLine(step);
    hash.update(`${line}\n`);
    yield line;
  }
  const durationMs = Math.max(0, Math.round(lastMs - Date.parse(trace.header.timestamp))) || 0;
  const end: TraceEnd = trace.end ?? { ...cutOff, steps: trace.entries.length, durationMs };
  yield formatLine({ ...end, steps: trace.entries.length, digest: `sha256:${hash.digest("hex")}` });
}

/** What a run that was cut off never came to say. */
const cutOff = { kind: "end", status: "interrupted", exitCode: null, digest: "" } as const;

/**
 * Writes a trace's self-contained form to a file, which appears whole or not at all.
 *
 * @param trace The trace.
 * @param path The file, replaced when it is there.
 * @returns How many bytes were written.
 * @throws {TraceFormatError} as {@link selfContainedLines}.
 * @throws {Deno.errors.NotFound} when there is no such folder.
 */
export function writeSelfContained(trace: TraceFile, path: string): number {
  const place = resolve(path);
  using file = new StreamedFile(dirname(place));
  const encoder = new TextEncoder();
  let written = 0;
  for (const line of selfContainedLines(trace)) {
    const bytes = encoder.encode(`${line}\n`);
    file.write(bytes);
    written += bytes.length;
  }
  file.finish(place);
  return written;
}

function selfContainedStep(trace: TraceFile, entry: TraceEntry): Step {
  const step = trace.step(entry);
  refuseTooLarge(trace, entry, step);
  const inline = (body: Body) => inlined(trace, entry, body);
  const { request, response } = step;
  return {
    ...step,
    request: { ...request, body: inline(request.body) },
    ...(response === undefined ? {} : {
      response: {
        ...response,
        body: inline(response.body),
        ...(response.frames === undefined
          ? {}
          : { frames: response.frames.map((frame) => inlineFrame(frame, inline)) }),
      },
    }),
  };
}

function refuseTooLarge(trace: TraceFile, entry: TraceEntry, { request, response }: Step): void {
  const bodies = [request.body, response?.body ?? null, ...(response?.frames ?? []).map(([, , , payload]) => payload)];
  const bytes = bodies.reduce((sum, body) => sum + bodyBytes(body), 0);
  if (bytes <= stepLimitBytes) return;
  throw new TraceFormatError(
    { path: trace.path, line: entry.line.number, offset: entry.line.offset },
    `step ${entry.seq} holds ${bytes} bytes, expected at most ${stepLimitBytes} in the self-contained form`,
  );
}

function inlined(trace: TraceFile, entry: TraceEntry, body: Body): Body {
  if (body === null || !("blob" in body || "parts" in body)) return body;
  return encodeBody(trace.readBody(body, entry));
}

function inlineFrame([atMs, from, opcode, payload]: Frame, inline: (body: Body) => Body): Frame {
  if (payload === null || !("deflated" in payload)) return [atMs, from, opcode, inline(payload)];
  const { deflated: _deflated, ...body } = payload;
  const whole = inline(body);
  const kept: FramePayload = whole === null || "parts" in whole
    ? { text: "", deflated: true }
    : { ...whole, deflated: true };
  return [atMs, from, opcode, kept];
}
