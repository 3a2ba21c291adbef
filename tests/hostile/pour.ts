import { Buffer } from "node:buffer";
import type { RawSocket } from "../support/raw_socket.ts";

/**
 * Sends a piece over and over, as fast as the other side takes it, until so much was sent or the connection is over.
 *
 * @param patienceMs What the other side may take to read on before the sender gives up.
 * @returns How many bytes were sent.
 */
export function pour(to: RawSocket, piece: string, bytes: number, patienceMs = 1000): Promise<number> {
  const block = Buffer.from(piece.repeat(Math.ceil(64 * 1024 / piece.length)), "latin1");
  return pourBlocks(to, repeated(block, Math.ceil(bytes / block.length)), patienceMs);
}

/** Sends blocks as fast as the other side takes them, as {@link pour} does. */
export async function pourBlocks(to: RawSocket, blocks: Iterable<Uint8Array>, patienceMs = 1000): Promise<number> {
  let sent = 0;
  for (const block of blocks) {
    if (to.ended) break;
    sent += block.length;
    if (!to.socket.write(block) && !await drained(to, patienceMs)) break;
  }
  return sent;
}

function* repeated(block: Uint8Array, count: number): Generator<Uint8Array> {
  for (let sent = 0; sent < count; sent++) yield block;
}

function drained({ socket }: RawSocket, patienceMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const events = ["drain", "close", "end", "error"] as const;
    const settle = (read: boolean) => {
      clearTimeout(timer);
      for (const event of events) socket.off(event, done);
      resolve(read);
    };
    const done = () => settle(true);
    const timer = setTimeout(() => settle(false), patienceMs);
    for (const event of events) socket.on(event, done);
  });
}
