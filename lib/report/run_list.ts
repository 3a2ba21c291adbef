/**
 * Runs as rows, and as JSON.
 *
 * @module
 */
import type { Paint } from "./paint.ts";
import { cutLine, formatCommand, formatTable, printable } from "./text.ts";

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

/** Formats runs as a table, in the order given. */
export function formatRunList(runs: readonly ListedRun[], paint: Paint): string {
  const rows = runs.map((run) => [
    run.runId,
    run.timestamp.replace("T", " ").slice(0, 19),
    run.status,
    run.steps === null ? "-" : String(run.steps),
    run.name ?? "-",
    cutLine(printable(formatCommand(run.command)), commandWidth),
  ]);
  const [head = "", ...lines] = formatTable([["run", "began (UTC)", "status", "steps", "name", "command"], ...rows]);
  return [paint.dim(head), ...lines].join("\n");
}

/** The same as JSON values. */
export function toRunListJson(runs: readonly ListedRun[]): Record<string, unknown>[] {
  return runs.map(({ runId, exitCode, ...run }) => ({ run_id: runId, ...run, exit_code: exitCode }));
}
