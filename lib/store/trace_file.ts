/**
 * A trace on disk, open for reading: what it holds is known at once, its steps are decoded when they are asked for.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import {
  type Body,
  decodeBody,
  parseLine,
  type Step,
  type TraceEnd,
  TraceFormatError,
  type TraceHeader,
} from "../step/mod.ts";
import { LineSource, type SourceLine } from "./_line_source.ts";
import { blobPath, type StoreLayout } from "./layout.ts";

/** Where a step stands in its file, and what a lookup must know of it. */
export interface TraceEntry {
  readonly key: string;
  readonly seq: number;
  readonly optional: boolean;
  readonly line: SourceLine;
}

/** Traces up to this size are decoded, and so checked, when they are opened; of larger ones each line when it is used. */
const decodedOnOpenBytes = 4 * 1024 * 1024;

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
   * @throws {TraceFormatError} when a line is damaged, or the version is newer.
   * @throws {Deno.errors.NotFound} when there is no such file.
   */
  constructor(path: string, layout: StoreLayout | null) {
    this.path = path;
    this.#layout = layout;
    this.#source = new LineSource(resolve(path), path);
    try {
      const scan = scanTrace(this.#source);
      this.header = scan.header;
      this.end = scan.end;
      this.entries = scan.entries;
      this.warnings = scan.warnings;
      if (this.#source.bytes <= decodedOnOpenBytes) {
        for (const entry of this.entries) this.#decoded.set(entry.line, this.#decode(entry));
      }
    } catch (error) {
      this.#source.close();
      throw error;
    }
  }

  /**
   * Reads one step.
   *
   * @throws {TraceFormatError} when its line is damaged.
   */
  step(entry: TraceEntry): Step {
    return this.#decoded.get(entry.line) ?? this.#decode(entry);
  }

  #decode(entry: TraceEntry): Step {
    const step = parseLine(this.#source.text(entry.line), this.#source.place(entry.line), this.header.version);
    if (step.kind !== "step" || step.seq !== entry.seq) {
      throw new TraceFormatError(this.#source.place(entry.line), `the line has changed, expected step ${entry.seq}`);
    }
    return step;
  }

  /**
   * Opens a body's bytes for reading in order, in pieces of the caller's choice.
   *
   * @throws {TraceFormatError} when its blob is missing or has another length.
   */
  openBody(body: Body, entry: TraceEntry): BodyReader {
    if (body === null || !("blob" in body)) return new BodyReader(decodeBody(body));
    const place = this.#source.place(entry.line);
    if (this.#layout === null) throw new TraceFormatError(place, "it names a blob, but stands outside a store");
    const path = blobPath(this.#layout, body.blob);
    const file = openBlob(path);
    if (file === null) throw new TraceFormatError(place, `the blob "${path}" is missing, expected ${body.bytes} bytes`);
    const found = file.statSync().size;
    if (found === body.bytes) return new BodyReader(file, body.bytes);
    file.close();
    throw new TraceFormatError(place, `the blob "${path}" has ${found} bytes, expected ${body.bytes}`);
  }

  /** Reads a whole body into memory. */
  readBody(body: Body, entry: TraceEntry): Uint8Array {
    using reader = this.openBody(body, entry);
    return reader.read(reader.bytes);
  }

  close(): void {
    this.#source.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** A body's bytes, read once, in order. */
export class BodyReader implements Disposable {
  /** Of the whole body. */
  readonly bytes: number;
  readonly #from: Uint8Array | Deno.FsFile;
  #offset = 0;

  constructor(from: Uint8Array | Deno.FsFile, bytes: number = from instanceof Uint8Array ? from.length : 0) {
    this.#from = from;
    this.bytes = bytes;
  }

  /** How many bytes have not been read yet. */
  get rest(): number {
    return this.bytes - this.#offset;
  }

  /** Reads the next bytes, fewer only at the end. */
  read(bytes: number): Uint8Array {
    const count = Math.min(bytes, this.rest);
    const from = this.#offset;
    this.#offset += count;
    if (this.#from instanceof Uint8Array) return this.#from.subarray(from, from + count);
    const buffer = Buffer.allocUnsafe(count);
    let filled = 0;
    while (filled < count) {
      const read = this.#from.readSync(buffer.subarray(filled));
      if (read === null) break;
      filled += read;
    }
    return buffer.subarray(0, filled);
  }

  [Symbol.dispose](): void {
    if (!(this.#from instanceof Uint8Array)) this.#from.close();
  }
}

function openBlob(path: string): Deno.FsFile | null {
  try {
    return Deno.openSync(path, { read: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

interface Scan {
  readonly header: TraceHeader;
  readonly end: TraceEnd | null;
  readonly entries: TraceEntry[];
  readonly warnings: string[];
}

function scanTrace(source: LineSource): Scan {
  const warnings: string[] = [];
  const entries: TraceEntry[] = [];
  let header: TraceHeader | null = null;
  let end: TraceEnd | null = null;
  for (const line of source.lines()) {
    if (!line.whole) {
      warnings.push(`The last line of "${source.name}" (line ${line.number}) is torn; it is left out`);
      break;
    }
    if (header === null) {
      header = readHeader(source, line);
      continue;
    }
    const entry = quickEntry(source, line) ?? readOther(source, line, header.version);
    if (entry.kind === "end") end = entry;
    else if (entry.kind === "entry") entries.push(entry);
  }
  if (header === null) {
    const place = { path: source.name, line: 1, offset: 0 };
    throw new TraceFormatError(place, "the file holds no whole line, expected a trace's header");
  }
  entries.sort((a, b) => a.seq - b.seq);
  return { header, end, entries, warnings };
}

function readHeader(source: LineSource, line: SourceLine): TraceHeader {
  const header = parseLine(source.text(line), source.place(line));
  if (header.kind === "trace") return header;
  throw new TraceFormatError(source.place(line), `the first line is a "${header.kind}", expected a trace's header`);
}

type Found = (TraceEntry & { readonly kind: "entry" }) | TraceEnd | { readonly kind: "more" };

// What every writer of this format puts first. A line in another order is parsed whole instead.
const stepStart =
  /^\{"kind":"step","seq":(\d{1,15}),"type":"[A-Z]+","key":"([0-9a-f]{64})","timestamp":"[^"]*","latency_ms":[^,]*,"ttfb_ms":[^,]*(,"optional":true)?,"request":\{/;

function quickEntry(source: LineSource, line: SourceLine): Found | null {
  const match = stepStart.exec(source.start(line));
  const key = match?.[2];
  if (match === null || key === undefined || !source.closes(line)) return null;
  return { kind: "entry", key, seq: Number(match[1]), optional: match[3] !== undefined, line };
}

function readOther(source: LineSource, line: SourceLine, version: number): Found {
  const parsed = parseLine(source.text(line), source.place(line), version);
  switch (parsed.kind) {
    case "step":
      return { kind: "entry", key: parsed.key, seq: parsed.seq, optional: parsed.optional === true, line };
    case "end":
      return parsed;
    case "more":
      return { kind: "more" };
    case "trace":
      throw new TraceFormatError(source.place(line), "a second header stands here, expected a step or the end");
  }
}

/**
 * Computes a trace's digest: SHA-256 over all lines before its end line.
 *
 * @param path The trace's file.
 * @returns `sha256:<64 hex>`.
 */
export function digestBeforeEnd(path: string): string {
  const source = new LineSource(resolve(path), path);
  const hash = createHash("sha256");
  try {
    for (const line of source.lines()) {
      const text = source.text(line);
      if (text.startsWith('{"kind":"end"')) break;
      hash.update(`${text}\n`);
    }
  } finally {
    source.close();
  }
  return `sha256:${hash.digest("hex")}`;
}
