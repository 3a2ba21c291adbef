/**
 * Redaction of one message body while it streams.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { contextBytes, type Position, scan, type Search, shiftPosition, startPosition } from "./scan.ts";
import type { Secrets } from "./secrets.ts";
import type { Span } from "./span.ts";

/** A stretch of a body: as it was, or a secret's placeholder. */
export interface Piece {
  /** What is written to the trace: as many bytes as came in. */
  readonly stored: Uint8Array;
  /** True for a redacted span, which counts as `[redacted]` in K(s). */
  readonly secret: boolean;
}

/** Redacts one body. */
export interface BodyRedaction {
  /**
   * Takes the next bytes, which must not be changed afterwards.
   *
   * @param chunk Any number of bytes.
   * @returns What is settled: all but the little that may yet turn out to be part of a secret.
   */
  push(chunk: Uint8Array): Piece[];
  /**
   * Ends the body.
   *
   * @returns The rest.
   */
  end(): Piece[];
  /** How many secrets were replaced; what was a placeholder already is not counted. */
  readonly found: number;
}

/** A larger chunk is searched in slices of this size, since strings have a limit. */
const sliceBytes = 1 << 20;

const nothing: Uint8Array = new Uint8Array(0);

/** The one implementation of {@link BodyRedaction}. */
export class StreamRedaction implements BodyRedaction {
  readonly #search: Search;
  readonly #secrets: Secrets;
  readonly #position: Position = startPosition();
  #held: Uint8Array = nothing;
  #emitted = 0;
  #found = 0;

  constructor(search: Search, secrets: Secrets) {
    this.#search = search;
    this.#secrets = secrets;
  }

  get found(): number {
    return this.#found;
  }

  push(chunk: Uint8Array): Piece[] {
    if (chunk.length <= sliceBytes) return this.#advance(chunk, false);
    const pieces: Piece[] = [];
    for (let at = 0; at < chunk.length; at += sliceBytes) {
      pieces.push(...this.#advance(chunk.subarray(at, at + sliceBytes), false));
    }
    return pieces;
  }

  end(): Piece[] {
    return this.#advance(nothing, true);
  }

  #advance(chunk: Uint8Array, final: boolean): Piece[] {
    const bytes = join(this.#held, chunk);
    const text = toBinary(bytes);
    const pieces: Piece[] = [];
    const emitTo = (end: number) => {
      if (end > this.#emitted) pieces.push({ stored: bytes.subarray(this.#emitted, end), secret: false });
      this.#emitted = end;
    };
    const onSpan = (span: Span) => {
      emitTo(span.start);
      pieces.push(this.#toPiece(span, text.slice(span.start, span.end)));
      this.#emitted = span.end;
    };
    scan(text, this.#position, { ...this.#search, final, onSpan });
    emitTo(this.#position.at);
    this.#keep(bytes);
    return pieces;
  }

  #toPiece(span: Span, raw: string): Piece {
    const { stored, secret, isNew } = this.#secrets.replace(span, raw);
    if (isNew) this.#found++;
    return { stored: Buffer.from(stored, "latin1"), secret };
  }

  #keep(bytes: Uint8Array): void {
    const dropped = Math.max(0, this.#position.at - contextBytes);
    this.#held = bytes.subarray(dropped);
    this.#emitted -= dropped;
    shiftPosition(this.#position, dropped);
  }
}

function join(held: Uint8Array, chunk: Uint8Array): Uint8Array {
  if (held.length === 0) return chunk;
  return chunk.length === 0 ? held : Buffer.concat([held, chunk]);
}

/**
 * Reads bytes as one character each.
 *
 * @param bytes Any bytes.
 * @returns A string of the same length.
 */
export function toBinary(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
