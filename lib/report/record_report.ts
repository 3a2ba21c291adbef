/**
 * The end of a recording, in a line or two.
 *
 * @module
 */
import type { Paint } from "./paint.ts";
import { counted, formatCommand, formatDuration, printableLine } from "./text.ts";

/** How a recording went. */
export interface RecordReport {
  readonly runId: string;
  readonly name: string | null;
  readonly steps: number;
  readonly durationMs: number;
  readonly exitCode: number;
  readonly warnings: readonly string[];
}

/**
 * Formats a recording's end for a terminal.
 *
 * @param report How it went.
 * @param paint Emphasis.
 * @returns Lines without a trailing newline.
 */
export function formatRecordReport(report: RecordReport, paint: Paint): string {
  const steps = counted(report.steps, "step");
  const head = `${paint.bold("agrepl")} recorded ${report.runId}: ${steps} in ${formatDuration(report.durationMs)}`;
  const warnings = report.warnings.map((each) => `  ${paint.bad("warning")} ${printableLine(each)}`);
  if (report.steps === 0) return [head, ...warnings].join("\n"); // there is nothing to replay
  const run = report.name === null ? "latest" : printableLine(formatCommand([report.name]));
  return [head, ...warnings, `  replay with: agrepl run ${run}`].join("\n");
}

/**
 * Gives the same as a JSON value, for `--report`.
 *
 * @param report How the recording went.
 * @returns Its fields in snake_case.
 */
export function toRecordReportJson(report: RecordReport): Record<string, unknown> {
  const { runId, durationMs, exitCode, ...rest } = report;
  return { run_id: runId, ...rest, duration_ms: durationMs, exit_code: exitCode };
}
