/**
 * A trace of a store, written anew in the place of what it was.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { formatLine, type Step, type TraceEnd, type TraceHeader } from "../step/mod.ts";
import { makeFolder, removeIfThere } from "./_files.ts";
import { StreamedFile } from "./_streamed_file.ts";
import { BodySpool } from "./body_spool.ts";
import { removeUnsharedBlobs } from "./housekeeping.ts";
import { growingTracePath, reportPath, type StoreLayout, tracePath } from "./layout.ts";
import { namedDigests } from "./named_digests.ts";
import { listRuns, type RunRef, traceFileOf, writeRunRef } from "./run_ref.ts";

/** What went with the old form of a trace. */
export interface Replaced {
  readonly ref: RunRef;
  /** Blobs that nothing else named. */
  readonly blobs: number;
}

/** The new form of a run's trace, which nobody sees before it is whole. */
export class TraceRewrite implements Disposable {
  readonly #layout: StoreLayout;
  readonly #old: RunRef;
  readonly #file: StreamedFile;
  readonly #hash = createHash("sha256");
  #steps = 0;

  /**
   * Begins with the header.
   *
   * @param layout The run's store.
   * @param old The run as it is; it may not be recording.
   * @param header The new first line.
   */
  constructor(layout: StoreLayout, old: RunRef, header: TraceHeader) {
    makeFolder(layout.traces);
    this.#layout = layout;
    this.#old = old;
    this.#file = new StreamedFile(layout.traces);
    this.#write(formatLine(header));
  }

  /** A place for one body. */
  spool(): BodySpool {
    return new BodySpool(this.#layout);
  }

  /** Writes one step; a step that was written in several lines is joined before. */
  append(step: Step): void {
    this.#write(formatLine(step));
    this.#steps++;
  }

  /**
   * Puts the new trace in its place, and removes the old one with its report and the blobs that nothing else names.
   *
   * @param end How the run ended.
   * @returns The run as it is now.
   */
  finish(end: Omit<TraceEnd, "kind" | "steps" | "digest">): Replaced {
    const layout = this.#layout;
    const oldPath = traceFileOf(layout, this.#old);
    const digest = `sha256:${this.#hash.copy().digest("hex")}`;
    this.#write(formatLine({ kind: "end", ...end, steps: this.#steps, digest }));
    const path = tracePath(layout, digest);
    const named = namedDigests(oldPath);
    this.#file.finish(path);
    const ref = { ...this.#old, digest, status: end.status, exitCode: end.exitCode, steps: this.#steps };
    writeRunRef(layout, ref); // from here on the new one is found; whoever is killed now leaves the old one to gc
    removeIfThere(reportPath(layout, ref.runId));
    const others = listRuns(layout).filter((other) => other.runId !== ref.runId);
    const shared = others.some((other) => traceFileOf(layout, other) === oldPath);
    if (oldPath !== path && !shared) removeIfThere(oldPath);
    removeIfThere(growingTracePath(layout, ref.runId));
    return { ref, blobs: removeUnsharedBlobs(layout, named) };
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }

  #write(line: string): void {
    const bytes = new TextEncoder().encode(`${line}\n`);
    this.#hash.update(bytes);
    this.#file.write(bytes);
  }
}
