/**
 * What `list` knows of a run without opening its trace.
 *
 * @module
 */
import { basename, join } from "node:path";
import { parseLine, type RunStatus } from "../step/mod.ts";
import { readTextIfThere, replaceFile } from "./_files.ts";
import { growingTracePath, isRunId, runRefPath, type StoreLayout, tracePath } from "./layout.ts";

/** One run of a store. */
export interface RunRef {
  readonly runId: string;
  readonly name: string | null;
  /** `sha256:…` of its trace; `null` while it is recording or when it was cut off. */
  readonly digest: string | null;
  readonly command: readonly string[];
  /** ISO 8601, when it began. */
  readonly timestamp: string;
  readonly status: RunStatus | "recording";
  readonly exitCode: number | null;
  /** `null` where only the trace itself could tell. */
  readonly steps: number | null;
}

/** Writes the ref of a run that has ended. */
export function writeRunRef(layout: StoreLayout, ref: RunRef): void {
  const json = {
    run_id: ref.runId,
    name: ref.name,
    digest: ref.digest,
    command: ref.command,
    timestamp: ref.timestamp,
    status: ref.status,
    exit_code: ref.exitCode,
    steps: ref.steps,
  };
  replaceFile(runRefPath(layout, ref.runId), `${JSON.stringify(json)}\n`);
}

/**
 * Lists the runs of a store, oldest first. A file that is no ref is passed over: `verify` names it.
 *
 * @param layout The store; one that does not exist yet has no runs.
 */
export function listRuns(layout: StoreLayout): RunRef[] {
  const ids = new Set<string>();
  for (const name of fileNames(layout.runs)) {
    const id = name.replace(/\.(?:json|ndjson)$/, "");
    if (id !== name && isRunId(id)) ids.add(id);
  }
  const runs = [...ids].map((id) => readRunRef(layout, id)).filter((ref) => ref !== null);
  return runs.sort((a, b) => compare(a.timestamp, b.timestamp) || compare(a.runId, b.runId));
}

/** The file that holds a run's trace. */
export function traceFileOf(layout: StoreLayout, ref: RunRef): string {
  return ref.digest === null ? growingTracePath(layout, ref.runId) : tracePath(layout, ref.digest);
}

function fileNames(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].filter((entry) => entry.isFile).map((entry) => entry.name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function readRunRef(layout: StoreLayout, runId: string): RunRef | null {
  const text = readTextIfThere(runRefPath(layout, runId));
  return text === null ? refOfGrowingTrace(layout, runId) : parseRunRef(text, runId);
}

function parseRunRef(text: string, runId: string): RunRef | null {
  let ref: Record<string, unknown>;
  try {
    ref = JSON.parse(text);
  } catch {
    return null; // not a ref of ours, or damaged: verify says so
  }
  const { name, digest, command, timestamp, status, exit_code: exitCode, steps } = ref;
  if (typeof timestamp !== "string" || !Array.isArray(command)) return null;
  return {
    runId,
    name: typeof name === "string" ? name : null,
    digest: typeof digest === "string" && /^sha256:[0-9a-f]{64}$/.test(digest) ? digest : null,
    command: command.map(String),
    timestamp,
    status: status === "completed" || status === "failed" ? status : "interrupted",
    exitCode: typeof exitCode === "number" ? exitCode : null,
    steps: typeof steps === "number" ? steps : null,
  };
}

function refOfGrowingTrace(layout: StoreLayout, runId: string): RunRef | null {
  const path = growingTracePath(layout, runId);
  const first = firstLine(path);
  if (first === null) return null;
  try {
    const header = parseLine(first, { path, line: 1, offset: 0 });
    if (header.kind !== "trace") return null;
    const { name, command, timestamp } = header;
    const status = isLocked(path) ? "recording" : "interrupted";
    return { runId, name, digest: null, command, timestamp, status, exitCode: null, steps: null };
  } catch {
    return null; // a header that cannot be read: verify names the file and the reason
  }
}

/** A header's line is short; one of a megabyte is none of ours. */
const headerLimitBytes = 1024 * 1024;

function firstLine(path: string): string | null {
  using file = Deno.openSync(path, { read: true });
  const bytes = new Uint8Array(headerLimitBytes);
  const read = file.readSync(bytes) ?? 0;
  const newline = bytes.subarray(0, read).indexOf(10);
  return newline === -1 ? null : new TextDecoder().decode(bytes.subarray(0, newline));
}

function isLocked(path: string): boolean {
  using file = Deno.openSync(path, { read: true });
  return !file.tryLockSync(false);
}

/** The run's id as its file name tells it, or `null` for other files. */
export function runIdOfPath(path: string): string | null {
  const id = basename(path).replace(/\.ndjson$/, "");
  return isRunId(id) ? id : null;
}

/** Where refs lie, for messages. */
export function runsFolder(layout: StoreLayout): string {
  return join(layout.runs);
}
