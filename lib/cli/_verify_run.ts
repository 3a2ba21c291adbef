import { createHash } from "node:crypto";
import { storedKey } from "../engine/mod.ts";
import { compileRules } from "../key/mod.ts";
import { Redactor } from "../redact/mod.ts";
import { type Body, bodyBytes, TraceFormatError } from "../step/mod.ts";
import { digestBeforeEnd, type TraceEntry, type TraceFile } from "../store/mod.ts";
import type { CliContext } from "./_context.ts";
import { keyContext } from "./_run_parts.ts";

/** What `verify` found. */
export interface Verification {
  readonly path: string;
  readonly steps: number;
  /** One sentence each; none when the trace is whole. */
  readonly findings: readonly string[];
}

/** Checks a trace: every line, the digest, every blob's content, every key. */
export async function verifyRun(context: CliContext, run: string): Promise<Verification> {
  const found = context.store.find(run);
  using trace = context.store.open(found);
  const findings = [...trace.warnings, ...digestFindings(trace)];
  const rules = compileRules(trace.header.key, keyContext(context));
  for (const entry of trace.entries) {
    try {
      const step = trace.step(entry);
      findings.push(...blobFindings(trace, entry, step.request.body));
      if (step.response !== undefined) findings.push(...blobFindings(trace, entry, step.response.body));
      const key = await storedKey(trace, entry, { rules, redactor: new Redactor() });
      if (key !== entry.key) findings.push(`Step ${entry.seq}: its key is ${entry.key}, computed anew it is ${key}`);
    } catch (error) {
      if (!(error instanceof TraceFormatError)) throw error;
      findings.push(error.message);
    }
  }
  return { path: found.path, steps: trace.entries.length, findings };
}

function digestFindings(trace: TraceFile): string[] {
  if (trace.end === null) return ["The trace has no end: its run was cut off"];
  const digest = digestBeforeEnd(trace.path);
  if (digest === trace.end.digest) return [];
  return [`The digest is ${digest}, the end line says ${trace.end.digest}: the file was changed after it was written`];
}

function blobFindings(trace: TraceFile, entry: TraceEntry, body: Body): string[] {
  if (body === null || !("blob" in body)) return [];
  const hash = createHash("sha256");
  using reader = trace.openBody(body, entry);
  while (reader.rest > 0) hash.update(reader.read(1024 * 1024));
  const digest = `sha256:${hash.digest("hex")}`;
  if (digest === body.blob) return [];
  return [`Step ${entry.seq}: the blob of ${bodyBytes(body)} bytes is ${digest}, its name says ${body.blob}`];
}
