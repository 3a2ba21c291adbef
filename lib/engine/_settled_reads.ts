import type { Piece } from "../redact/mod.ts";
import type { Chunk } from "../step/mod.ts";

/**
 * Gives out redacted bytes by whole reads: what is settled of a read waits for its rest.
 *
 * Redaction holds back what may yet be part of a secret, so it lags behind the reads. A line of a long stream names
 * reads and holds their bytes, and it must be the bytes of just these.
 */
export class SettledReads {
  /** Reads whose bytes are not all settled. */
  readonly #unsettled: Chunk[] = [];
  #settled: Chunk[] = [];
  #waiting: Piece[] = [];
  #waitingBytes = 0;
  /** How much of what waits belongs to the reads that are whole. */
  #wholeBytes = 0;

  /** Notes a read, before its bytes are settled. */
  note(chunk: Chunk): void {
    this.#unsettled.push(chunk);
  }

  /**
   * Takes bytes that redaction has settled.
   *
   * @returns The bytes of the reads that are whole now.
   */
  settle(pieces: readonly Piece[]): Piece[] {
    for (const piece of pieces) {
      this.#waiting.push(piece);
      this.#waitingBytes += piece.stored.length;
    }
    for (let first = this.#unsettled[0]; first !== undefined; first = this.#unsettled[0]) {
      if (this.#wholeBytes + first[1] > this.#waitingBytes) break;
      this.#wholeBytes += first[1];
      this.#settled.push(first);
      this.#unsettled.shift();
    }
    return this.#takeWhole();
  }

  /** The reads that have become whole since it was asked last. */
  take(): readonly Chunk[] {
    const settled = this.#settled;
    this.#settled = [];
    return settled;
  }

  #takeWhole(): Piece[] {
    const taken = this.#waiting;
    const rest: Piece[] = [];
    let excess = this.#waitingBytes - this.#wholeBytes;
    this.#waitingBytes = excess;
    this.#wholeBytes = 0;
    for (let last = taken.at(-1); excess > 0 && last !== undefined; last = taken.at(-1)) {
      taken.pop();
      const kept = Math.max(0, last.stored.length - excess);
      rest.unshift({ stored: last.stored.subarray(kept), secret: last.secret });
      excess -= last.stored.length - kept;
      if (kept > 0) taken.push({ stored: last.stored.subarray(0, kept), secret: last.secret });
    }
    this.#waiting = rest;
    return taken;
  }
}
