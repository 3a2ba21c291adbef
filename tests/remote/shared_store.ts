/** A store with runs that are worth sharing. */

import { createHash } from "node:crypto";
import type { RunRef } from "../../lib/store/mod.ts";
import { BodySpool, TraceWriter } from "../../lib/store/mod.ts";
import { headerLine, stepLine } from "../support/trace_lines.ts";
import { ThrowawayStore } from "../support/throwaway_store.ts";

/** A run that can be shared. */
export type WholeRun = RunRef & { readonly digest: string };

/** What a run is made of. */
export interface RunPlan {
  readonly runId?: string;
  /** Bytes of each blob, each above 64 KiB. */
  readonly blobs?: readonly number[];
  /** Steps without a blob. */
  readonly small?: number;
  /** Makes contents differ. @default {"a"} */
  readonly seed?: string;
}

/** Records a run into a store. */
export async function recordRun(room: ThrowawayStore, plan: RunPlan = {}): Promise<WholeRun> {
  const { runId = "20261120-091233-k3f9", blobs = [], small = 0, seed = "a" } = plan;
  const writer = new TraceWriter(room.layout, headerLine({ runId }));
  for (const [seq, bytes] of blobs.entries()) {
    const spool = new BodySpool(room.layout);
    await spool.push(contentOf(`${seed}${seq}`, bytes));
    const { request } = stepLine(seq);
    writer.append(stepLine(seq, { request: { ...request, method: "POST", body: spool.finish() } }));
  }
  for (let seq = 0; seq < small; seq++) writer.append(stepLine(blobs.length + seq));
  const ref = writer.finish({ status: "completed", exitCode: 0, durationMs: 1 });
  return { ...ref, digest: ref.digest ?? "" };
}

function contentOf(seed: string, bytes: number): Uint8Array {
  const block = createHash("sha512").update(seed).digest();
  const content = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at += block.length) {
    content.set(block.subarray(0, Math.min(block.length, bytes - at)), at);
  }
  return content;
}

/** All files below a folder, by their paths in it, with the digest of each. */
export function filesOf(folder: string, base = folder): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) { for (const [name, digest] of filesOf(path, base)) files.set(name, digest); }
    else files.set(path.slice(base.length + 1), createHash("sha256").update(Deno.readFileSync(path)).digest("hex"));
  }
  return files;
}

/** The names of the files that a pull has left in a store, but for the one that keeps git out. */
export function pulledFiles(room: ThrowawayStore): string[] {
  return [...filesOf(room.folder).keys()].filter((name) => !name.endsWith(".gitignore"));
}
