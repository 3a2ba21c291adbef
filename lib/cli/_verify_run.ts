import { createHash } from "node:crypto";
import { storedKey } from "../engine/mod.ts";
import type { CompiledRules } from "../key/mod.ts";
import { counted } from "../report/mod.ts";
import { type Body, bodyBytes, TraceFormatError } from "../step/mod.ts";
import { digestBeforeEnd, type TraceEntry, type TraceFile } from "../store/mod.ts";
import type { CliContext } from "./_context.ts";
import { compileTraceRules, openTrace } from "./_open_trace.ts";
import { Progress } from "./_progress.ts";
import { traceRedactor } from "./_redaction.ts";

/** What `verify` found. */
export interface Verification {
  readonly path: string;
  readonly steps: number;
  /** One sentence each; none when the trace is whole. */
  readonly findings: readonly string[];
}

/** Checks a trace: every line, the digest, every blob's content, every key. */
export async function verifyRun(context: CliContext, run: string): Promise<Verification> {
  using trace = openTrace(context, run);
  const findings = [...trace.warnings, ...digestFindings(trace)];
  const rules = compileTraceRules(context, trace);
  using progress = new Progress("checking steps", { write: context.progress, elapsedMs: () => performance.now() });
  for (const [index, entry] of trace.entries.entries()) {
    progress.update(index, trace.entries.length);
    findings.push(...await stepFindings(trace, entry, rules));
  }
  return { path: trace.path, steps: trace.entries.length, findings };
}

async function stepFindings(trace: TraceFile, entry: TraceEntry, rules: CompiledRules): Promise<string[]> {
  try {
    const { request, response } = trace.step(entry);
    const payloads = (response?.frames ?? []).map(([, , , payload]) => payload);
    const bodies = [request.body, response?.body ?? null, ...payloads];
    const findings = bodies.flatMap((body) => blobFindings(trace, entry, body));
    if (response?.end === "open") {
      findings.push(`Step ${entry.seq}: its stream was still open; what came after is lost`);
    }
    const key = await storedKey(trace, entry, { rules, redactor: traceRedactor(trace) });
    if (key === entry.key) return findings;
    return [...findings, `Step ${entry.seq}: its key is ${entry.key}, computed anew it is ${key}`];
  } catch (error) {
    if (error instanceof TraceFormatError) return [error.message];
    throw error;
  }
}

function digestFindings(trace: TraceFile): string[] {
  if (trace.end === null) return ["The trace has no end: its run was cut off"];
  const digest = digestBeforeEnd(trace.path);
  const missing = trace.end.steps === trace.entries.length
    ? []
    : [`The trace holds ${counted(trace.entries.length, "step")}, its end line says ${trace.end.steps}`];
  if (digest === trace.end.digest) return missing;
  return [
    ...missing,
    `The digest is ${digest}, the end line says ${trace.end.digest}: the file was changed after it was written`,
  ];
}

function blobFindings(trace: TraceFile, entry: TraceEntry, body: Body): string[] {
  if (body === null) return [];
  if ("parts" in body) return body.parts.flatMap((part) => blobFindings(trace, entry, part));
  if (!("blob" in body)) return [];
  const hash = createHash("sha256");
  using reader = trace.openBody(body, entry);
  while (reader.rest > 0) hash.update(reader.read(1024 * 1024));
  const digest = `sha256:${hash.digest("hex")}`;
  if (digest === body.blob) return [];
  return [`Step ${entry.seq}: the blob of ${bodyBytes(body)} bytes is ${digest}, its name says ${body.blob}`];
}
