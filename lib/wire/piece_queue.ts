/**
 * Pieces of a body on their way from one who is told of them to one who asks for them.
 *
 * @module
 */
import { Buffer } from "node:buffer";

/** What keeping a piece costs beside its bytes: it may hold the whole read that it was cut from. */
const pieceWeight = 256;

/** Beyond so many waiting pieces, small ones are joined: whoever is this far behind has no use for their boundaries. */
const crowd = 64;
const joinedBytes = 16 * 1024;
const smallBytes = 1024;

/** A body between its two sides; read once, in order. */
export class PieceQueue implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #pieces: Uint8Array[] = [];
  readonly #onTaken: (bytes: number) => void;
  readonly #onStopped: () => void;
  #end: { readonly error: Error | null } | null = null;
  #wake: (() => void) | null = null;
  #bytes = 0;
  #discarding = false;
  /** The last piece, where it is one of joined ones with room for more. */
  #joint: { readonly room: Buffer; used: number } | null = null;

  /**
   * @param onTaken Called with the bytes that have been taken, or dropped.
   * @param onStopped Called when the reader stops before the end.
   */
  constructor(onTaken: (bytes: number) => void, onStopped: () => void = () => {}) {
    this.#onTaken = onTaken;
    this.#onStopped = onStopped;
  }

  /** How much waits to be taken, in bytes; a piece costs memory of its own, however short it is. */
  get weight(): number {
    return this.#bytes + this.#pieces.length * pieceWeight;
  }

  /** Takes a piece, which must not change afterwards. */
  push(piece: Uint8Array): void {
    if (this.#discarding) return this.#onTaken(piece.length);
    this.#bytes += piece.length;
    if (this.#pieces.length >= crowd && piece.length < smallBytes) this.#join(piece);
    else {
      this.#joint = null;
      this.#pieces.push(this.#wake === null ? unattached(piece) : piece);
    }
    this.#notify();
  }

  /** The body is whole. */
  end(): void {
    this.#settle(null);
  }

  /** The body breaks off; what was pushed before can still be taken. */
  breakOff(error: Error): void {
    this.#settle(error);
  }

  /** Nobody will read on: what waits and what comes is dropped. */
  discard(): void {
    this.#discarding = true;
    this.#pieces.length = 0;
    this.#joint = null;
    this.#onTaken(this.#bytes);
    this.#bytes = 0;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    while (true) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) {
        if (this.#pieces.length === 0) this.#joint = null;
        this.#bytes -= piece.length;
        this.#onTaken(piece.length);
        return { done: false, value: piece };
      }
      if (this.#end !== null) {
        if (this.#end.error !== null) throw this.#end.error;
        return { done: true, value: undefined };
      }
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    if (this.#end === null) this.#onStopped();
    return Promise.resolve({ done: true, value: undefined });
  }

  #join(piece: Uint8Array): void {
    let joint = this.#joint;
    if (joint === null || joint.used + piece.length > joint.room.length) {
      joint = { room: Buffer.alloc(joinedBytes), used: 0 };
      this.#pieces.push(joint.room);
    }
    joint.room.set(piece, joint.used);
    joint.used += piece.length;
    this.#pieces[this.#pieces.length - 1] = joint.room.subarray(0, joint.used);
    this.#joint = joint;
  }

  #settle(error: Error | null): void {
    this.#end ??= { error };
    this.#notify();
  }

  #notify(): void {
    this.#wake?.();
    this.#wake = null;
  }
}

/** A piece that is to wait must not keep all of the read in memory that it is a small part of. */
function unattached(piece: Uint8Array): Uint8Array {
  return piece.length * 2 < piece.buffer.byteLength ? new Uint8Array(piece) : piece;
}
