/**
 * What a store can do without: runs beyond what the user keeps, blobs that no trace names, what a crash left behind.
 *
 * @module
 */
import { basename, join } from "node:path";
import { removeIfThere } from "./_files.ts";
import { blobPath, growingTracePath, isRunId, reportPath, runRefPath, type StoreLayout, tracePath } from "./layout.ts";
import { namedDigests } from "./named_digests.ts";
import { listRuns, type RunRef } from "./run_ref.ts";

/** What is to be kept. */
export interface CollectionRules {
  /** So many of the newest runs stay; with `olderThanMs` the others go only when they are that old too. */
  readonly keep?: number;
  /** Milliseconds; younger runs stay. */
  readonly olderThanMs?: number;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** Why a file can go. */
export type CollectedKind = "ref" | "trace" | "report" | "blob" | "temporary";

/** One file that can go. */
export interface CollectedFile {
  readonly kind: CollectedKind;
  readonly path: string;
  readonly bytes: number;
  /** When it was written last, in milliseconds since 1970: what was written again since then stays. */
  readonly writtenMs: number;
}

/** What can go. */
export interface CollectionPlan {
  /** Oldest first. */
  readonly runs: readonly RunRef[];
  /** In the order in which they are removed: whoever is killed in between leaves nothing that leads nowhere. */
  readonly files: readonly CollectedFile[];
  /** Files that nothing names and that are too young to go: somebody may be about to name them. */
  readonly spared: number;
}

/** What nothing names yet may be on its way into a trace: a pull, or a step that is still open. */
const graceMs = 10 * 60 * 1000;

/**
 * Finds what can go; changes nothing.
 *
 * @param layout The store; one that does not exist holds nothing.
 * @param rules What is to be kept; without `keep` and `olderThanMs` every run.
 */
export function planCollection(layout: StoreLayout, rules: CollectionRules): CollectionPlan {
  const runs = listRuns(layout);
  const gone = new Set(runsToRemove(runs, rules));
  const kept = runs.filter((ref) => !gone.has(ref));
  const traces = allTraces(layout);
  const going = new Set(traces.filter((path) => !isKept(layout, path, { kept, gone, rules })));
  const freed = digestsOf([...going]);
  const named = digestsOf(traces.filter((path) => !going.has(path)));
  const blobs = blobFiles(layout, named).map((file) => ({
    ...file,
    known: freed.has(`sha256:${basename(file.path)}`),
  }));
  const before = safeBeforeMs(runs, rules);
  const goes = (file: CollectedFile & { readonly known: boolean }) =>
    file.writtenMs < (file.known ? before.recordings : before.all);
  const loose = [...blobs, ...temporaryFiles(layout).map((file) => ({ ...file, known: false }))];
  return {
    runs: [...gone],
    files: [
      ...[...gone].flatMap((ref) => existing("ref", runRefPath(layout, ref.runId))),
      ...[...gone].flatMap((ref) => existing("report", reportPath(layout, ref.runId))),
      ...[...going].flatMap((path) => existing("trace", path)),
      ...loose.filter(goes).map(({ known: _known, ...file }) => file),
    ],
    spared: loose.filter((file) => !goes(file)).length,
  };
}

/**
 * Removes what a plan names; what was written again since the plan was made stays.
 *
 * @param plan Of {@link planCollection}.
 * @returns How many files went, and their bytes.
 */
export function collect(plan: CollectionPlan): { readonly files: number; readonly bytes: number } {
  const removed = plan.files.filter(({ path, writtenMs }) => {
    const [now] = existing("blob", path);
    if (now === undefined || now.writtenMs !== writtenMs) return false;
    removeIfThere(path);
    return true;
  });
  return { files: removed.length, bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0) };
}

function runsToRemove(runs: readonly RunRef[], { keep, olderThanMs, nowMs }: CollectionRules): RunRef[] {
  if (keep === undefined && olderThanMs === undefined) return [];
  const ended = runs.filter((ref) => ref.status !== "recording");
  const beyond = keep === undefined ? ended : ended.slice(0, Math.max(0, ended.length - keep));
  return beyond.filter((ref) => !(nowMs - Date.parse(ref.timestamp) < (olderThanMs ?? 0)));
}

/** Blobs of a recording were written after it began; what nothing ever named may belong to a pull. */
function safeBeforeMs(runs: readonly RunRef[], { nowMs }: CollectionRules): { recordings: number; all: number } {
  const begun = runs.filter((ref) => ref.status === "recording").map((ref) => Date.parse(ref.timestamp) || 0);
  const recordings = Math.min(Infinity, ...begun);
  return { recordings, all: Math.min(recordings, nowMs - graceMs) };
}

