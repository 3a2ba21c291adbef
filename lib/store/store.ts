/**
 * A store: the runs of one project, found by id, name, digest or path.
 *
 * @module
 */
import { basename, dirname, join, resolve } from "node:path";
import { isRunId, reportPath, type StoreLayout, storeLayout } from "./layout.ts";
import { fileNames, isFile, readTextIfThere, replaceFile } from "./_files.ts";
import { listRuns, type RunRef, traceFileOf } from "./run_ref.ts";
import { TraceFile } from "./trace_file.ts";
import { TraceNotFoundError } from "./trace_not_found_error.ts";

/** What a user's RUN stands for. */
export interface FoundRun {
  /** The trace's file. */
  readonly path: string;
  /** `null` for a file outside the store. */
  readonly ref: RunRef | null;
}

/** The runs of one project. Nothing is made on disk before something is recorded. */
export class Store {
  readonly layout: StoreLayout;

  /**
   * Names a store without making it.
   *
   * @param root The store's folder, usually `.agrepl`.
   */
  constructor(root: string) {
    this.layout = storeLayout(resolve(root));
  }

  /** All runs, oldest first. */
  list(): RunRef[] {
    return listRuns(this.layout);
  }

  /**
   * Finds a run.
   *
   * @param run `latest`, an id, the unique start of one, a name, `sha256:<start>`, or the path of a trace.
   * @returns Where its trace is.
   * @throws {TraceNotFoundError} when it means no run, or more than one.
   */
  find(run: string): FoundRun {
    const isPath = looksLikePath(run);
    if (isPath && isFile(run)) return { path: run, ref: null };
    const runs = this.list();
    const found = pick(run, runs);
    if (found !== null) return { path: traceFileOf(this.layout, found), ref: found };
    if (isFile(run)) return { path: run, ref: null };
    throw isPath
      ? new TraceNotFoundError(run, [], "there is no such file, and no run of that name")
      : new TraceNotFoundError(run, runs);
  }

  /**
   * Opens the trace of a run that {@link find} found.
   *
   * @param found Where the trace is.
   * @returns The trace, to be disposed of.
   * @throws {TraceFormatError} when it is damaged or newer than this agrepl.
   */
  open(found: FoundRun): TraceFile {
    return new TraceFile(found.path, found.ref === null ? layoutAround(found.path) : this.layout);
  }

  /** Keeps the report of a replay, under the run that was replayed. */
  writeReport(runId: string, json: string): void {
    replaceFile(reportPath(this.layout, runId), json);
  }

  /** The run that was replayed last, of those that have a report; `null` when none has. */
  lastReported(): string | null {
    const found = fileNames(this.layout.reports).filter((name) => isRunId(name.replace(/\.json$/, "")))
      .map((name) => ({ name, ms: Deno.statSync(join(this.layout.reports, name)).mtime?.getTime() ?? 0 }))
      .sort((a, b) => a.ms - b.ms);
    return found.at(-1)?.name.replace(/\.json$/, "") ?? null;
  }

  /** The report of a run's last replay, or `null`. */
  readReport(runId: string): string | null {
    return readTextIfThere(reportPath(this.layout, runId));
  }
}

function looksLikePath(run: string): boolean {
  return run.includes("/") || run.includes("\\") || run.endsWith(".ndjson");
}

/** The store that a trace's path leads into, so that its blobs are found; `null` for a file of its own. */
function layoutAround(path: string): StoreLayout | null {
  const folder = dirname(resolve(path));
  const isStores = basename(folder) === "traces" || basename(folder) === "runs";
  return isStores ? storeLayout(dirname(folder)) : null;
}

function pick(run: string, runs: readonly RunRef[]): RunRef | null {
  if (run === "latest") return runs.at(-1) ?? null;
  const exact = runs.findLast((ref) => ref.runId === run || ref.name === run);
  if (exact !== undefined) return exact;
  const starts = runs.filter((ref) => startsWith(ref, run));
  if (starts.length > 1) throw new TraceNotFoundError(run, starts, `${starts.length} runs begin like that`);
  return starts[0] ?? null;
}

function startsWith(ref: RunRef, start: string): boolean {
  if (start.startsWith("sha256:")) return start.length > 7 && ref.digest?.startsWith(start) === true;
  return start.length > 0 && ref.runId.startsWith(start);
}
