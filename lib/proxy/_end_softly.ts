import type { Socket } from "node:net";

/** A client that was told that its connection ends has so long to end it, too. */
const lingerMs = 5_000;

/**
 * Ends a connection so that what was written arrives: closed at once, with bytes of the client's unread, it would be
 * reset, and what the client has not read yet could be lost (RFC 9112 9.6).
 */
export function endSoftly(socket: Socket, patienceMs: number = lingerMs): void {
  socket.end();
  socket.resume(); // what still comes is dropped, or the close would wait for it
  if (socket.destroyed) return;
  const timer = setTimeout(() => socket.destroy(), patienceMs);
  socket.once("close", () => clearTimeout(timer));
}
