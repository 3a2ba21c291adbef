import type { Chunk } from "../step/mod.ts";

/** Decoded bytes have no boundaries of their own: each read gets the share that it had of the encoded ones. */
export function shareChunks(chunks: readonly Chunk[], fromBytes: number, toBytes: number): Chunk[] {
  let seen = 0;
  let given = 0;
  const scaled: Chunk[] = [];
  for (const [atMs, bytes] of chunks) {
    seen += bytes;
    const until = Math.round(toBytes * (seen / fromBytes));
    if (until > given) scaled.push([atMs, until - given]);
    given = until;
  }
  return scaled;
}
