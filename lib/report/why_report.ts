/**
 * A replay's report, read again: why it missed, and what differed.
 *
 * @module
 */
import type { FieldChange, NearStep } from "../diff/mod.ts";
import { formatWholeMiss } from "./miss_report.ts";
import type { Paint } from "./paint.ts";
import { formatFidelity, type ReplayReport, type ReportedMiss } from "./replay_report.ts";
import { counted, printableLine } from "./text.ts";

/** What a report holds of a replay's divergence. */
export interface StoredReport extends Pick<ReplayReport, "runId" | "mode" | "fidelity" | "misses" | "unused"> {
  readonly diverged: boolean;
  readonly differences: ReplayReport["differences"];
}

/**
 * Reads what a replay left in its store.
 *
 * @param text JSON, as {@link toReplayReportJson} gives it.
 * @returns What it says of divergence.
 * @throws {SyntaxError} when it is no such report.
 */
export function parseReplayReport(text: string): StoredReport {
  const { run_id, mode, fidelity, diverged, misses, unused, differences } = toRecord(JSON.parse(text));
  return {
    runId: toText(run_id),
    mode: mode === "fallback" ? "fallback" : "strict",
    fidelity: toNumber(fidelity),
    diverged: diverged === true,
    misses: toList(misses).map(toMiss),
    unused: toList(unused).map(toNumber),
    differences: new Map(toList(differences).map(toRecord).map(({ seq, what }) => [toNumber(seq), toText(what)])),
  };
}

/**
 * Formats why a replay diverged.
 *
 * @param report Of the replay.
 * @param paint Emphasis.
 * @returns Lines without a trailing newline.
 */
export function formatWhy(report: StoredReport, paint: Paint): string {
  const { runId, mode, fidelity, diverged, misses, unused, differences } = report;
  const verdict = diverged ? paint.bad("diverged") : paint.good("did not diverge");
  const all = [
    ...misses.map((each) => formatCounted(each, paint)),
    ...[...differences].map(([seq, what]) => `step ${seq} differs: ${printableLine(what)}`),
    ...(unused.length === 0 ? [] : [`recorded, and never asked for: ${unused.join(", ")}`]),
  ];
  const head = `the last replay of ${printableLine(runId)} (${mode}) ${verdict}, F = ${formatFidelity(fidelity)}; ${
    counted(misses.length, "miss", "misses")
  }`;
  return [head, ...all].join("\n\n");
}

function formatCounted({ miss, attempts, optional }: ReportedMiss, paint: Paint): string {
  const times = attempts > 1 ? [`  asked ${attempts} times`] : [];
  const forgiven = optional ? ["  of a package registry or an update check: no divergence"] : [];
  return [formatWholeMiss(miss, paint), ...times, ...forgiven].join("\n");
}

function toMiss(value: unknown): ReportedMiss {
  const { key, method, url, body_bytes, used_up, nearest, rule, reason, attempts, optional } = toRecord(value);
  const miss = {
    key: toText(key),
    method: toText(method),
    url: toText(url),
    bodyBytes: toNumber(body_bytes),
    usedUp: toNumber(used_up),
    nearest: toList(nearest).map(toNearStep),
    rule: toTextOrNull(rule),
    reason: toText(reason),
  };
  return { miss, attempts: toNumber(attempts), optional: optional === true };
}

function toNearStep(value: unknown): NearStep {
  const { seq, method, url, changes } = toRecord(value);
  return { seq: toNumber(seq), method: toText(method), url: toText(url), changes: toList(changes).map(toChange) };
}

function toChange(value: unknown): FieldChange {
  const { field, recorded, asked } = toRecord(value);
  return { field: toText(field), recorded: toTextOrNull(recorded), asked: toTextOrNull(asked) };
}

function toRecord(value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new SyntaxError("it is no report of a replay");
}

function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new SyntaxError("it lacks a list that a report has");
}

function toText(value: unknown): string {
  if (typeof value === "string") return value;
  throw new SyntaxError("it lacks a text that a report has");
}

function toTextOrNull(value: unknown): string | null {
  return value === null ? null : toText(value);
}

function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  throw new SyntaxError("it lacks a number that a report has");
}
