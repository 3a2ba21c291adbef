import { scanHeader, scanStep, type SecretFinding } from "../engine/mod.ts";
import { type Redactor, redactorFor } from "../redact/mod.ts";
import { formatScan, type ScannedTrace, toScanJson } from "../report/mod.ts";
import { readConfig, type TraceFile } from "../store/mod.ts";
import type { CliContext } from "./_context.ts";
import { exitCode } from "./_exit.ts";
import { openTrace } from "./_open_trace.ts";
import type { RedactOptions } from "./_options.ts";
import { Progress } from "./_progress.ts";
import { learnCredentials, traceRedactor } from "./_redaction.ts";
import { orUsageError } from "./_run_parts.ts";

/** What `scan` understands. */
export interface ScanOptions extends RedactOptions {
  readonly json?: boolean;
}

/**
 * Looks through a trace, or all of them, and prints what looks like a secret.
 *
 * @returns 0 when nothing does, else 1.
 */
export function scanRun(context: CliContext, run: string | undefined, options: ScanOptions): number {
  const ended = () => context.store.list().filter((ref) => ref.status !== "recording").map((ref) => ref.runId);
  const runs = run === undefined ? ended() : [run];
  const scanned = runs.map((each): ScannedTrace => {
    using trace = openTrace(context, each);
    const findings = scanTrace(context, trace, scanRedactor(context, trace, options));
    return { path: trace.path, runId: trace.header.runId, steps: trace.entries.length, findings };
  });
  if (options.json === true) context.print(JSON.stringify(toScanJson(scanned), null, 2));
  else if (scanned.length === 0) context.tell("No run is recorded here yet. Begin with: agrepl record -- COMMAND");
  else context.print(formatScan(scanned, context.outPaint));
  return scanned.every(({ findings }) => findings.length === 0) ? exitCode.same : exitCode.findings;
}

/** A redactor by all rules of today: the trace's, the configuration's, the command line's, this environment's. */
export function scanRedactor(
  context: CliContext,
  trace: TraceFile,
  { redact }: RedactOptions,
  firstOrdinal = 1,
): Redactor {
  traceRedactor(trace); // a pattern of the trace's that cannot be used is damage, not the user's mistake
  const patterns = [...trace.header.redaction.patterns ?? [], ...wantedPatterns(context, { redact })];
  const redactor = orUsageError(() => redactorFor({ version: 1 }, patterns, firstOrdinal));
  learnCredentials(redactor, context.env);
  return redactor;
}

/** The patterns of the configuration and of `--redact`. */
export function wantedPatterns(context: CliContext, { redact }: RedactOptions): string[] {
  return [...readConfig(context.store.layout).redact ?? [], ...(redact === false ? [] : redact)];
}

/** Looks through a trace twice: what is met late in it may stand in an early place too. */
export function scanTrace(context: CliContext, trace: TraceFile, redactor: Redactor): SecretFinding[] {
  using progress = new Progress("looking for secrets in steps", {
    write: context.progress,
    elapsedMs: () => performance.now(),
  });
  let findings: SecretFinding[] = [];
  for (const pass of [0, 1]) {
    findings = scanHeader(trace, redactor);
    for (const [index, entry] of trace.entries.entries()) {
      progress.update(pass * trace.entries.length + index, 2 * trace.entries.length);
      findings.push(...scanStep(trace, entry, redactor));
    }
  }
  return findings;
}
