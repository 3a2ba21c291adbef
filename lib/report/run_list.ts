/**
 * Runs as rows, and as JSON.
 *
 * @module
 */
import type { Paint } from "./paint.ts";
import { cutLine, formatCommand, formatTable, printableLine } from "./text.ts";

/** One run, as a list knows it. */
export interface ListedRun {
  readonly runId: string;
  readonly name: string | null;
  readonly digest: string | null;
  readonly command: readonly string[];
  readonly timestamp: string;
  readonly status: string;
  readonly exitCode: number | null;
  readonly steps: number | null;
}

const commandWidth = 60;

/**
 * Formats runs as a table.
 *
 * @param runs In the order of the rows.
 * @param paint Emphasis.
 * @returns Lines without a trailing newline.
 */
export function formatRunList(runs: readonly ListedRun[], paint: Paint): string {
  const rows = runs.map((run) => [
    printableLine(run.runId),
    printableLine(run.timestamp.replace("T", " ").slice(0, 19)),
    printableLine(run.status),
    run.steps === null ? "-" : String(run.steps),
    printableLine(run.name ?? "-"),
    cutLine(printableLine(formatCommand(run.command)), commandWidth),
  ]);
  const [head = "", ...lines] = formatTable([["run", "began (UTC)", "status", "steps", "name", "command"], ...rows]);
  return [paint.dim(head), ...lines].join("\n");
}

/**
 * Gives the same as JSON values.
 *
 * @param runs In the order of the result.
 * @returns One object per run, its fields in snake_case.
 */
export function toRunListJson(runs: readonly ListedRun[]): Record<string, unknown>[] {
  return runs.map(({ runId, exitCode, ...run }) => ({ run_id: runId, ...run, exit_code: exitCode }));
}
