import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { parseAuthority } from "./_origin.ts";
import { type Destination, destinationLimitBytes } from "./forwarder_words.ts";

const newline = 0x0a;

/** Parses the line that a connection begins with, without its newline; `null` when it is none. */
export function parseDestination(line: string): Destination | null {
  if (line === "proxy") return { kind: "proxy" };
  const origin = line.startsWith("origin ") ? parseAuthority(line.slice("origin ".length)) : null;
  return origin === null ? null : { kind: "origin", ...origin };
}

/**
 * Reads where a connection wants to go, and leaves what comes behind to whoever reads on.
 *
 * @param patienceMs How long the line may take.
 * @returns `null` when it does not come, or makes no sense.
 */
export function readDestination(socket: Socket, patienceMs: number): Promise<Destination | null> {
  const { promise, resolve } = Promise.withResolvers<Destination | null>();
  let seen = Buffer.alloc(0);
  const finish = (destination: Destination | null) => {
    clearTimeout(timer);
    socket.off("data", onData).off("close", giveUp).off("end", giveUp);
    resolve(destination);
  };
  const giveUp = () => finish(null);
  const onData = (bytes: Uint8Array) => {
    seen = Buffer.concat([seen, bytes]);
    const end = seen.indexOf(newline);
    if (end === -1) return seen.length > destinationLimitBytes ? giveUp() : undefined;
    socket.pause();
    finish(parseDestination(seen.toString("latin1", 0, end)));
    if (end + 1 < seen.length) socket.unshift(seen.subarray(end + 1));
  };
  const timer = setTimeout(giveUp, patienceMs);
  socket.on("error", () => {}); // "close" follows
  socket.on("data", onData).on("close", giveUp).on("end", giveUp);
  return promise;
}
