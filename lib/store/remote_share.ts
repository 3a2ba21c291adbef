/**
 * A run on its way to a remote store: what is missing there is sent, its bodies first, its ref last.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { type Body, TraceFormatError } from "../step/mod.ts";
import { blobPath, type StoreLayout, tracePath } from "./layout.ts";
import { inParallel, type RemoteBucket, type RemoteSource } from "./remote_bucket.ts";
import { RemoteStoreError } from "./remote_store_error.ts";
import { formatRunRef, parseRunRef, type RunRef } from "./run_ref.ts";
import { digestBeforeEnd } from "./trace_digest.ts";
import { TraceFile } from "./trace_file.ts";

/** How a run is shared. */
export interface ShareOptions {
  /** Takes the place of another trace that was shared as the same run. @default {false} */
  readonly replace?: boolean;
  /** Told how many files are there, and how many there will be. */
  readonly onProgress?: (done: number, all: number) => void;
}

/** What sharing came to. */
export interface Shared {
  readonly digest: string;
  /** Blobs that the trace names. */
  readonly blobs: number;
  readonly sentFiles: number;
  readonly sentBytes: number;
}

/** A larger blob goes by itself, its parts in parallel. */
const largeBytes = 8 * 1024 * 1024;
const parallelFiles = 12;
/** Five thousand blobs are listed in a second; of a larger store each blob is asked for. */
const listedPages = 5;
const refLimitBytes = 64 * 1024;

/** Where an object of the layout lies in a remote store. */
export const remoteKeys = {
  ref: (runId: string) => `runs/${runId}.json`,
  trace: (digest: string) => `traces/${digest.slice("sha256:".length)}.ndjson`,
  blob: (digest: string) => `blobs/${digest.slice(7, 9)}/${digest.slice("sha256:".length)}`,
  export: (digest: string) => `exports/${digest.slice("sha256:".length)}.ndjson`,
} as const;

/**
 * Sends a run.
 *
 * @param layout The run's store.
 * @param ref The run, which has ended.
 * @param bucket Where it goes.
 * @param options How.
 * @throws {TraceFormatError} when the trace is not whole, or a blob is not what its name says.
 * @throws {RemoteStoreError} when the remote store does not take it, or holds another trace of this run.
 */
export async function shareRun(
  layout: StoreLayout,
  ref: RunRef & { readonly digest: string },
  bucket: RemoteBucket,
  options: ShareOptions = {},
): Promise<Shared> {
  const blobs = namedBlobs(layout, ref);
  const there = await readRemoteRef(bucket, ref.runId);
  if (there !== null && there.digest !== ref.digest && options.replace !== true) {
    throw new RemoteStoreError(
      "conflict",
      `Cannot share ${ref.runId}: ${bucket.name} holds another trace of it, ${there.digest}; --replace puts this one in its place`,
    );
  }
  const shared = { digest: ref.digest, blobs: blobs.size };
  if (await bucket.has(remoteKeys.trace(ref.digest))) {
    await writeRef(bucket, ref, there);
    return { ...shared, sentFiles: 0, sentBytes: 0 };
  }
  const missing = await missingBlobs(bucket, blobs);
  const sent = await sendAll(layout, { bucket, ref, missing, onProgress: options.onProgress ?? (() => {}) });
  await writeRef(bucket, ref, there);
  return { ...shared, ...sent };
}

/** The blobs of a trace that is whole: each is there, with its size. */
function namedBlobs(layout: StoreLayout, { digest }: { readonly digest: string }): Map<string, number> {
  const path = tracePath(layout, digest);
  if (digestBeforeEnd(path) !== digest) {
    throw new TraceFormatError(
      { path, line: 1, offset: 0 },
      "it is not what its name says, expected a trace as it was recorded",
    );
  }
  using trace = new TraceFile(path, layout);
  return blobsOf(trace);
}

/**
 * Finds the blobs that a trace names.
 *
 * @param trace Each of its steps is decoded.
 * @returns Sizes by digest.
 * @throws {TraceFormatError} when a step is damaged.
 */
export function blobsOf(trace: TraceFile): Map<string, number> {
  const blobs = new Map<string, number>();
  const take = (body: Body) => {
    if (body === null) return;
    for (const part of "parts" in body ? body.parts : [body]) if ("blob" in part) blobs.set(part.blob, part.bytes);
  };
  for (const entry of trace.entries) {
    const { request, response } = trace.step(entry);
    take(request.body);
    take(response?.body ?? null);
    for (const [, , , payload] of response?.frames ?? []) take(payload);
  }
  return blobs;
}

async function missingBlobs(bucket: RemoteBucket, blobs: ReadonlyMap<string, number>): Promise<[string, number][]> {
  if (blobs.size === 0) return [];
  const { objects, whole } = await bucket.list("blobs/", listedPages);
  const listed = new Set(objects.map(({ key }) => basename(key)));
  const unlisted = [...blobs].filter(([digest]) => !listed.has(digest.slice("sha256:".length)));
  if (whole) return unlisted;
  const there = await inParallel(unlisted, parallelFiles, ([digest]) => bucket.has(remoteKeys.blob(digest)));
  return unlisted.filter((_, at) => there[at] !== true);
}

interface Sending {
  readonly bucket: RemoteBucket;
  readonly ref: { readonly digest: string };
  readonly missing: readonly (readonly [digest: string, bytes: number])[];
  readonly onProgress: (done: number, all: number) => void;
}

