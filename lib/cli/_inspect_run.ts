import { formatStep, formatTrace, toStepDocument, toTraceDocument, UsageError } from "../report/mod.ts";
import { bodyBytes, type Step } from "../step/mod.ts";
import type { TraceEntry, TraceFile } from "../store/mod.ts";
import type { CliContext } from "./_context.ts";
import { openTrace } from "./_open_trace.ts";
import { readableBody } from "./_readable_body.ts";

/** Shows a trace, or one of its steps. */
export function inspectRun(context: CliContext, run: string, seq: number | undefined, json: boolean | undefined): void {
  using trace = openTrace(context, run);
  for (const warning of trace.warnings) context.tell(`agrepl: ${warning}`);
  context.print(seq === undefined ? wholeTrace(context, trace, json) : oneStep(context, trace, seq, json));
}

function wholeTrace(context: CliContext, trace: TraceFile, json: boolean | undefined): string {
  const steps = trace.entries.map((entry) => trace.step(entry));
  if (json === true) return JSON.stringify(toTraceDocument(trace, steps), null, 2);
  const rows = steps.map((step) => ({
    step,
    requestBytes: bodyBytes(step.request.body) + framesBytes(step, "client"),
    responseBytes: bodyBytes(step.response?.body ?? null) + framesBytes(step, "server"),
  }));
  return formatTrace(trace, rows, context.outPaint);
}

function framesBytes({ response }: Step, side: "client" | "server"): number {
  const frames = (response?.frames ?? []).filter(([, from]) => from === side);
  return frames.reduce((sum, [, , , payload]) => sum + bodyBytes(payload), 0);
}

function oneStep(context: CliContext, trace: TraceFile, seq: number, json: boolean | undefined): string {
  const entry = findEntry(trace, seq);
  const step = trace.step(entry);
  if (json === true) return JSON.stringify(toStepDocument(step), null, 2);
  const bodies = {
    request: readableBody(trace, entry, step.request),
    response: step.response === undefined ? "" : readableBody(trace, entry, step.response),
    frames: (step.response?.frames ?? []).map((frame) => ({ frame, payload: trace.readBody(frame[3], entry) })),
  };
  return formatStep(step, bodies, context.outPaint);
}

function findEntry(trace: TraceFile, seq: number): TraceEntry {
  const entry = trace.entries.find((each) => each.seq === seq);
  if (entry !== undefined) return entry;
  const seqs = trace.entries.map((each) => each.seq);
  const there = seqs.length === 0 ? "it holds none" : `it holds steps ${seqs[0]} to ${seqs.at(-1)}`;
  throw new UsageError(`Cannot show step ${seq} of "${trace.header.runId}": ${there}`);
}
