/**
 * A cassette: one self-contained file that a test keeps beside it in git (design: the same lines as a trace, no blobs).
 *
 * @module
 */
import { joinStep, type More, type Step, type TraceHeader } from "../step/mod.ts";
import { isFile, readTextIfThere, replaceFile } from "./_files.ts";
import { BodySpool } from "./body_spool.ts";
import { cassetteText, readOldCassette } from "./_cassette_lines.ts";
import type { RunOutcome, StepSink } from "./trace_writer.ts";

/** Collects the steps of one recording; nothing is on disk before {@link CassetteWriter.finish}. */
export class CassetteWriter implements StepSink {
  readonly path: string;
  readonly header: TraceHeader;
  readonly #steps = new Map<number, Step>();
  readonly #more = new Map<number, More[]>();
  /** What stood there when the recording began. */
  readonly #before: string | null;

  /**
   * Begins a recording.
   *
   * @param path Where the cassette will be.
   * @param header Its first line, unless the cassette that is there has the same but for time and id.
   */
  constructor(path: string, header: TraceHeader) {
    this.path = path;
    this.header = header;
    this.#before = readTextIfThere(path);
  }

  /** A place for one body; it stays in memory, whatever its size. */
  spool(): BodySpool {
    return new BodySpool(null);
  }

  /**
   * Takes one step that has ended or has been open for long, or more of one that was open.
   *
   * @param line Of a step each `seq` once.
   */
  append(line: Step | More): void {
    if (line.kind === "step") this.#steps.set(line.seq, line);
    else this.#more.set(line.seq, [...this.#more.get(line.seq) ?? [], line]);
  }

  /** The steps so far, in the order of `seq`, each joined of its lines. */
  steps(): Step[] {
    const joined = [...this.#steps.values()].map((step) => joinStep(step, this.#more.get(step.seq) ?? []));
    return joined.sort((a, b) => a.seq - b.seq);
  }

  /**
   * Puts the cassette in its place, in one step: whoever reads sees the old one or the new one.
   *
   * A step of the cassette that is there keeps its line when a diff of the two finds no signal, so that what git shows is
   * what has changed and nothing else.
   *
   * @param outcome How the recording ended.
   * @returns `outrun` when somebody else has put one there since this recording began: it is left as it is.
   */
  finish(outcome: RunOutcome): "written" | "outrun" {
    const before = readTextIfThere(this.path);
    if (before !== this.#before) return "outrun";
    const old = before === null ? null : readOldCassette(before, this.path);
    const text = cassetteText(old, { header: this.header, steps: this.steps(), outcome });
    if (text !== before) replaceFile(this.path, text);
    return "written";
  }
}

/**
 * Tells whether there is a cassette.
 *
 * @param path Its file.
 */
export function cassetteExists(path: string): boolean {
  return isFile(path);
}
