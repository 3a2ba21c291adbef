/**
 * The end of a replay on one screen, and the same as JSON.
 *
 * @module
 */
import type { MissExplanation } from "../diff/mod.ts";
import type { Paint } from "./paint.ts";
import { counted, formatCommand, formatDuration, printableLine } from "./text.ts";

/** A report is to stay on one screen. */
const shown = 10;

/** What held the child in, and why nothing stronger did. */
export interface IsolationLine {
  /** `sandbox`, `deno`, `proxy` or `none`. */
  readonly held: string;
  readonly why: string;
}

/** A replay that was written down as a run of its own. */
export interface KeptTrace {
  readonly runId: string;
  /** The command that compares what was replayed with it, by the rules of the replay. */
  readonly compare: readonly string[];
  readonly steps: number;
}

/** A miss and how often it was asked. */
export interface ReportedMiss {
  readonly miss: MissExplanation;
  readonly attempts: number;
  /** Of a package registry, an update check: answered like any other, and no divergence. */
  readonly optional: boolean;
}

/** How a replay went. */
export interface ReplayReport {
  readonly runId: string;
  readonly mode: "strict" | "fallback";
  /** |E|. */
  readonly steps: number;
  readonly hits: number;
  readonly misses: readonly ReportedMiss[];
  readonly unused: readonly number[];
  readonly differences: ReadonlyMap<number, string>;
  /** F. */
  readonly fidelity: number;
  readonly networkCalls: number;
  readonly isolation: IsolationLine;
  /** What the child asked for as a run of its own, where that was wanted. */
  readonly kept?: KeptTrace | null;
  /** `null` when the recording was cut off. */
  readonly recordedMs: number | null;
  readonly replayedMs: number;
  readonly exitCode: number;
  readonly recordedExitCode: number | null;
  /** The unused were forgiven. */
  readonly allowUnused: boolean;
  readonly warnings: readonly string[];
}

/**
 * Tells whether a replay diverged: D is not empty, or any miss happened (the unused may be forgiven).
 *
 * @param report How it went.
 * @returns True when the exit code has to say so.
 */
export function hasDiverged(report: ReplayReport): boolean {
  const unforgiven = report.allowUnused ? 0 : report.unused.length;
  return countedMisses(report).length > 0 || report.differences.size > 0 || unforgiven > 0;
}

function countedMisses(report: ReplayReport): ReportedMiss[] {
  return report.misses.filter((each) => !each.optional);
}

/** Nothing to report, all as recorded, or as recorded as far as it was asked for. */
function verdictOf(report: ReplayReport, paint: Paint): string {
  if (hasDiverged(report)) return paint.bad("diverged");
  if (report.steps === 0) return paint.bad("nothing to replay");
  return paint.good(report.fidelity === 1 ? "exact" : "unused steps forgiven");
}

/**
 * Formats F for reading.
 *
 * @param fidelity From 0 to 1.
 * @returns Three decimals, never rounded up to 1.
 */
export function formatFidelity(fidelity: number): string {
  return fidelity === 1 ? "1.0" : (Math.floor(fidelity * 1000) / 1000).toFixed(3);
}

/**
 * Formats a replay's report for a terminal.
 *
 * @param report How it went.
 * @param paint Emphasis.
 * @returns Lines without a trailing newline.
 */
