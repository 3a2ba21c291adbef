import {
  type DiffedTrace,
  type DiffReport,
  formatDiffMarkdown,
  formatDiffReport,
  toDiffJson,
  UsageError,
} from "../report/mod.ts";
import {
  type ComparedTrace,
  type CompiledDiffRules,
  compileDiffRules,
  type Delta,
  traceDifference,
} from "../diff/mod.ts";
import { comparedTrace, rekey } from "../engine/mod.ts";
import { compileRules } from "../key/mod.ts";
import { Redactor } from "../redact/mod.ts";
import type { KeyRules } from "../step/mod.ts";
import { type ProjectConfig, readConfig, type TraceFile } from "../store/mod.ts";
import { withConfig } from "./_config_rules.ts";
import type { CliContext } from "./_context.ts";
import { exitCode } from "./_exit.ts";
import { openTrace } from "./_open_trace.ts";
import { type KeyOptions, withKeyOptions } from "./_options.ts";
import { Progress } from "./_progress.ts";
import { keyContext, orUsageError } from "./_run_parts.ts";
import type { DiffOptions, RuleOptions } from "./_diff_options.ts";

/** Two RUNs. */
export interface DiffedRuns {
  readonly a: string;
  readonly b: string;
}

/**
 * Compares two runs and prints what differs.
 *
 * @returns 0 or 1, as `--fail-on` has it.
 */
export async function diffRun(context: CliContext, runs: DiffedRuns, options: DiffOptions): Promise<number> {
  if (options.json === true && options.markdown === true) {
    throw new UsageError("Cannot print --json and --markdown at once: expected one of them");
  }
  const config = readConfig(context.store.layout);
  const rules = orUsageError(() => diffRules(config, options));
  using a = openTrace(context, runs.a);
  using b = openTrace(context, runs.b);
  const report = await compareTraces(context, { a, b }, {
    rules,
    config,
    options,
    verbose: options.verbose ?? false,
    signalOnly: options.json !== true && options.verbose !== true,
  });
  const { json, verbose = false, timing = false } = options;
  if (json === true) context.print(JSON.stringify(toDiffJson(report), null, 2));
  else if (options.markdown === true) context.print(formatDiffMarkdown(report, { verbose, timing }));
  else context.print(formatDiffReport(report, { verbose, timing }, context.outPaint));
  return isFailure(report, options.failOn) ? exitCode.findings : exitCode.same;
}

/** The configuration's rules, and behind them those of the command line. */
export function diffRules(
  config: ProjectConfig,
  options: RuleOptions,
): CompiledDiffRules {
  return compileDiffRules({
    noise: [...config.noise, ...options.noise],
    signal: [...config.signal, ...options.signal],
  });
}

function isFailure({ run, difference: { counts } }: DiffReport, failOn: DiffOptions["failOn"]): boolean {
  if (failOn === "never") return false;
  const signal = run.length + counts.signal;
  return failOn === "signal" ? signal > 0 : signal + counts.noise + counts.removed > 0;
}

/** What two traces are compared with. */
export interface ComparisonOptions {
  readonly rules: CompiledDiffRules;
  readonly config: ProjectConfig;
  readonly options: KeyOptions;
  /** Equal fields too, where they are listed as signal. */
  readonly verbose: boolean;
  /** Keep no noise: nobody will see it. */
  readonly signalOnly: boolean;
}

/** Compares two open traces. */
export async function compareTraces(
  context: CliContext,
  { a, b }: { readonly a: TraceFile; readonly b: TraceFile },
  { rules, config, options, verbose, signalOnly }: ComparisonOptions,
): Promise<DiffReport> {
  const keyRules = withKeyOptions(withConfig(a.header.key, config), options);
  const [first, second] = [await keyed(context, a, keyRules), await keyed(context, b, keyRules)];
  using progress = new Progress("comparing steps", { write: context.progress, elapsedMs: () => performance.now() });
  const difference = traceDifference(first, second, {
    rules,
    keyRules,
    withEqual: verbose,
    signalOnly,
    onProgress: (done, all) => progress.update(done, all),
  });
  return { a: nameTrace(a), b: nameTrace(b), notes: notesOf({ a, b }, keyRules), run: runDeltas(a, b), difference };
}

async function keyed(context: CliContext, trace: TraceFile, keyRules: KeyRules): Promise<ComparedTrace> {
  if (isSameRules(trace.header.key, keyRules)) return comparedTrace(trace, trace.entries);
  const rules = orUsageError(() => compileRules(keyRules, keyContext(context)));
  return comparedTrace(trace, await rekey(trace, { rules, redactor: new Redactor() }));
}

function isSameRules(a: KeyRules, b: KeyRules): boolean {
  const spelled = ({ version, ignoreQuery, ignoreJson, ignoreText }: KeyRules) =>
    JSON.stringify([version, ignoreQuery, ignoreJson, ignoreText.map(({ url, pattern }) => [url, pattern])]);
  return spelled(a) === spelled(b);
}

function notesOf({ a, b }: { readonly a: TraceFile; readonly b: TraceFile }, keyRules: KeyRules): string[] {
  const named = [["E1", a], ["E2", b]] as const;
  const notes = named.flatMap(([name, trace]) => [
    ...trace.warnings,
    ...(trace.end === null ? [`${name} was cut off: it has no end, and what it did not come to is missing`] : []),
  ]);
  const rekeyed = named.filter(([, trace]) => !isSameRules(trace.header.key, keyRules)).map(([name]) => name);
  if (rekeyed.length === 0) return notes;
  return [...notes, `The keys of ${rekeyed.join(" and ")} were made by other rules; they are made anew`];
}

function nameTrace({ header, end }: TraceFile): DiffedTrace {
  const { runId, name, command, timestamp } = header;
  return { runId, name, command, timestamp, status: end?.status ?? "interrupted", exitCode: end?.exitCode ?? null };
}

function runDeltas(a: TraceFile, b: TraceFile): Delta[] {
  if (a.end === null || b.end === null || a.end.exitCode === b.end.exitCode) return [];
  const [first, second] = [a.end.exitCode, b.end.exitCode].map((code) => code === null ? null : String(code));
  const why = "how the command ended";
  return [{ part: "run", field: "exit code", a: first ?? null, b: second ?? null, tier: "signal", why }];
}
