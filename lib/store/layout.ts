/**
 * Where things lie in a store. The only place that turns ids and digests into paths.
 *
 * @module
 */
import { join } from "node:path";

/** The paths of one store, `.agrepl` unless the user said otherwise. */
export interface StoreLayout {
  readonly root: string;
  /** Traces that still grow, and one small ref per run. */
  readonly runs: string;
  /** Whole traces, by the digest of their content. */
  readonly traces: string;
  /** Large bodies, by the digest of their content. */
  readonly blobs: string;
  /** What a replay found, for `agrepl why`. */
  readonly reports: string;
}

/** Names the folders of a store without making them. */
export function storeLayout(root: string): StoreLayout {
  return {
    root,
    runs: join(root, "runs"),
    traces: join(root, "traces"),
    blobs: join(root, "blobs"),
    reports: join(root, "reports"),
  };
}

/** The file of a run that is being recorded, or was cut off. */
export function growingTracePath(layout: StoreLayout, runId: string): string {
  return join(layout.runs, `${checkedRunId(runId)}.ndjson`);
}

/** The ref of a run that has ended. */
export function runRefPath(layout: StoreLayout, runId: string): string {
  return join(layout.runs, `${checkedRunId(runId)}.json`);
}

/** The file of a whole trace. */
export function tracePath(layout: StoreLayout, digest: string): string {
  return join(layout.traces, `${hexOf(digest)}.ndjson`);
}

/** The file of a large body. */
export function blobPath(layout: StoreLayout, digest: string): string {
  const hex = hexOf(digest);
  return join(layout.blobs, hex.slice(0, 2), hex);
}

/** The file of a replay's report. */
export function reportPath(layout: StoreLayout, runId: string): string {
  return join(layout.reports, `${checkedRunId(runId)}.json`);
}

/** Tells whether a text may be a run's id, and so a file's name. */
export function isRunId(text: string): boolean {
  return /^[0-9a-z][0-9a-z-]{0,63}$/.test(text);
}

function checkedRunId(runId: string): string {
  if (!isRunId(runId)) throw new RangeError(`Cannot use "${runId}" as a run id: expected letters, digits and dashes`);
  return runId;
}

function hexOf(digest: string): string {
  const hex = /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1];
  if (hex === undefined) throw new RangeError(`Cannot use "${digest}" as a digest: expected sha256:<64 hex>`);
  return hex;
}
