/**
 * The pieces of a message on their way to being one.
 *
 * @module
 */
import { Buffer } from "node:buffer";

/** A block begins small and grows up to this. */
const blockBytes = 64 * 1024;
const firstBlockBytes = 256;

const nothing: Uint8Array = new Uint8Array(0);

/** Joins pieces by copying them: kept as it came, a piece of a few bytes would keep the whole read it was cut from. */
export class Pieces {
  readonly #full: Uint8Array[] = [];
  #block = Buffer.alloc(0);
  #used = 0;

  /** Takes the next piece, which may change afterwards. */
  push(piece: Uint8Array): void {
    let rest = piece;
    while (rest.length > 0) {
      if (this.#used === this.#block.length) this.#beginBlock();
      const part = rest.subarray(0, this.#block.length - this.#used);
      this.#block.set(part, this.#used);
      this.#used += part.length;
      rest = rest.subarray(part.length);
    }
  }

  /** All of them, one after the other. */
  join(): Uint8Array {
    const last = this.#block.subarray(0, this.#used);
    if (this.#full.length > 0) return Buffer.concat([...this.#full, last]);
    return last.length === 0 ? nothing : last;
  }

  #beginBlock(): void {
    if (this.#block.length > 0) this.#full.push(this.#block);
    this.#block = Buffer.alloc(Math.min(blockBytes, Math.max(firstBlockBytes, this.#block.length * 2)));
    this.#used = 0;
  }
}
