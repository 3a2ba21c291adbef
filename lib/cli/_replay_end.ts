import type { ReplayOutcome } from "../engine/mod.ts";
import {
  formatReplayReport,
  hasDiverged,
  type IsolationLine,
  type KeptTrace,
  type ReplayReport,
  toReplayReportJson,
} from "../report/mod.ts";
import type { TraceFile } from "../store/mod.ts";
import type { CliContext } from "./_context.ts";
import { exitCode } from "./_exit.ts";
import { type ReplayOptions, writeReportFile } from "./_options.ts";
import { reasonOf } from "./_system_error.ts";

/** What a replay left behind. */
export interface ReplayEnd {
  readonly trace: TraceFile;
  readonly outcome: ReplayOutcome;
  readonly options: ReplayOptions;
  readonly networkCalls: number;
  readonly isolation: IsolationLine;
  /** The replay as a run of its own; `null` where it was not kept. */
  readonly kept: KeptTrace | null;
  readonly replayedMs: number;
  /** The child's own. */
  readonly exitCode: number;
  readonly warnings: readonly string[];
}

/**
 * Tells how a replay went, and keeps it for `agrepl why`.
 *
 * @returns The child's exit code, or what agrepl has to add to a 0.
 */
export function endReplay(context: CliContext, end: ReplayEnd): number {
  const report = toReport(end);
  context.tell(formatReplayReport(report, context.paint));
  const json = toReplayReportJson(report);
  try {
    context.store.writeReport(report.runId, `${JSON.stringify(json, null, 2)}\n`);
  } catch (error) {
    context.tell(`agrepl: Cannot keep the report in "${context.store.layout.reports}": ${reasonOf(error)}`);
  }
  writeReportFile(end.options.report, json, context.cwd);
  if (end.outcome.damaged.length > 0) return exitCode.badTrace; // it tells why the child failed, if it did
  return end.exitCode === 0 && hasDiverged(report) ? exitCode.diverged : end.exitCode;
}

function toReport({ trace, outcome, options, ...facts }: ReplayEnd): ReplayReport {
  const { damaged: _damaged, ...counts } = outcome; // each stands among the differences
  const empty = outcome.steps === 0 ? ["The trace holds no step, so F says nothing"] : [];
  return {
    runId: trace.header.runId,
    mode: options.fallback === true ? "fallback" : "strict",
    ...counts,
    recordedMs: trace.end?.durationMs ?? null,
    recordedExitCode: trace.end?.exitCode ?? null,
    allowUnused: options.allowUnused === true,
    ...facts,
    warnings: [...facts.warnings, ...empty],
  };
}
