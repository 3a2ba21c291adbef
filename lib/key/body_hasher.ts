/**
 * A body while it streams: kept while it may become canonical, hashed as it is once it is too long for that.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createHash, type Hash } from "node:crypto";
import { canonicalLimitBytes } from "./body.ts";

/** What a streamed body came to: its bytes, or the hash of more bytes than are made canonical. */
export type StreamedBody =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "hash"; readonly bodyHashHex: string };

/** Collects a body up to the limit of canonical bodies, and hashes it beyond. */
export class BodyHasher {
  readonly #limitBytes: number;
  #chunks: Uint8Array[] = [];
  #length = 0;
  #hash: Hash | null = null;

  /**
   * Begins a body.
   *
   * @param limitBytes Longer bodies are hashed as they are; anything but scheme 1's limit makes other keys.
   */
  constructor(limitBytes: number = canonicalLimitBytes) {
    this.#limitBytes = limitBytes;
  }

  /**
   * Takes the next bytes.
   *
   * @param bytes Decoded, in keyed form; not to be changed afterwards.
   */
  push(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#hash !== null) this.#hash.update(bytes);
    else this.#chunks.push(bytes);
    if (this.#hash === null && this.#length > this.#limitBytes) this.#startHashing();
  }

  /**
   * Ends the body.
   *
   * @returns The bytes, for `requestKey`, or the hash, for `keyOf`.
   */
  end(): StreamedBody {
    if (this.#hash !== null) return { kind: "hash", bodyHashHex: this.#hash.digest("hex") };
    return {
      kind: "bytes",
      bytes: this.#chunks.length === 1 ? this.#chunks[0] ?? nothing : Buffer.concat(this.#chunks),
    };
  }

  #startHashing(): void {
    this.#hash = createHash("sha256");
    for (const chunk of this.#chunks) this.#hash.update(chunk);
    this.#chunks = [];
  }
}

const nothing = new Uint8Array(0);
