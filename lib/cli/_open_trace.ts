import { UsageError } from "../report/mod.ts";
import { type CompiledRules, compileRules } from "../key/mod.ts";
import { TraceFormatError } from "../step/mod.ts";
import { type FoundRun, type TraceFile, TraceNotFoundError } from "../store/mod.ts";
import type { CliContext } from "./_context.ts";
import { keyContext } from "./_run_parts.ts";
import { isFileError } from "./_system_error.ts";
import { UnreadableTraceError } from "./_unreadable_trace_error.ts";

/**
 * Finds and opens the trace that a user's RUN means.
 *
 * @throws {TraceNotFoundError} when it means none, or several.
 * @throws {TraceFormatError} when it is damaged or newer.
 * @throws {UnreadableTraceError} when the system refuses it.
 * @throws {UsageError} when it is a folder or a pipe.
 */
export function openTrace(context: CliContext, run: string): TraceFile {
  const found = findTrace(context, run);
  try {
    return context.store.open(found);
  } catch (error) {
    throw isFileError(error) ? new UnreadableTraceError(found.path, error) : error;
  }
}

/** Finds the trace that a user's RUN means, without opening it. */
export function findTrace(context: CliContext, run: string): FoundRun {
  try {
    return context.store.find(run);
  } catch (error) {
    if (error instanceof TraceNotFoundError) refuseNoFile(run);
    throw error;
  }
}

/** The rules that stand in a trace's header; rules that nobody can read are damage. */
export function compileTraceRules(context: CliContext, trace: TraceFile): CompiledRules {
  try {
    return compileRules(trace.header.key, keyContext(context));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const problem = error.message.replace(/^Cannot (?:read|use) /, "");
    throw new TraceFormatError({ path: trace.path, line: 1, offset: 0 }, problem);
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
}

/** A path that is there and is no file deserves another answer than one that is not there. */
function refuseNoFile(run: string): void {
  let info: Deno.FileInfo;
  try {
    info = Deno.statSync(run);
  } catch (error) {
    if (isAbsence(error) || !isFileError(error)) return; // the store's own answer says so
    throw new UnreadableTraceError(run, error);
  }
  if (info.isDirectory) {
    if (!/[/\\.]/.test(run)) return; // a plain word was meant as an id or a name
    throw new UsageError(`Cannot read "${run}": it is a folder, expected the file of a trace`);
  }
  if (!info.isFile) {
    throw new UsageError(`Cannot read "${run}": it is a pipe or a device; save it to a file first, it is read twice`);
  }
}
