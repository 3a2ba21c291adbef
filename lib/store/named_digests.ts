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
  using file = Deno.openSync(path, { read: true });
  const found = new Set<string>();
  const slab = new Uint8Array(slabBytes);
  let before = "";
  for (let read = file.readSync(slab); read !== null; read = file.readSync(slab)) {
    const text = before + Buffer.from(slab.buffer, 0, read).toString("latin1");
    for (const [hit] of text.matchAll(digest)) found.add(hit);
    before = text.slice(-(digestChars - 1)); // one may lie across two slabs
  }
  return found;
}
