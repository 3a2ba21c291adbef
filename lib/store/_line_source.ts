import { Buffer } from "node:buffer";
import type { LinePlace } from "../step/mod.ts";

/** A line's place in its file. */
export interface SourceLine {
  /** 1 is the first. */
  readonly number: number;
  readonly offset: number;
  /** Without its newline. */
  readonly bytes: number;
  /** False for a last line that no newline ends. */
  readonly whole: boolean;
}

/** Files up to this size are kept in memory; of larger ones each line is read when it is used. */
const keptBytes = 32 * 1024 * 1024;
const slabBytes = 1024 * 1024;
const startBytes = 256;

/** The lines of a file that may be larger than memory should hold. */
export class LineSource {
  /** What the user calls the file. */
  readonly name: string;
  readonly bytes: number;
  readonly #file: Deno.FsFile;
  readonly #kept: Buffer | null;

  constructor(path: string, name: string) {
    this.name = name;
    this.#file = Deno.openSync(path, { read: true });
    this.bytes = this.#file.statSync().size;
    this.#kept = this.bytes <= keptBytes ? this.#pread(0, this.bytes) : null;
  }

  /** All lines in order; the last may be torn. */
  *lines(): Generator<SourceLine> {
    let number = 1;
    let offset = 0;
    let scanned = 0;
    while (scanned < this.bytes) {
      const slab = this.#read(scanned, Math.min(slabBytes, this.bytes - scanned));
      let newline = slab.indexOf(10);
      while (newline !== -1) {
        const end = scanned + newline;
        yield { number, offset, bytes: end - offset, whole: true };
        number++;
        offset = end + 1;
        newline = slab.indexOf(10, newline + 1);
      }
      scanned += slab.length;
    }
    if (offset < this.bytes) yield { number, offset, bytes: this.bytes - offset, whole: false };
  }

  text(line: SourceLine): string {
    return this.#read(line.offset, line.bytes).toString("utf8");
  }

  /** The first bytes of a line, enough for its leading fields. */
  start(line: SourceLine): string {
    return this.#read(line.offset, Math.min(startBytes, line.bytes)).toString("latin1");
  }

  /** Tells whether the line ends as an object does. */
  closes(line: SourceLine): boolean {
    return this.#read(line.offset + line.bytes - 1, 1)[0] === 0x7d;
  }

  place(line: SourceLine): LinePlace {
    return { path: this.name, line: line.number, offset: line.offset };
  }

  close(): void {
    this.#file.close();
  }

  #read(offset: number, bytes: number): Buffer {
    return this.#kept === null ? this.#pread(offset, bytes) : this.#kept.subarray(offset, offset + bytes);
  }

  #pread(offset: number, bytes: number): Buffer {
    const buffer = Buffer.allocUnsafe(bytes);
    this.#file.seekSync(offset, Deno.SeekMode.Start);
    let filled = 0;
    while (filled < bytes) {
      const read = this.#file.readSync(buffer.subarray(filled));
      if (read === null) break; // the file shrank under us; the line check says so
      filled += read;
    }
    return buffer.subarray(0, filled);
  }
}
