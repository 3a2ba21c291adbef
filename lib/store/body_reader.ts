/**
 * A body's bytes, read once, in order, from memory or from a blob.
 *
 * @module
 */
import { Buffer } from "node:buffer";

/** A body's bytes, read once, in order. */
export class BodyReader implements Disposable {
  /** Of the whole body. */
  readonly bytes: number;
  readonly #from: Uint8Array | Deno.FsFile;
  #offset = 0;

  /**
   * Begins at the first byte.
   *
   * @param from The bytes, or an open file that is closed with the reader.
   * @param bytes How many there are; a file's must be given.
   */
  constructor(from: Uint8Array | Deno.FsFile, bytes: number = from instanceof Uint8Array ? from.length : 0) {
    this.#from = from;
    this.bytes = bytes;
  }

  /** How many bytes have not been read yet. */
  get rest(): number {
    return this.bytes - this.#offset;
  }

  /**
   * Reads the next bytes.
   *
   * @param bytes How many, from 0.
   * @returns That many, fewer only at the end.
   */
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