interface KeepQuestion {
  readonly kept: readonly RunRef[];
  readonly gone: ReadonlySet<RunRef>;
  readonly rules: CollectionRules;
}

/** A trace without a ref goes when a kill left it behind; a ref that cannot be read may lead to any of them. */
function isKept(layout: StoreLayout, path: string, { kept, gone, rules }: KeepQuestion): boolean {
  const leadsHere = (ref: RunRef) =>
    path === growingTracePath(layout, ref.runId) || (ref.digest !== null && path === tracePath(layout, ref.digest));
  if (kept.some(leadsHere)) return true;
  if ([...gone].some(leadsHere)) return false;
  const [file] = existing("trace", path);
  return unreadableRefs(layout).length > 0 || file === undefined || file.writtenMs > rules.nowMs - graceMs;
}

/**
 * Names the refs that cannot be read: nobody can tell which traces they lead to.
 *
 * @param layout The store.
 * @returns Their paths.
 */
export function unreadableRefs(layout: StoreLayout): string[] {
  const known = new Set(listRuns(layout).map((ref) => ref.runId));
  return namesIn(layout.runs)
    .filter((name) => /\.(?:json|ndjson)$/.test(name))
    .filter((name) => !known.has(name.replace(/\.(?:json|ndjson)$/, "")))
    .map((name) => join(layout.runs, name));
}

/**
 * Removes the blobs of traces that are gone, but for those that another trace names.
 *
 * @param layout The store.
 * @param digests What the traces that are gone named.
 * @returns How many files went.
 */
export function removeUnsharedBlobs(layout: StoreLayout, digests: ReadonlySet<string>): number {
  const named = digestsOf(allTraces(layout));
  const { recordings } = safeBeforeMs(listRuns(layout), { nowMs: 0 });
  const files = [...digests].filter((digest) => !named.has(digest)).flatMap((digest) =>
    existing("blob", blobPath(layout, digest))
  );
  return collect({ runs: [], files: files.filter((file) => file.writtenMs < recordings), spared: 0 }).files;
}

function allTraces(layout: StoreLayout): string[] {
  const growing = namesIn(layout.runs).filter((name) => name.endsWith(".ndjson") && isRunId(name.slice(0, -7)));
  const whole = namesIn(layout.traces).filter((name) => /^[0-9a-f]{64}\.ndjson$/.test(name));
  return [...growing.map((name) => join(layout.runs, name)), ...whole.map((name) => join(layout.traces, name))];
}

function digestsOf(paths: readonly string[]): Set<string> {
  const all = new Set<string>();
  for (const path of paths) for (const digest of digestsIfThere(path)) all.add(digest);
  return all;
}

/** A run that ends meanwhile is renamed: its trace is read where it is now. */
function digestsIfThere(path: string): ReadonlySet<string> {
  try {
    return namedDigests(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return new Set();
    throw error;
  }
}

function blobFiles(layout: StoreLayout, named: ReadonlySet<string>): CollectedFile[] {
  return namesIn(layout.blobs, "folders").filter((name) => /^[0-9a-f]{2}$/.test(name)).flatMap((folder) =>
    namesIn(join(layout.blobs, folder))
      .filter((name) => /^[0-9a-f]{64}$/.test(name) && !named.has(`sha256:${name}`))
      .flatMap((name) => existing("blob", join(layout.blobs, folder, name)))
  );
}

/** What was never moved into its place: blobs, refs, traces, reports. */
function temporaryFiles(layout: StoreLayout): CollectedFile[] {
  const folders = [layout.root, layout.runs, layout.traces, layout.reports, layout.blobs];
  return folders.flatMap((folder) =>
    namesIn(folder).filter((name) => name.endsWith(".tmp")).flatMap((name) => existing("temporary", join(folder, name)))
  );
}

function existing(kind: CollectedKind, path: string): CollectedFile[] {
  try {
    const { size, mtime, isFile } = Deno.lstatSync(path);
    return isFile ? [{ kind, path, bytes: size, writtenMs: mtime?.getTime() ?? Infinity }] : [];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

function namesIn(folder: string, what: "files" | "folders" = "files"): string[] {
  try {
    const entries = [...Deno.readDirSync(folder)].filter((entry) =>
      what === "files" ? entry.isFile : entry.isDirectory
    );
    return entries.map((entry) => entry.name).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
