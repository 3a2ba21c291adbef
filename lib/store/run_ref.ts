/**
 * What `list` knows of a run without opening its trace.
 *
 * @module
 */
import { parseLine, type RunStatus, TraceFormatError, type TraceHeader } from "../step/mod.ts";
import { fileNames, isFile, readTextIfThere, replaceFile } from "./_files.ts";
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
  /** Where it was pulled from; absent for a run that was recorded in this store. */
  readonly origin?: string;
}

/**
 * Writes the ref of a run that has ended.
 *
 * @param layout The run's store.
 * @param ref What `list` will know.
 */
export function writeRunRef(layout: StoreLayout, ref: RunRef): void {
  replaceFile(runRefPath(layout, ref.runId), formatRunRef(ref));
}

/**
 * Writes a ref as JSON.
 *
 * @param ref The run.
 * @returns One line.
 */
export function formatRunRef(ref: RunRef): string {
  const json = {
    run_id: ref.runId,
    name: ref.name,
    digest: ref.digest,
    command: ref.command,
    timestamp: ref.timestamp,
    status: ref.status,
    exit_code: ref.exitCode,
    steps: ref.steps,
    ...(ref.origin === undefined ? {} : { origin: ref.origin }),
  };
  return `${JSON.stringify(json)}\n`;
}

/**
 * Lists the runs of a store, oldest first. A file that is no ref is passed over: `verify` names it.
 *
 * @param layout The store; one that does not exist yet has no runs.
 * @returns One ref per run, recording and interrupted ones included.
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

/**
 * Finds the file that holds a run's trace.
 *
 * @param layout The run's store.
 * @param ref The run.
 * @returns Its path; a recorder that was killed between ref and address left the trace where it grew.
 */
export function traceFileOf(layout: StoreLayout, ref: RunRef): string {
  const growing = growingTracePath(layout, ref.runId);
  if (ref.digest === null) return growing;
  const whole = tracePath(layout, ref.digest);
  return isFile(whole) || !isFile(growing) ? whole : growing;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function readRunRef(layout: StoreLayout, runId: string): RunRef | null {
  const text = readTextIfThere(runRefPath(layout, runId));
  if (text !== null) return parseRunRef(text, runId);
  try {
    return refOfGrowingTrace(layout, runId);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    const late = readTextIfThere(runRefPath(layout, runId)); // the run ended between the two looks
    return late === null ? null : parseRunRef(late, runId);
  }
}

/**
 * Reads a ref.
 *
 * @param text JSON.
 * @param runId The run that it is about.
 * @returns The ref, or `null` when the text is none.
 */
export function parseRunRef(text: string, runId: string): RunRef | null {
  const ref = parseObject(text);
  if (ref === null) return null; // not a ref of ours, or damaged: verify says so
  const { name, digest, command, timestamp, status, exit_code: exitCode, steps, origin } = ref;
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
    ...(origin === undefined ? {} : { origin: String(origin) }), // whatever it says: it is not ours
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null; // SyntaxError is the parser's only way to say "not JSON"
  }
}

function refOfGrowingTrace(layout: StoreLayout, runId: string): RunRef | null {
  const path = growingTracePath(layout, runId);
  const header = parseHeader(firstLine(path), path);
  if (header === null) return null;
  const { name, command, timestamp } = header;
  const status = isLocked(path) ? "recording" : "interrupted";
  return { runId, name, digest: null, command, timestamp, status, exitCode: null, steps: null };
}

function parseHeader(text: string | null, path: string): TraceHeader | null {
  if (text === null) return null;
  try {
    const line = parseLine(text, { path, line: 1, offset: 0 });
    return line.kind === "trace" ? line : null;
  } catch (error) {
    if (error instanceof TraceFormatError) return null; // verify names the file and the reason
    throw error;
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
