/**
 * A run on its way from a remote store: nothing of it is in the store before all of it is checked.
 *
 * @module
 */
import { dirname } from "node:path";
import { TraceFormatError } from "../step/mod.ts";
import { download, type DownloadLimits } from "./_download.ts";
import { makeFolder } from "./_files.ts";
import { StreamedFile } from "./_streamed_file.ts";
import { blobPath, isRunId, type StoreLayout, tracePath } from "./layout.ts";
import { inParallel, type RemoteBucket } from "./remote_bucket.ts";
import { blobsOf, readRemoteRef, remoteKeys } from "./remote_share.ts";
import { RemoteStoreError } from "./remote_store_error.ts";
import { listRuns, type RunRef, writeRunRef } from "./run_ref.ts";
import { digestBeforeEnd } from "./trace_digest.ts";
import { TraceFile } from "./trace_file.ts";
import { makeStore } from "./trace_writer.ts";

/** How a run is pulled. */
export interface PullOptions {
  /** Told how many files are there, and how many there will be. */
  readonly onProgress?: (done: number, all: number) => void;
  /** How much one trace, and all of its blobs, may come to. @default {4294967296} */
  readonly limitBytes?: number;
}

/** What pulling came to. */
export interface Pulled {
  readonly ref: RunRef;
  readonly fetchedFiles: number;
  readonly fetchedBytes: number;
}

const defaultLimitBytes = 4 * 1024 ** 3;
/** A longer line is no step: it could not be read into a string. */
const lineLimitBytes = 256 * 1024 * 1024;
const parallelFiles = 8;
const attempts = 3;

/**
 * Fetches a run that was shared.
 *
 * @param layout The store that it comes into, made on first use.
 * @param id A run's id, or the digest of a trace.
 * @param bucket Where it is.
 * @param options How.
 * @throws {RemoteStoreError} when it is not there, or something is not what its name says: nothing is written then.
 * @throws {TraceFormatError} when the trace is damaged or newer.
 */
export async function pullRun(
  layout: StoreLayout,
  id: string,
  bucket: RemoteBucket,
  options: PullOptions = {},
): Promise<Pulled> {
  const digest = await remoteDigest(bucket, id);
  const what = `pull ${id} from ${bucket.name}`;
  const { limitBytes = defaultLimitBytes } = options;
  const open = () => bucket.read(remoteKeys.trace(digest), limitBytes);
  using staged = new Staging(layout);
  const limits = { bytes: limitBytes, lineBytes: lineLimitBytes };
  const file = await staged.fetch(layout.traces, open, { what, limits });
  const { ref, blobs } = checkTrace(layout, file.path, { what, origin: bucket.name });
  if (ref.digest !== digest) throw new RemoteStoreError("damaged", `Cannot ${what}: the trace is ${ref.digest}`);
  if (isRunId(id) && ref.runId !== id) {
    throw new RemoteStoreError("damaged", `Cannot ${what}: it is the run ${ref.runId}`);
  }
  refuseOther(layout, ref);
  const missing = missingBlobs(layout, blobs, { what, limitBytes });
  let done = 1;
  await inParallel(missing, parallelFiles, async ([blob, bytes]) => {
    const about = { what: `${what}, body ${blob}`, limits: { bytes } };
    const from = () => bucket.read(remoteKeys.blob(blob), bytes);
    const got = await staged.fetch(layout.blobs, from, about);
    refuseOtherBody(got, { blob, bytes, what });
    staged.move(got.file, blobPath(layout, blob));
    options.onProgress?.(++done, missing.length + 1);
  });
  staged.move(file.file, tracePath(layout, digest));
  return { ref: staged.commit(layout, ref), fetchedFiles: missing.length + 1, fetchedBytes: staged.bytes };
}

/**
 * Fetches a trace in its self-contained form by a link.
 *
 * @param layout The store that it comes into.
 * @param link An `https:` URL, or one of loopback.
 * @param options How.
 * @throws {RemoteStoreError} when it cannot be fetched, or is not what its end line says.
 */
export async function pullLink(layout: StoreLayout, link: URL, options: PullOptions = {}): Promise<Pulled> {
  const name = `${link.origin}${link.pathname}`; // the query opens it: it is told to nobody
  const what = `pull ${name}`;
  const { limitBytes = defaultLimitBytes } = options;
  const open = () => openLink(link, what, limitBytes);
  using staged = new Staging(layout);
  const file = await staged.fetch(layout.traces, open, {
    what,
    limits: { bytes: limitBytes, lineBytes: lineLimitBytes },
  });
  const { ref, blobs } = checkTrace(layout, file.path, { what, origin: name });
  if (blobs.size > 0) {
    throw new RemoteStoreError("damaged", `Cannot ${what}: it names body files, expected the self-contained form`);
  }
  refuseOther(layout, ref);
  staged.move(file.file, tracePath(layout, ref.digest));
  return { ref: staged.commit(layout, ref), fetchedFiles: 1, fetchedBytes: staged.bytes };
}

async function openLink(link: URL, what: string, limitBytes: number): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(link).catch((cause) => {
    throw new RemoteStoreError("unreachable", `Cannot ${what}: there was no answer`, { cause });
  });
  const body = response.body ?? new Blob([]).stream();
  const claimed = Number(response.headers.get("content-length") ?? 0);
  if (response.ok && claimed <= limitBytes) return body;
  await body.cancel();
  if (response.ok) {
    throw new RemoteStoreError("damaged", `Cannot ${what}: it has ${claimed} bytes, expected ${limitBytes} at most`);
  }
  const gone = response.status === 404 || response.status === 403;
  const advice = response.status === 403 ? "; a link holds for a limited time" : "";
  throw new RemoteStoreError(gone ? "not_found" : "failed", `Cannot ${what}: it answered ${response.status}${advice}`);
}