/** The trace last: where it is, all that it names is. */
async function sendAll(
  layout: StoreLayout,
  { bucket, ref, missing, onProgress }: Sending,
): Promise<Pick<Shared, "sentFiles" | "sentBytes">> {
  let sentFiles = 0;
  let sentBytes = 0;
  const send = async (key: string, source: FileSource) => {
    using file = source;
    await bucket.putOnce(key, file);
    sentBytes += file.bytes;
    onProgress(++sentFiles, missing.length + 1);
  };
  const sendBlob = ([digest]: readonly [string, number]) =>
    send(remoteKeys.blob(digest), FileSource.checked(blobPath(layout, digest), digest));
  await inParallel(missing.filter(([, bytes]) => bytes <= largeBytes), parallelFiles, sendBlob);
  await inParallel(missing.filter(([, bytes]) => bytes > largeBytes), 1, sendBlob);
  await send(remoteKeys.trace(ref.digest), new FileSource(tracePath(layout, ref.digest)));
  return { sentFiles, sentBytes };
}

/** A file as it is sent. */
export class FileSource implements RemoteSource, Disposable {
  readonly bytes: number;
  readonly #file: Deno.FsFile;

  /** @param path Not changed while it is sent. */
  constructor(path: string) {
    this.#file = Deno.openSync(path, { read: true });
    this.bytes = this.#file.statSync().size;
  }

  /**
   * Opens a blob.
   *
   * @throws {TraceFormatError} when it is not what its name says.
   */
  static checked(path: string, digest: string): FileSource {
    const source = new FileSource(path);
    const hash = createHash("sha256");
    for (let at = 0; at < source.bytes; at += largeBytes) {
      hash.update(source.read(at, Math.min(largeBytes, source.bytes - at)));
    }
    if (`sha256:${hash.digest("hex")}` === digest) return source;
    source[Symbol.dispose]();
    throw new TraceFormatError({ path, line: 1, offset: 0 }, "the blob is not what its name says");
  }

  readonly read = (offset: number, bytes: number): Uint8Array => {
    this.#file.seekSync(offset, Deno.SeekMode.Start);
    const room = new Uint8Array(bytes);
    let filled = 0;
    while (filled < bytes) {
      const read = this.#file.readSync(room.subarray(filled));
      if (read === null) throw new RangeError(`Cannot read ${bytes} bytes from ${offset}: the file has grown shorter`);
      filled += read;
    }
    return room;
  };

  [Symbol.dispose](): void {
    this.#file.close();
  }
}

/**
 * Reads the ref of a run that was shared.
 *
 * @param bucket Where to look.
 * @param runId The run.
 * @returns `null` when nobody has shared it.
 * @throws {RemoteStoreError} when what lies there is no ref.
 */
export async function readRemoteRef(
  bucket: RemoteBucket,
  runId: string,
): Promise<(RunRef & { readonly digest: string }) | null> {
  const text = await readText(bucket, remoteKeys.ref(runId));
  const ref = text === null ? null : parseRunRef(text, runId);
  if (text === null) return null;
  if (ref !== null && ref.digest !== null) return { ...ref, digest: ref.digest };
  throw new RemoteStoreError("damaged", `Cannot read the run ${runId} of ${bucket.name}: what lies there is no run`);
}

async function readText(bucket: RemoteBucket, key: string): Promise<string | null> {
  try {
    return await new Response(await bucket.read(key, refLimitBytes)).text();
  } catch (error) {
    if (error instanceof RemoteStoreError && error.code === "not_found") return null;
    throw error;
  }
}

/** Whoever comes first is first; a ref that leads elsewhere was looked at before. */
async function writeRef(
  bucket: RemoteBucket,
  ref: RunRef & { readonly digest: string },
  there: RunRef | null,
): Promise<void> {
  if (there?.digest === ref.digest) return;
  const { origin: _origin, ...shared } = ref;
  const bytes = new TextEncoder().encode(formatRunRef(shared));
  const key = remoteKeys.ref(ref.runId);
  if (there !== null) return await bucket.replace(key, bytes);
  const read = (offset: number, count: number) => bytes.subarray(offset, offset + count);
  if (await bucket.putOnce(key, { bytes: bytes.length, read }) === "written") return;
  const first = await readRemoteRef(bucket, ref.runId);
  if (first?.digest === ref.digest) return;
  throw new RemoteStoreError("conflict", `Cannot share ${ref.runId}: somebody shared another trace of it just now`);
}

/**
 * Lists the runs of a remote store, oldest first.
 *
 * @param bucket Where to look.
 * @returns With them, whether those were all: of very many only the first are listed.
 */
export async function listRemoteRuns(
  bucket: RemoteBucket,
): Promise<{ readonly runs: RunRef[]; readonly whole: boolean }> {
  const { objects, whole } = await bucket.list("runs/", listedPages);
  const ids = objects.flatMap(({ key }) => /^runs\/([0-9a-z][0-9a-z-]{0,63})\.json$/.exec(key)?.[1] ?? []);
  const read = await inParallel(ids, parallelFiles, (id) => readRemoteRef(bucket, id).catch(passOver));
  return { runs: read.filter((ref) => ref !== null), whole };
}

/** One that is no ref must not hide the others. */
function passOver(error: unknown): null {
  if (error instanceof RemoteStoreError && error.code === "damaged") return null;
  throw error;
}
