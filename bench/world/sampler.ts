/** What the world draws its luck from: a stream of bytes that follows from a seed alone. */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/** The characters of a vendor's ids. */
export const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** The digits of hexadecimal ids. */
export const hexadecimal = "0123456789abcdef";

/** Draws values; two samplers of one seed draw the same ones in the same order. */
export interface Sampler {
  /** A number from 0 up to, but without, 1. */
  fraction(): number;
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  /** One of the choices, of which there must be one. */
  pick<T>(choices: readonly T[]): T;
  /** `length` characters of an alphabet. */
  text(length: number, alphabet: string): string;
}

/**
 * Makes a sampler: SHA-256 of the seed and a counter, read four bytes at a time.
 *
 * @param seed Any text; who knows it can draw the same values again.
 * @returns The sampler, at its first value.
 */
export function createSampler(seed: string): Sampler {
  const word = wordsOf(seed);
  const fraction = () => word() / 2 ** 32;
  const int = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1));
  return {
    fraction,
    int,
    pick: (choices) => chosen(choices, int(0, choices.length - 1)),
    text: (length, alphabet) => Array.from({ length }, () => alphabet[int(0, alphabet.length - 1)]).join(""),
  };
}

function wordsOf(seed: string): () => number {
  let block: Buffer = Buffer.alloc(0);
  let counter = 0;
  let offset = 0;
  return () => {
    if (offset === block.byteLength) {
      block = createHash("sha256").update(`${seed}/${counter++}`).digest();
      offset = 0;
    }
    offset += 4;
    return block.readUInt32LE(offset - 4);
  };
}

function chosen<T>(choices: readonly T[], index: number): T {
  if (index < 0 || index >= choices.length) throw new RangeError("Cannot pick a choice: the list is empty");
  return choices[index] as T;
}