async function remoteDigest(bucket: RemoteBucket, id: string): Promise<string> {
  if (/^sha256:[0-9a-f]{64}$/.test(id)) return id;
  const ref = isRunId(id) ? await readRemoteRef(bucket, id) : null;
  if (ref !== null) return ref.digest;
  throw new RemoteStoreError(
    "not_found",
    `Cannot pull "${id}": ${bucket.name} holds no such run; agrepl list --remote shows them`,
  );
}

interface CheckedTrace {
  readonly ref: RunRef & { readonly digest: string };
  readonly blobs: ReadonlyMap<string, number>;
}

/** Reads every line; what the store will know of the run comes from its trace, whatever the remote's ref says. */
function checkTrace(
  layout: StoreLayout,
  path: string,
  { what, origin }: { readonly what: string; readonly origin: string },
): CheckedTrace {
  const digest = digestBeforeEnd(path);
  using trace = openFetched(path, layout, what);
  const { header: { runId, name, command, timestamp }, end } = trace;
  if (end === null) throw new RemoteStoreError("damaged", `Cannot ${what}: the trace has no end`);
  if (end.digest !== digest) {
    throw new RemoteStoreError("damaged", `Cannot ${what}: the trace is ${digest}, its end line says ${end.digest}`);
  }
  if (!isRunId(runId)) throw new RemoteStoreError("damaged", `Cannot ${what}: "${runId.slice(0, 80)}" is no run id`);
  const { status, exitCode } = end;
  const ref = { runId, name, digest, command, timestamp, status, exitCode, steps: trace.entries.length, origin };
  return { ref, blobs: blobsOf(trace) };
}

function openFetched(path: string, layout: StoreLayout, what: string): TraceFile {
  try {
    return new TraceFile(path, layout);
  } catch (error) {
    if (!(error instanceof TraceFormatError) || error.code === "newer_version") throw error;
    throw new RemoteStoreError(
      "damaged",
      `Cannot ${what}: ${error.message.replace(/^Cannot read trace "[^"]*", /, "")}`,
    );
  }
}

/** A run that was recorded here stays what it is. */
function refuseOther(layout: StoreLayout, { runId, digest }: RunRef): void {
  const known = listRuns(layout).find((ref) => ref.runId === runId);
  if (known === undefined || known.origin !== undefined || known.digest === digest) return;
  throw new RemoteStoreError(
    "conflict",
    `Cannot pull ${runId}: this store recorded a run of that id, with another trace`,
  );
}

/** What is here already is used as it is, and looks new to gc. */
function missingBlobs(
  layout: StoreLayout,
  blobs: ReadonlyMap<string, number>,
  { what, limitBytes }: { readonly what: string; readonly limitBytes: number },
): [string, number][] {
  const all = [...blobs].reduce((sum, [, bytes]) => sum + bytes, 0);
  if (all > limitBytes) {
    throw new RemoteStoreError(
      "damaged",
      `Cannot ${what}: its bodies have ${all} bytes, expected ${limitBytes} at most`,
    );
  }
  const now = new Date();
  return [...blobs].filter(([blob, bytes]) => {
    try {
      const path = blobPath(layout, blob);
      if (Deno.lstatSync(path).size !== bytes) return true;
      Deno.utimeSync(path, now, now);
      return false;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return true;
      throw error;
    }
  });
}

interface Fetched {
  readonly digest: string;
  readonly bytes: number;
}

function refuseOtherBody(
  got: Fetched,
  { blob, bytes, what }: { readonly blob: string; readonly bytes: number; readonly what: string },
): void {
  if (got.bytes !== bytes) {
    throw new RemoteStoreError("damaged", `Cannot ${what}: body ${blob} has ${got.bytes} bytes, expected ${bytes}`);
  }
  if (got.digest !== blob) throw new RemoteStoreError("damaged", `Cannot ${what}: body ${blob} is ${got.digest}`);
}

/** Files that are fetched and not yet in their places; gone when something is wrong with one. */
class Staging implements Disposable {
  readonly #files: StreamedFile[] = [];
  readonly #moves: { readonly file: StreamedFile; readonly path: string }[] = [];
  bytes = 0;

  constructor(layout: StoreLayout) {
    makeStore(layout);
    makeFolder(layout.blobs);
  }

  /** Fetches into a folder, again when the connection breaks. */
  async fetch(
    folder: string,
    open: () => Promise<ReadableStream<Uint8Array>>,
    about: { readonly what: string; readonly limits: DownloadLimits },
  ): Promise<Fetched & { readonly file: StreamedFile; readonly path: string }> {
    for (let attempt = 1;; attempt++) {
      const file = new StreamedFile(folder);
      this.#files.push(file);
      try {
        const got = await download(await open(), file, about);
        this.bytes += got.bytes;
        return { ...got, file, path: file.path };
      } catch (error) {
        file[Symbol.dispose]();
        if (attempt === attempts || !(error instanceof RemoteStoreError) || error.code !== "unreachable") throw error;
      }
    }
  }

  /** Notes where a file goes once all are there. */
  move(file: StreamedFile, path: string): void {
    this.#moves.push({ file, path });
  }

  /** Puts all in their places, in the order in which they were noted, and the ref last. */
  commit(layout: StoreLayout, ref: RunRef): RunRef {
    const known = listRuns(layout).find(({ runId, digest }) => runId === ref.runId && digest === ref.digest);
    for (const { file, path } of this.#moves) {
      makeFolder(dirname(path));
      file.finish(path);
    }
    if (known !== undefined) return known; // what was recorded here is not a stranger's now
    writeRunRef(layout, ref);
    return ref;
  }

  [Symbol.dispose](): void {
    for (const file of this.#files) file[Symbol.dispose]();
  }
}
