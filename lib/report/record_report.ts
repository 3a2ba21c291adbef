/**
 * The end of a recording, in a line or two.
 *
 * @module
 */
import type { Paint } from "./paint.ts";
import { counted, formatDuration } from "./text.ts";

/** How a recording went. */
export interface RecordReport {
  readonly runId: string;
  readonly name: string | null;
  readonly steps: number;
  readonly durationMs: number;
  readonly exitCode: number;
  readonly warnings: readonly string[];
}

/** Formats a recording's end for a terminal. */
export function formatRecordReport(report: RecordReport, paint: Paint): string {
  const run = report.name ?? report.runId;
  const steps = counted(report.steps, "step");
  const head = `${paint.bold("agrepl")} recorded ${report.runId}: ${steps} in ${formatDuration(report.durationMs)}`;
  const next = `  replay with: agrepl run ${report.steps === 0 ? report.runId : run === report.runId ? "latest" : run}`;
  const warnings = report.warnings.map((each) => `  ${paint.bad("warning")} ${each}`);
  return [head, ...warnings, ...(report.steps === 0 ? [] : [next])].join("\n");
}

/** The same as a JSON value, for `--report`. */
export function toRecordReportJson(report: RecordReport): Record<string, unknown> {
  const { runId, durationMs, exitCode, ...rest } = report;
  return { run_id: runId, ...rest, duration_ms: durationMs, exit_code: exitCode };
}
