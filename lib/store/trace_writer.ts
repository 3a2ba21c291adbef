/**
 * Writes the trace of a run while it goes on, line by line, and gives it its address when it ends.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { formatLine, type More, type RunStatus, type Step, type TraceHeader } from "../step/mod.ts";
import { createFile, makeFolder, removeIfThere, writeAllSync } from "./_files.ts";
import { BodySpool } from "./body_spool.ts";
import { growingTracePath, type StoreLayout, tracePath } from "./layout.ts";
import { type RunRef, writeRunRef } from "./run_ref.ts";

/** How a run ended, as the recorder saw it. */
export interface RunOutcome {
  readonly status: RunStatus;
  readonly exitCode: number | null;
  readonly durationMs: number;
}

/** What the recorder wants of a place to write to: a store's file, or a cassette. */
export interface StepSink {
  /** A place for one body. */
  spool(): BodySpool;
  /** Writes one step that has ended or has been open for long, or more of one that was written open. */
  append(line: Step | More): void;
}

/** The trace of one run, growing. */
export class TraceWriter implements StepSink {
  readonly header: TraceHeader;
  readonly #layout: StoreLayout;
  readonly #file: Deno.FsFile;
  readonly #digest = createHash("sha256");
  #steps = 0;
  #wholeBytes = 0;
  /** True while half a line may stand at the end. */
  #torn = false;

  /**
   * Creates the run's file and writes its header.
   *
   * @param layout The store, made on first use.
   * @param header The first line; two runs never share an id.
   * @throws {Deno.errors.AlreadyExists} when the run id is taken.
   */
  constructor(layout: StoreLayout, header: TraceHeader) {
    makeStore(layout);
    this.header = header;
    this.#layout = layout;
    this.#file = createFile(growingTracePath(layout, header.runId));
    this.#file.lockSync(true); // so that list can tell a run that goes on from one that was cut off
    this.#write(formatLine(header));
  }

  /** How many steps have been written. */
  get steps(): number {
    return this.#steps;
  }

  /** A place for one body. */
  spool(): BodySpool {
    return new BodySpool(this.#layout);
  }

  /**
   * Writes one step that has ended or has been open for long, or more of one that was written open.
   *
   * @param line Of a step each `seq` once.
   */
  append(line: Step | More): void {
    // Written at once and whole, before anything else happens: what has ended survives a kill.
    this.#write(formatLine(line));
    if (line.kind === "step") this.#steps++;
  }

  /**
   * Ends the trace: last line, content address, ref.
   *
   * @param outcome How the run ended.
   * @returns What `list` will know of the run.
   */
  finish(outcome: RunOutcome): RunRef {
    const digest = `sha256:${this.#digest.copy().digest("hex")}`;
    using _file = this.#file; // closed whatever happens, and last: the lock says that the run goes on
    this.#write(formatLine({ kind: "end", ...outcome, steps: this.#steps, digest }));
    const { runId, name, command, timestamp } = this.header;
    const ref = { runId, name, digest, command, timestamp, ...outcome, steps: this.#steps };
    // The ref first: whoever is killed in between leaves a trace that its ref still leads to.
    writeRunRef(this.#layout, ref);
    Deno.renameSync(growingTracePath(this.#layout, runId), tracePath(this.#layout, digest));
    return ref;
  }

  /** Forgets the run: its file goes as if it had never been. */
  discard(): void {
    this.#file.close();
    removeIfThere(growingTracePath(this.#layout, this.header.runId));
  }

  #write(line: string): void {
    const bytes = Buffer.from(`${line}\n`, "utf8");
    if (this.#torn) this.#cutBack();
    this.#torn = true;
    try {
      writeAllSync(this.#file, bytes);
    } catch (error) {
      this.#tryToCutBack();
      throw error;
    }
    this.#torn = false;
    this.#wholeBytes += bytes.length;
    this.#digest.update(bytes);
  }

  /** What fails here is tried again before the next line: it would stand in the middle of this one. */
  #tryToCutBack(): void {
    try {
      this.#cutBack();
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error; // the system's refusal is told already
    }
  }

  /** A full disk takes half a line: it goes, so that the next one does not stand behind it. */
  #cutBack(): void {
    this.#file.truncateSync(this.#wholeBytes);
    this.#file.seekSync(this.#wholeBytes, Deno.SeekMode.Start);
    this.#torn = false;
  }
}

/** Makes a store's folders, and keeps them out of the user's git. */
export function makeStore(layout: StoreLayout): void {
  for (const folder of [layout.root, layout.runs, layout.traces]) makeFolder(folder);
  const ignore = join(layout.root, ".gitignore");
  try {
    Deno.writeTextFileSync(ignore, "*\n", { createNew: true, mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}
