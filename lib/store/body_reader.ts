/**
 * A body's bytes, read once, in order, from memory or from a blob.
 *
 * @module
 */
import { Buffer } from "node:buffer";

/** Where a stretch of a body lies; opened only when reading comes to it. */
export interface BodySource {
  readonly bytes: number;
  /** Gives the bytes, or a file that is closed when it has been read. */
  readonly open: () => Uint8Array | Deno.FsFile;
}

/** A body's bytes, read once, in order. */
export class BodyReader implements Disposable {
  /** Of the whole body. */
  readonly bytes: number;
  readonly #sources: Iterator<BodySource>;
  #current: { readonly from: Uint8Array | Deno.FsFile; readonly bytes: number } = { from: nothing, bytes: 0 };
  /** How much of the current source has been read. */
  #offset = 0;
  #rest: number;

  /**
   * Begins at the first byte.
   *
   * @param from The bytes, or what the body is made of, in order.
   */
  constructor(from: Uint8Array | readonly BodySource[]) {
    const whole = from instanceof Uint8Array;
    if (whole) this.#current = { from, bytes: from.length };
    this.bytes = whole ? from.length : from.reduce((sum, source) => sum + source.bytes, 0);
    this.#sources = (whole ? [] : from).values();
    this.#rest = this.bytes;
  }

  /** How many bytes have not been read yet. */
  get rest(): number {
    return this.#rest;
  }

  /**
   * Reads the next bytes.
   *
   * @param bytes How many, from 0.
   * @returns That many, fewer only at the end.
   */
  read(bytes: number): Uint8Array {
    const first = this.#readCurrent(bytes);
    if (first.length === bytes || this.#rest === 0) return first;
    const pieces = [first];
    let wanted = bytes - first.length;
    while (wanted > 0 && this.#next()) {
      const piece = this.#readCurrent(wanted);
      pieces.push(piece);
      wanted -= piece.length;
    }
    return pieces.length === 2 && first.length === 0 ? pieces[1] ?? first : Buffer.concat(pieces);
  }

  #readCurrent(bytes: number): Uint8Array {
    const { from, bytes: all } = this.#current;
    const at = this.#offset;
    const count = Math.min(bytes, all - at);
    const read = from instanceof Uint8Array ? from.subarray(at, at + count) : readFile(from, count);
    this.#offset += read.length;
    this.#rest -= read.length;
    return read;
  }

  /** Goes on to the next source; false when there is none. */
  #next(): boolean {
    this.#rest -= this.#current.bytes - this.#offset; // a file that was cut short behind our back
    this.#close();
    const { value } = this.#sources.next();
    if (value === undefined) return false;
    this.#current = { from: value.open(), bytes: value.bytes };
    return true;
  }

  #close(): void {
    const { from } = this.#current;
    this.#current = { from: nothing, bytes: 0 };
    this.#offset = 0;
    if (!(from instanceof Uint8Array)) from.close();
  }

  [Symbol.dispose](): void {
    this.#close();
  }
}

const nothing: Uint8Array = new Uint8Array(0);

function readFile(file: Deno.FsFile, count: number): Uint8Array {
  const buffer = Buffer.allocUnsafe(count);
  let filled = 0;
  while (filled < count) {
    const read = file.readSync(buffer.subarray(filled));
    if (read === null) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}
