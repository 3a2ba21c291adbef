import { relative } from "node:path";
import { UsageError } from "../report/mod.ts";
import { type RunStatus, type TraceHeader, version } from "../step/mod.ts";
import { newRunId, type RunOutcome, TraceWriter } from "../store/mod.ts";
import type { CliContext } from "./_context.ts";
import type { LossLog } from "./_loss_log.ts";
import { isFileError, reasonOf } from "./_system_error.ts";

/**
 * Begins the trace of a run.
 *
 * @param header What the run itself knows; its `cwd` is absolute.
 * @throws {UsageError} when the store cannot be written.
 */
export function openWriter(
  context: CliContext,
  { cwd, ...header }: Pick<TraceHeader, "name" | "command" | "cwd" | "env" | "key" | "redaction">,
): TraceWriter {
  const { layout } = context.store;
  const now = new Date();
  try {
    return new TraceWriter(layout, {
      kind: "trace",
      version: 1,
      runId: newRunId(now),
      cwd: relative(`${layout.root}/..`, cwd) || ".",
      timestamp: now.toISOString(),
      agrepl: version,
      ...header,
    });
  } catch (error) {
    throw new UsageError(
      `Cannot record into "${layout.root}": ${reasonOf(error)}. Name another folder with AGREPL_DIR`,
    );
  }
}

/** How a run counts by its child's end. */
export function statusOf({ code, interrupted }: { readonly code: number; readonly interrupted: boolean }): RunStatus {
  if (interrupted) return "interrupted";
  return code === 0 ? "completed" : "failed";
}

/** Ends a trace. The child has done its work by now: a full disk must not take its exit code from it. */
export function endTrace(writer: TraceWriter, outcome: RunOutcome, lost: LossLog): void {
  try {
    writer.finish(outcome);
  } catch (error) {
    if (!isFileError(error)) throw error;
    lost.takeEnd(error);
  }
}
