/**
 * What a WebSocket carried, one line a frame.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { decodeUtf8, type Frame } from "../step/mod.ts";
import { cutLine, formatBytes, formatDuration, formatTable, printableLine } from "./text.ts";

/** A frame and the bytes it carried. */
export interface ReadableFrame {
  readonly frame: Frame;
  readonly payload: Uint8Array;
}

/** What is shown of a payload; all of it stands in the JSON. */
const shownCharacters = 160;

/** RFC 6455, 5.2. */
const names: Readonly<Record<number, string>> = {
  0: "more",
  1: "text",
  2: "binary",
  8: "close",
  9: "ping",
  10: "pong",
};

/**
 * Formats frames for a terminal.
 *
 * @param frames In the order of their passing.
 * @returns One line each: when, whose, what kind, and the payload as far as a line holds it.
 */
export function formatFrames(frames: readonly ReadableFrame[]): string[] {
  return formatTable(frames.map(({ frame: [atMs, from, opcode], payload }) => [
    formatDuration(atMs),
    from === "client" ? ">" : "<",
    names[opcode] ?? `opcode ${opcode}`,
    cutLine(printableLine(shown(opcode, payload)), shownCharacters),
  ]));
}

function shown(opcode: number, payload: Uint8Array): string {
  if (opcode === 8 && payload.length > 1) {
    const bytes = Buffer.from(payload);
    return `${bytes.readUInt16BE(0)} ${bytes.toString("utf8", 2)}`.trimEnd();
  }
  const text = opcode === 2 ? null : decodeUtf8(payload);
  return text ?? `(${formatBytes(payload.length)})`;
}
