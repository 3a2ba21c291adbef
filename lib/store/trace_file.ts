/**
 * A trace on disk, open for reading: what it holds is known at once, its steps are decoded when they are asked for.
 *
 * @module
 */
import { resolve } from "node:path";
import {
  type Body,
  type BodyPart,
  decodeBody,
  joinStep,
  type LinePlace,
  type More,
  parseLine,
  type Step,
  type TraceEnd,
  TraceFormatError,
  type TraceHeader,
} from "../step/mod.ts";
import { LineSource, type SourceLine } from "./_line_source.ts";
import { scanTrace, type TraceEntry } from "./_scan.ts";
import { BodyReader, type BodySource } from "./body_reader.ts";
import { blobPath, type StoreLayout } from "./layout.ts";

export type { TraceEntry } from "./_scan.ts";

/** Traces up to this size are decoded, and so checked, when they are opened; of larger ones each line when it is used. */
const decodedOnOpenBytes = 4 * 1024 * 1024;

/** How a trace is opened. */
export interface TraceFileOptions {
  /**
   * `early` finds damage in a small trace before anybody relies on it; `late` decodes each step when it is used, and
   * opens in a fraction of the time.
   *
   * @default {"early"}
   */
  readonly decode?: "early" | "late";
}

/** A trace, open for reading. */
export class TraceFile implements Disposable {
  readonly path: string;
  readonly header: TraceHeader;
  /** `null` when the run was cut off. */
  readonly end: TraceEnd | null;
  /** Its steps, in the order of `seq`. */
  readonly entries: readonly TraceEntry[];
  /** What was wrong and could be lived with, as sentences. */
  readonly warnings: readonly string[];
  readonly #source: LineSource;
  readonly #layout: StoreLayout | null;
  readonly #decoded = new Map<SourceLine, Step>();

  /**
   * Opens a trace.
   *
   * @param path The NDJSON file.
   * @param layout The store that holds its blobs; `null` for a self-contained file.
   * @param options When its steps are decoded.
   * @throws {TraceFormatError} when a line is damaged, or the version is newer.
   * @throws {Deno.errors.NotFound} when there is no such file.
   */
  constructor(path: string, layout: StoreLayout | null, { decode = "early" }: TraceFileOptions = {}) {
    this.path = path;
    this.#layout = layout;
    this.#source = new LineSource(resolve(path), path);
    try {
      const { header, end, entries, warnings } = scanTrace(this.#source);
      this.header = header;
      this.end = end;
      this.entries = entries;
      this.warnings = warnings;
      if (decode === "early" && this.#source.bytes <= decodedOnOpenBytes) {
        for (const entry of this.entries) this.#decoded.set(entry.line, this.#decode(entry));
      }
    } catch (error) {
      this.#source.close();
      throw error;
    }
  }

  /** The folder of the store that holds its blobs; `null` for a self-contained file. */
  get store(): string | null {
    return this.#layout?.root ?? null;
  }

  /**
   * Reads one step, joined of all its lines.
   *
   * @param entry One of {@link entries}.
   * @returns The step, decoded.
   * @throws {TraceFormatError} when one of its lines is damaged.
   */
  step(entry: TraceEntry): Step {
    return this.#decoded.get(entry.line) ?? this.#decode(entry);
  }

  #decode(entry: TraceEntry): Step {
    const step = parseLine(this.#source.text(entry.line), this.#source.place(entry.line), this.header.version);
    if (step.kind !== "step" || step.seq !== entry.seq) {
      throw new TraceFormatError(this.#source.place(entry.line), `the line has changed, expected step ${entry.seq}`);
    }
    const more = (entry.more ?? []).map((line) => this.#decodeMore(line, entry.seq));
    const at = [step.response, ...more].findIndex((each) => each?.end !== "open");
    const after = entry.more?.[at];
    if (at === -1 || after === undefined) return joinStep(step, more);
    throw new TraceFormatError(this.#source.place(after), `it goes on with step ${entry.seq}, which is not open`);
  }

  #decodeMore(line: SourceLine, seq: number): More {
    const more = parseLine(this.#source.text(line), this.#source.place(line), this.header.version);
    if (more.kind === "more" && more.seq === seq) return more;
    throw new TraceFormatError(this.#source.place(line), `the line has changed, expected more of step ${seq}`);
  }

  /**
   * Opens a body's bytes for reading in order, in pieces of the caller's choice.
   *
   * @param body A body of the step.
   * @param entry The step, for the error.
   * @returns A reader to be disposed of.
   * @throws {TraceFormatError} when a blob of it is missing or has another length.
   */
  openBody(body: Body, entry: TraceEntry): BodyReader {
    if (body === null || !("blob" in body || "parts" in body)) return new BodyReader(decodeBody(body));
    const place = this.#source.place(entry.line);
    return new BodyReader(("parts" in body ? body.parts : [body]).map((part) => this.#bodySource(part, place)));
  }

  /** All blobs are looked at before the first byte goes out; each is opened when it is its turn. */
  #bodySource(part: BodyPart, place: LinePlace): BodySource {
    if (!("blob" in part)) {
      const bytes = decodeBody(part);
      return { bytes: bytes.length, open: () => bytes };
    }
    if (this.#layout === null) throw new TraceFormatError(place, "it names a blob, but stands outside a store");
    const path = blobPath(this.#layout, part.blob);
    const found = sizeOf(path);
    if (found === null) {
      throw new TraceFormatError(place, `the blob "${path}" is missing, expected ${part.bytes} bytes`);
    }
    if (found === part.bytes) return { bytes: found, open: () => Deno.openSync(path, { read: true }) };
    throw new TraceFormatError(place, `the blob "${path}" has ${found} bytes, expected ${part.bytes}`);
  }

  /**
   * Reads a whole body into memory.
   *
   * @param body A body of the step.
   * @param entry The step, for the error.
   * @returns All of its bytes.
   * @throws {TraceFormatError} when a blob of it is missing or has another length.
   */
  readBody(body: Body, entry: TraceEntry): Uint8Array {
    using reader = this.openBody(body, entry);
    return reader.read(reader.bytes);
  }

  /** Closes the file; nothing can be read afterwards. */
  close(): void {
    this.#source.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

function sizeOf(path: string): number | null {
  try {
    return Deno.statSync(path).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
