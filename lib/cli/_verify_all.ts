import { type CheckedTrace, formatChecks, UsageError } from "../report/mod.ts";
import { TraceFormatError } from "../step/mod.ts";
import { traceFileOf, unreadableRefs } from "../store/mod.ts";
import type { CliContext } from "./_context.ts";
import { exitCode } from "./_exit.ts";
import { UnreadableTraceError } from "./_unreadable_trace_error.ts";
import { verifyRun } from "./_verify_run.ts";

/** What `verify` understands. */
export interface VerifyOptions {
  readonly all?: boolean;
  readonly json?: boolean;
}

/**
 * Checks a run, or all of them, and prints what was found.
 *
 * @returns 0 when all is whole, else 1.
 */
export async function verify(context: CliContext, run: string | undefined, options: VerifyOptions): Promise<number> {
  const all = options.all === true;
  if (all === (run !== undefined)) {
    throw new UsageError(
      all
        ? "Cannot check one run and all of them at once: expected RUN or --all"
        : "No run given: expected RUN or --all, as in: agrepl verify latest",
    );
  }
  const traces = run === undefined ? await verifyAll(context) : [await verifyRun(context, run)];
  if (options.json === true) context.print(JSON.stringify(all ? { traces } : traces[0], null, 2));
  else if (traces.length === 0) context.tell("No run is recorded here yet. Begin with: agrepl record -- COMMAND");
  else context.print(formatChecks(traces));
  return traces.every(({ findings }) => findings.length === 0) ? exitCode.same : exitCode.findings;
}

/** One after the other; a trace that cannot be opened at all is a finding, and the others are checked. */
async function verifyAll(context: CliContext): Promise<CheckedTrace[]> {
  const checked: CheckedTrace[] = [];
  for (const ref of context.store.list()) {
    if (ref.status === "recording") continue; // it is not whole yet
    const path = traceFileOf(context.store.layout, ref);
    checked.push(await verifyRun(context, ref.runId).catch((error) => unreadable(path, error)));
  }
  const stray = unreadableRefs(context.store.layout).map((path) => ({
    path,
    steps: 0,
    findings: ["The file is no run that can be read"],
  }));
  return [...checked, ...stray];
}

function unreadable(path: string, error: unknown): CheckedTrace {
  if (error instanceof TraceFormatError || error instanceof UnreadableTraceError) {
    return { path, steps: 0, findings: [error.message] };
  }
  throw error;
}
