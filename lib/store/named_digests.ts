/**
 * The digests that a file names, whatever it holds: what may be needed must not be removed.
 *
 * @module
 */
import { Buffer } from "node:buffer";

const digest = /sha256:[0-9a-f]{64}/g;
const digestChars = "sha256:".length + 64;
const slabBytes = 1024 * 1024;

/**
 * Finds every digest in a file, without reading it as a trace: one that is damaged or newer names its blobs all the same.
 *
 * @param path The file.
 * @returns Each once, as `sha256:<64 hex>`.
 * @throws {Deno.errors.NotFound} when there is no such file.
 */
export function namedDigests(path: string): Set<string> {
  return matchesIn(path, digest, digestChars);
}

/**
 * Finds the highest number of a placeholder in a trace, so that a new one gets another.
 *
 * @param path The trace's file.
 * @returns 0 where there is none.
 */
export function highestOrdinal(path: string): number {
  const numbers = [...matchesIn(path, /redacted-\d{1,6}/g, 16)].map((hit) => Number(hit.slice("redacted-".length)));
  return numbers.reduce((highest, number) => Math.max(highest, number), 0);
}

/** @param longest How many characters a match may have: one may lie across two slabs. */
function matchesIn(path: string, pattern: RegExp, longest: number): Set<string> {
  using file = Deno.openSync(path, { read: true });
  const found = new Set<string>();
  const slab = new Uint8Array(slabBytes);
  let before = "";
  for (let read = file.readSync(slab); read !== null; read = file.readSync(slab)) {
    const text = before + Buffer.from(slab.buffer, 0, read).toString("latin1");
    for (const [hit] of text.matchAll(pattern)) found.add(hit);
    before = text.slice(-(longest - 1));
  }
  return found;
}
