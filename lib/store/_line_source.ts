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

/** A line, and what was seen of it in passing. */
export interface ScannedLine {
  readonly line: SourceLine;
  /** Its first bytes as latin1, enough for its leading fields. */
  readonly start: string;
  /** Its last byte, 0 for an empty line. */
  readonly lastByte: number;
}

/** How much of a file is held in memory. */
export interface LineSourceLimits {
  /** Files up to this size are kept whole; of larger ones each line is read when it is used. @default {33554432} */
  readonly keptBytes?: number;
  /** How much of a larger file is read at a time. @default {1048576} */
  readonly slabBytes?: number;
}

/** Seq, key and times at their longest, and the "request" that follows them. */
const startBytes = 320;
const newline = 0x0a;

/** The lines of a file that may be larger than memory should hold. */
export class LineSource {
  /** What the user calls the file. */
  readonly name: string;
  readonly bytes: number;
  readonly #file: Deno.FsFile;
  readonly #kept: Buffer | null;
  readonly #slabBytes: number;

  constructor(
    path: string,
    name: string,
    { keptBytes = 32 * 1024 ** 2, slabBytes = 1024 ** 2 }: LineSourceLimits = {},
  ) {
    this.name = name;
    this.#slabBytes = slabBytes;
    this.#file = Deno.openSync(path, { read: true });
    this.bytes = this.#file.statSync().size;
    this.#kept = this.bytes <= keptBytes ? this.#pread(0, Buffer.allocUnsafe(this.bytes)) : null;
  }

  /** All lines in order; the last may be torn. The file is read once, front to back. */
  *lines(): Generator<ScannedLine> {
    let number = 1;
    let offset = 0;
    let seen = unseen; // of the line that the slabs before this one began
    for (const { slab, at } of this.#slabs()) {
      let from = 0;
      for (let end = newlineAt(slab, 0); end !== -1; end = newlineAt(slab, from)) {
        const line = { number: number++, offset, bytes: at + end - offset, whole: true };
        const { start, lastByte } = seen;
        // Few objects: a file of a thousand lines is to be opened between two collections of garbage.
        yield {
          line,
          start: start + startOf(slab, from, end, start),
          lastByte: end > from ? slab[end - 1] ?? 0 : lastByte,
        };
        from = end + 1;
        offset = at + from;
        seen = unseen;
      }
      const { length } = slab;
      const lastByte = length > from ? slab[length - 1] ?? 0 : seen.lastByte;
      seen = { start: seen.start + startOf(slab, from, length, seen.start), lastByte };
    }
    if (offset < this.bytes) yield { line: { number, offset, bytes: this.bytes - offset, whole: false }, ...seen };
  }

  text(line: SourceLine): string {
    return this.read(line).toString("utf8");
  }

  /** A line's bytes, without its newline. */
  read(line: SourceLine): Buffer {
    const { offset, bytes } = line;
    return this.#kept?.subarray(offset, offset + bytes) ?? this.#pread(offset, Buffer.allocUnsafe(bytes));
  }

  place(line: SourceLine): LinePlace {
    return { path: this.name, line: line.number, offset: line.offset };
  }

  close(): void {
    this.#file.close();
  }

  *#slabs(): Generator<{ readonly slab: Buffer; readonly at: number }> {
    if (this.#kept !== null) return yield { slab: this.#kept, at: 0 };
    const room = Buffer.allocUnsafe(this.#slabBytes);
    let at = 0;
    while (at < this.bytes) {
      const slab = this.#pread(at, room.subarray(0, Math.min(room.length, this.bytes - at)));
      if (slab.length === 0) return; // the file shrank under us: its last line is torn now
      yield { slab, at };
      at += slab.length;
    }
  }

  #pread(offset: number, into: Buffer): Buffer {
    this.#file.seekSync(offset, Deno.SeekMode.Start);
    let filled = 0;
    while (filled < into.length) {
      const read = this.#file.readSync(into.subarray(filled));
      if (read === null) break; // the file shrank under us; the line check says so
      filled += read;
    }
    return into.subarray(0, filled);
  }
}

type Seen = Pick<ScannedLine, "start" | "lastByte">;

const unseen: Seen = { start: "", lastByte: 0 };

/** What is still missing of a line's start. */
function startOf(slab: Buffer, from: number, end: number, seen: string): string {
  return slab.toString("latin1", from, Math.min(end, from + startBytes - seen.length));
}

/** Not the Buffer's own search: Deno 2.9.6 takes ten times as long for it, in script. */
function newlineAt(slab: Buffer, from: number): number {
  return Uint8Array.prototype.indexOf.call(slab, newline, from);
}
