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
  /** Its first bytes, enough for its leading fields. Valid until the next line is asked for. */
  readonly start: Uint8Array;
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
const nothing = Buffer.alloc(0);

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
        const { start, lastByte } = seen === unseen
          ? sawWhole(slab, from, end)
          : sawMore(seen, slab.subarray(from, end));
        yield { line, start, lastByte };
        from = end + 1;
        offset = at + from;
        seen = unseen;
      }
      const { start, lastByte } = sawMore(seen, slab.subarray(from));
      seen = { start: Buffer.from(start), lastByte }; // copied: the next slab takes this one's place
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

/** Not the Buffer's own search: Deno 2.9.6 takes ten times as long for it, in script. */
function newlineAt(slab: Buffer, from: number): number {
  return Uint8Array.prototype.indexOf.call(slab, newline, from);
}

type Seen = Pick<ScannedLine, "start" | "lastByte">;

const unseen: Seen = { start: nothing, lastByte: 0 };

/** No Buffer's own slice either: it is script as well, and this is done for every line. */
function sawWhole(slab: Buffer, from: number, end: number): Seen {
  const start = new Uint8Array(slab.buffer, slab.byteOffset + from, Math.min(end - from, startBytes));
  return { start, lastByte: end > from ? slab[end - 1] ?? 0 : 0 };
}

function sawMore(before: Seen, piece: Buffer): Seen {
  const missing = startBytes - before.start.length;
  const start = before.start.length === 0
    ? piece.subarray(0, startBytes)
    : missing <= 0
    ? before.start
    : Buffer.concat([before.start, piece.subarray(0, missing)]);
  return { start, lastByte: piece.at(-1) ?? before.lastByte };
}
