import { resolve } from "node:path";
import { counted, formatBytes, UsageError } from "../report/mod.ts";
import { selfContainedLines, type TraceFile, writeSelfContained } from "../store/mod.ts";
import type { CliContext } from "./_context.ts";
import { openTrace } from "./_open_trace.ts";
import { isFileError, reasonOf } from "./_system_error.ts";

/** What `export` understands. */
export interface ExportOptions {
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Writes a trace as one self-contained file. */
export function exportRun(
  context: CliContext,
  { run, file }: { readonly run: string; readonly file: string },
  options: ExportOptions,
): void {
  using trace = openTrace(context, run);
  for (const warning of trace.warnings) context.tell(`agrepl: ${warning}`);
  if (file === "-") {
    if (options.json === true) {
      throw new UsageError("Cannot print JSON beside the trace: expected a file, or no --json");
    }
    for (const line of selfContainedLines(trace)) context.print(line);
    return;
  }
  const place = resolve(context.cwd, file);
  if (options.force !== true && isThere(place)) {
    throw new UsageError(`Cannot write "${file}": it is there already; --force replaces it`);
  }
  const bytes = write(trace, place, file);
  if (options.json === true) {
    context.print(JSON.stringify({ file: place, steps: trace.entries.length, bytes }, null, 2));
  } else context.tell(`agrepl: wrote ${file}, ${counted(trace.entries.length, "step")}, ${formatBytes(bytes)}`);
}

function write(trace: TraceFile, place: string, name: string): number {
  try {
    return writeSelfContained(trace, place);
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new UsageError(`Cannot write "${name}": ${reasonOf(error)}`);
  }
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
