import { formatWhy, parseReplayReport, type StoredReport } from "../report/mod.ts";
import { isRunId } from "../store/mod.ts";
import { CommandFailure } from "./_command_failure.ts";
import type { CliContext } from "./_context.ts";
import { exitCode } from "./_exit.ts";
import { findTrace, openTrace } from "./_open_trace.ts";

/**
 * Prints why the last replay of a run diverged.
 *
 * @param run The run that was replayed; without it, the one that was replayed last.
 * @returns 0 when it did not diverge, else 1.
 */
export function whyRun(context: CliContext, run: string | undefined, asJson: boolean): number {
  const runId = run === undefined ? lastReported(context) : runIdOf(context, run);
  const text = context.store.readReport(runId);
  if (text === null) {
    throw new CommandFailure(
      `Cannot tell why "${run ?? runId}" diverged: it has not been replayed here. Begin with: agrepl run ${
        run ?? runId
      }`,
      exitCode.badTrace,
    );
  }
  const report = parse(runId, text);
  context.print(asJson ? text.trimEnd() : formatWhy(report, context.outPaint));
  return report.diverged ? exitCode.findings : exitCode.same;
}

function lastReported({ store }: CliContext): string {
  const runId = store.lastReported();
  if (runId !== null) return runId;
  throw new CommandFailure(
    "Cannot tell why: nothing has been replayed here. Begin with: agrepl run latest",
    exitCode.badTrace,
  );
}

/** A report outlives its trace, and lies under the id that the trace's header names. */
function runIdOf(context: CliContext, run: string): string {
  if (isRunId(run) && context.store.readReport(run) !== null) return run;
  const { ref } = findTrace(context, run);
  if (ref !== null) return ref.runId;
  using trace = openTrace(context, run);
  return trace.header.runId;
}

function parse(runId: string, text: string): StoredReport {
  try {
    return parseReplayReport(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CommandFailure(
      `Cannot read the report of "${runId}": ${error.message}. A replay writes it anew: agrepl run ${runId}`,
      exitCode.badTrace,
    );
  }
}
