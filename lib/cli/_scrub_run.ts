import { counted, UsageError } from "../report/mod.ts";
import { scrubStep } from "../engine/mod.ts";
import { keptPatterns, redactCommand, type Redactor } from "../redact/mod.ts";
import type { RedactionRules, TraceEnd } from "../step/mod.ts";
import { highestOrdinal, type Replaced, type RunRef, type TraceFile, TraceRewrite } from "../store/mod.ts";
import type { CliContext } from "./_context.ts";
import { compileTraceRules, findTrace, openTrace } from "./_open_trace.ts";
import type { RedactOptions } from "./_options.ts";
import { scanRedactor, scanTrace, wantedPatterns } from "./_scan_run.ts";

/** What `scrub` understands. */
export interface ScrubOptions extends RedactOptions {
  readonly json?: boolean;
}

/** Writes a run's trace anew without what today's rules find in it. */
export async function scrubRun(context: CliContext, run: string, options: ScrubOptions): Promise<void> {
  const ref = endedRun(context, run);
  using trace = openTrace(context, ref.runId);
  for (const warning of trace.warnings) context.tell(`agrepl: ${warning}`);
  const redactor = scanRedactor(context, trace, options, highestOrdinal(trace.path) + 1);
  const found = scanTrace(context, trace, redactor).filter(({ kind }) => kind === "rule").length;
  const { enabled } = trace.header.redaction;
  if (found === 0 && enabled !== false) {
    if (options.json === true) tellJson(context, ref, { replaced: 0, removed_bodies: 0 });
    else context.tell(`agrepl: ${ref.runId} holds nothing that the rules know; it stays as it is`);
    return;
  }
  const { ref: now, blobs } = await rewrite(context, trace, { ref, redactor, options });
  if (options.json === true) return tellJson(context, now, { replaced: found, removed_bodies: blobs });
  const went = blobs === 0 ? "" : `, ${counted(blobs, "body file")} of the old one removed`;
  context.tell(`agrepl: ${ref.runId} is clean: ${counted(found, "place")} replaced${went}; it is ${now.digest} now`);
}

function tellJson(context: CliContext, { runId, digest }: RunRef, counts: Readonly<Record<string, number>>): void {
  context.print(JSON.stringify({ run_id: runId, digest, ...counts }, null, 2));
}

/** A trace of elsewhere has an owner of its own: what else names it, and its blobs, is not known here. */
function endedRun(context: CliContext, run: string): RunRef {
  const { ref } = findTrace(context, run);
  if (ref === null) throw new UsageError(`Cannot scrub "${run}": expected a run of this store`);
  if (ref.status === "recording") throw new UsageError(`Cannot scrub "${run}": it is recording`);
  return ref;
}

async function rewrite(
  context: CliContext,
  trace: TraceFile,
  { ref, redactor, options }: {
    readonly ref: RunRef;
    readonly redactor: Redactor;
    readonly options: RedactOptions;
  },
): Promise<Replaced> {
  const { header } = trace;
  const command = redactCommand(redactor, header.command);
  const rules = compileTraceRules(context, trace);
  const redaction = scrubbedRules(header.redaction, wantedPatterns(context, options));
  using file = new TraceRewrite(context.store.layout, { ...ref, command }, { ...header, command, redaction });
  const sink = { spool: () => file.spool(), append: () => {} };
  for (const entry of trace.entries) file.append(await scrubStep(trace, entry, { redactor, rules, sink }));
  return file.finish(trace.end === null ? cutOff : endOf(trace.end));
}

/** Whoever replays it must know the same patterns, or would ask by other keys. */
function scrubbedRules(
  { patterns = [], enabled: _enabled, ...rules }: RedactionRules,
  added: readonly string[],
): RedactionRules {
  const all = [...new Set([...patterns, ...keptPatterns(added)])];
  return { ...rules, ...(all.length === 0 ? {} : { patterns: all }) };
}

const cutOff = { status: "interrupted", exitCode: null, durationMs: 0 } as const;

function endOf({ status, exitCode, durationMs }: TraceEnd): Omit<TraceEnd, "kind" | "steps" | "digest"> {
  return { status, exitCode, durationMs };
}
