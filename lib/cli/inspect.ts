/**
 * `agrepl inspect RUN [SEQ]`.
 *
 * @module
 */
import { Command, InvalidArgumentError } from "commander";
import { UsageError } from "../child/mod.ts";
import { bodyBytes } from "../step/mod.ts";
import { formatStep, formatTrace, toStepDocument, toTraceDocument } from "../report/mod.ts";
import type { TraceEntry, TraceFile } from "../store/mod.ts";
import { readableBody } from "./_readable_body.ts";
import type { CliContext } from "./_context.ts";
import { openTrace } from "./_open_trace.ts";
import { exitCode } from "./_exit.ts";

const examples = `
Examples:
  agrepl inspect latest
  agrepl inspect latest 3
  agrepl inspect latest --json`;

/** Makes the command. */
export function inspectCommand(context: CliContext, done: (code: number) => void): Command {
  return new Command("inspect")
    .description("Show a trace, or one of its steps.")
    .argument("<RUN>", "an id, its unique start, a name, latest, sha256:<start>, or a file")
    .argument("[SEQ]", "the step's number", parseSeq)
    .option("--json", "print one JSON document")
    .addHelpText("after", examples)
    .action((run: string, seq: number | undefined, { json }: { readonly json?: boolean }) => {
      using trace = openTrace(context, run);
      for (const warning of trace.warnings) context.tell(`agrepl: ${warning}`);
      const text = seq === undefined ? wholeTrace(context, trace, json) : oneStep(context, trace, seq, json);
      context.print(text);
      done(exitCode.same);
    });
}

function parseSeq(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected a step's number.");
}

function wholeTrace(context: CliContext, trace: TraceFile, json: boolean | undefined): string {
  const steps = trace.entries.map((entry) => trace.step(entry));
  if (json === true) return JSON.stringify(toTraceDocument(trace, steps), null, 2);
  const rows = steps.map((step) => ({
    step,
    requestBytes: bodyBytes(step.request.body),
    responseBytes: bodyBytes(step.response?.body ?? null),
  }));
  return formatTrace(trace, rows, context.outPaint);
}

function oneStep(context: CliContext, trace: TraceFile, seq: number, json: boolean | undefined): string {
  const entry = findEntry(trace, seq);
  const step = trace.step(entry);
  if (json === true) return JSON.stringify(toStepDocument(step), null, 2);
  const bodies = {
    request: readableBody(trace, entry, step.request),
    response: step.response === undefined ? "" : readableBody(trace, entry, step.response),
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
