/**
 * A trace for reading: its steps as rows, one step in full, or all of it as the paper's one document.
 *
 * @module
 */
import { formatLine, type Header, type Step, type TraceEnd, type TraceHeader } from "../step/mod.ts";
import { formatFrames, type ReadableFrame } from "./frames.ts";
import type { Paint } from "./paint.ts";
import {
  counted,
  cutLine,
  formatBytes,
  formatCommand,
  formatDuration,
  formatTable,
  printable,
  printableLine,
} from "./text.ts";

/** A trace's frame. */
export interface ReadTrace {
  readonly header: TraceHeader;
  readonly end: TraceEnd | null;
}

/** One step's row in a summary. */
export interface StepRow {
  readonly step: Step;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

const urlWidth = 80;

/**
 * Formats a trace's frame and one row per step.
 *
 * @param trace Header and end.
 * @param rows The steps, in order.
 * @param paint Emphasis.
 * @returns Lines without a trailing newline.
 */
export function formatTrace({ header, end }: ReadTrace, rows: readonly StepRow[], paint: Paint): string {
  const status = end === null ? "interrupted" : `${end.status}, exit code ${end.exitCode ?? "none"}`;
  const name = header.name === null ? "" : ` (${printableLine(header.name)})`;
  const took = end === null ? "" : `, took ${formatDuration(end.durationMs)}`;
  const head = [
    `${paint.bold(printableLine(header.runId))}${name}  ${status}`,
    `  ${printableLine(formatCommand(header.command))}`,
    `  recorded ${printableLine(header.timestamp)}${took}, ${counted(rows.length, "step")}`,
  ];
  if (rows.length === 0) return head.join("\n");
  const table = rows.map(({ step, requestBytes, responseBytes }) => [
    String(step.seq),
    step.type + (step.optional === true ? "?" : ""),
    outcomeOf(step),
    formatDuration(step.latencyMs),
    `${formatBytes(requestBytes)} > ${formatBytes(responseBytes)}`,
    cutLine(printableLine(`${step.request.method} ${step.request.url}`), urlWidth),
  ]);
  const [columns = "", ...lines] = formatTable([["seq", "type", "status", "time", "bytes", "request"], ...table]);
  return [...head, "", paint.dim(columns), ...lines].join("\n");
}

function outcomeOf(step: Step): string {
  if (step.error !== undefined) return `${step.error.phase} error`;
  const end = step.response?.end ?? "complete";
  return end === "complete" ? String(step.response?.status ?? "") : `${step.response?.status} ${end}`;
}

/** What a step carried, decoded for reading. */
export interface StepBodies {
  readonly request: string;
  readonly response: string;
  /** Of a WebSocket, in the order of their passing. @default {[]} */
  readonly frames?: readonly ReadableFrame[];
}

/**
 * Formats one step in full.
 *
 * @param step The step.
 * @param bodies Its bodies, decoded.
 * @param paint Emphasis.
 * @returns Lines without a trailing newline.
 */
export function formatStep(step: Step, bodies: StepBodies, paint: Paint): string {
  const { request, response, error } = step;
  const lines = [
    `${paint.bold(`step ${step.seq}`)}  ${step.type}  ${printableLine(step.timestamp)}  ${
      formatDuration(step.latencyMs)
    }`,
    paint.dim(`key ${step.key}`),
    "",
    paint.bold(printableLine(`${request.method} ${request.url} HTTP/${request.httpVersion}`)),
    ...headerLines(request.headers),
    ...bodyLines(bodies.request),
  ];
  if (error !== undefined) {
    lines.push("", `${paint.bad(`${error.phase} error`)} ${printableLine(`${error.code}: ${error.message}`)}`);
  }
  if (response !== undefined) {
    const { status, statusText, httpVersion, headers, chunks, end, trailers } = response;
    lines.push("", paint.bold(printableLine(`HTTP/${httpVersion} ${status} ${statusText}`)), ...headerLines(headers));
    lines.push(...bodyLines(bodies.response), ...headerLines(trailers));
    lines.push(...frameLines(bodies.frames ?? []));
    const pieces = bodies.frames === undefined || response.frames === undefined
      ? counted(chunks.length, "chunk")
      : counted(bodies.frames.length, "frame");
    lines.push("", paint.dim(`${pieces}, ended ${end}`));
  }
  return lines.join("\n");
}

function headerLines(headers: readonly Header[]): string[] {
  return headers.map(([name, value]) => printableLine(`${name}: ${value}`));
}

function frameLines(frames: readonly ReadableFrame[]): string[] {
  return frames.length === 0 ? [] : ["", ...formatFrames(frames)];
}

function bodyLines(body: string): string[] {
  return body === "" ? [] : ["", printable(body)];
}

/**
 * Gives a trace as one document: the paper's schema (IV-C), with the fields of this format added.
 *
 * @param trace Header and end.
 * @param steps All of its steps, in order.
 * @returns A JSON value.
 */
export function toTraceDocument({ header, end }: ReadTrace, steps: readonly Step[]): Record<string, unknown> {
  const { kind: _kind, ...frame } = lineAsJson(header);
  return {
    ...frame,
    status: end?.status ?? "interrupted",
    exit_code: end?.exitCode ?? null,
    duration_ms: end?.durationMs ?? null,
    digest: end?.digest ?? null,
    steps: steps.map(toStepDocument),
  };
}

/**
 * Gives one step as the document shows it.
 *
 * @param step The step.
 * @returns A JSON value.
 */
export function toStepDocument(step: Step): Record<string, unknown> {
  const { kind: _kind, ...fields } = lineAsJson(step);
  return fields;
}

function lineAsJson(line: TraceHeader | Step): Record<string, unknown> {
  return JSON.parse(formatLine(line)); // the codec alone knows the names on disk
}