export function formatReplayReport(report: ReplayReport, paint: Paint): string {
  const verdict = verdictOf(report, paint);
  const misses = countedMisses(report);
  const attempts = misses.reduce((sum, each) => sum + each.attempts, 0);
  const missed = misses.length === 0 ? "0 misses" : paint.bad(counted(misses.length, "miss", "misses"));
  const more = attempts > misses.length ? ` (asked ${attempts} times)` : "";
  const lines = [
    `${paint.bold("agrepl")} replayed ${printableLine(report.runId)}: ${verdict}, F = ${
      formatFidelity(report.fidelity)
    }`,
    `  steps      ${report.steps} recorded, ${
      counted(report.hits, "hit")
    }, ${missed}${more}, ${report.unused.length} unused`,
    `  network    ${counted(report.networkCalls, "call")}, ${report.mode}`,
    `  isolation  ${report.isolation.held}: ${printableLine(report.isolation.why)}`,
    `  time       ${timeLine(report)}`,
  ];
  if (report.recordedExitCode !== null && report.recordedExitCode !== report.exitCode) {
    lines.push(`  exit code  ${paint.bad(String(report.exitCode))}, recorded ${report.recordedExitCode}`);
  }
  lines.push(
    ...unusedLines(report),
    ...optionalLines(report),
    ...differenceLines(report),
    ...keptLines(report),
    ...report.warnings.map((each) => `  warning    ${printableLine(each)}`),
  );
  return lines.join("\n");
}

function timeLine({ recordedMs, replayedMs }: ReplayReport): string {
  const replayed = `${formatDuration(replayedMs)} replayed`;
  return recordedMs === null ? replayed : `${formatDuration(recordedMs)} live, ${replayed}`;
}

function unusedLines({ unused, allowUnused }: ReplayReport): string[] {
  if (unused.length === 0) return [];
  const seqs = unused.slice(0, shown).join(", ") + (unused.length > shown ? ", …" : "");
  const [noun, them] = unused.length === 1 ? ["step", "it"] : ["steps", "them"];
  const hint = allowUnused ? "" : `; --allow-unused forgives ${them}`;
  return [`  unused     ${noun} ${seqs}: recorded, and never asked for${hint}`];
}

function keptLines({ kept = null }: ReplayReport): string[] {
  if (kept === null) return [];
  const compare = formatCommand(kept.compare);
  return [`  kept       as ${kept.runId}, ${counted(kept.steps, "step")}: ${printableLine(compare)}`];
}

/** Not recorded and not missed: said, so that nobody wonders where the 502 came from. */
function optionalLines({ misses }: ReplayReport): string[] {
  const optional = misses.filter((each) => each.optional);
  const hosts = new Set(optional.map(({ miss }) => URL.parse(miss.url)?.host ?? miss.url));
  if (hosts.size === 0) return [];
  const asked = counted(optional.length, "request");
  return [
    `  optional   ${asked} to ${
      printableLine([...hosts].slice(0, 3).join(", "))
    }: not recorded, answered 502, no divergence`,
  ];
}

function differenceLines({ differences }: ReplayReport): string[] {
  const lines = [...differences].slice(0, shown).map(([seq, what]) =>
    `  differs    step ${seq}: ${printableLine(what)}`
  );
  return differences.size > shown ? [...lines, `  differs    … and ${differences.size - shown} more`] : lines;
}

/**
 * Gives the same as a JSON value, for `--report` and for `agrepl why`.
 *
 * @param report How the replay went.
 * @returns Its fields in snake_case, with the verdict.
 */
export function toReplayReportJson(report: ReplayReport): Record<string, unknown> {
  return {
    run_id: report.runId,
    mode: report.mode,
    diverged: hasDiverged(report),
    fidelity: report.fidelity,
    steps: report.steps,
    hits: report.hits,
    misses: report.misses.map(({ miss, attempts, optional }) => ({ ...toMissJson(miss), attempts, optional })),
    unused: report.unused,
    differences: [...report.differences].map(([seq, what]) => ({ seq, what })),
    network_calls: report.networkCalls,
    isolation: report.isolation,
    ...keptJson(report),
    recorded_ms: report.recordedMs,
    replayed_ms: report.replayedMs,
    exit_code: report.exitCode,
    recorded_exit_code: report.recordedExitCode,
    warnings: report.warnings,
  };
}

function keptJson({ kept = null }: ReplayReport): Record<string, unknown> {
  return kept === null ? {} : { kept: { run_id: kept.runId, steps: kept.steps } };
}

function toMissJson({ usedUp, bodyBytes, ...miss }: MissExplanation): Record<string, unknown> {
  return { ...miss, body_bytes: bodyBytes, used_up: usedUp };
}
