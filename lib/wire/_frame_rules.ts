import { type Frame, frameFlag, frameType, http2Code, Http2Error } from "./http2_frames.ts";

/** What every frame of a kind has to be, whatever went before it (RFC 9113 6). */
interface FrameRule {
  readonly name: string;
  /** Frames of a stream, of the connection, or either. */
  readonly of: "stream" | "connection" | "either";
  readonly isSize: (payloadBytes: number, flags: number) => boolean;
}

const rules: Readonly<Record<number, FrameRule>> = {
  [frameType.data]: { name: "DATA", of: "stream", isSize: () => true },
  [frameType.headers]: { name: "HEADERS", of: "stream", isSize: holdsPriority },
  [frameType.priority]: { name: "PRIORITY", of: "stream", isSize: (bytes) => bytes === 5 },
  [frameType.rstStream]: { name: "RST_STREAM", of: "stream", isSize: (bytes) => bytes === 4 },
  [frameType.settings]: { name: "SETTINGS", of: "connection", isSize: holdsSettings },
  [frameType.ping]: { name: "PING", of: "connection", isSize: (bytes) => bytes === 8 },
  [frameType.goaway]: { name: "GOAWAY", of: "connection", isSize: (bytes) => bytes >= 8 },
  [frameType.windowUpdate]: { name: "WINDOW_UPDATE", of: "either", isSize: (bytes) => bytes === 4 },
  [frameType.continuation]: { name: "CONTINUATION", of: "stream", isSize: () => true },
};

/**
 * Holds a frame against what its kind asks of every one. A kind that nobody knows may be anything (RFC 9113 5.5).
 *
 * @throws {Http2Error} when the frame has the wrong size, or a stream where none belongs, or none where one does.
 */
export function checkFrame({ type, flags, streamId, payload }: Frame): void {
  const rule = rules[type];
  if (rule === undefined) return;
  if (rule.of !== "either" && (rule.of === "stream") !== (streamId !== 0)) {
    throw new Http2Error(http2Code.protocolError, `a ${rule.name} frame of ${streamId === 0 ? "no" : "a"} stream`);
  }
  if (rule.isSize(payload.length, flags)) return;
  throw new Http2Error(http2Code.frameSizeError, `a ${rule.name} frame of ${payload.length} bytes`);
}

function holdsPriority(bytes: number, flags: number): boolean {
  const padding = (flags & frameFlag.padded) === 0 ? 0 : 1;
  return bytes >= padding + ((flags & frameFlag.priority) === 0 ? 0 : 5);
}

function holdsSettings(bytes: number, flags: number): boolean {
  return (flags & frameFlag.ack) === 0 ? bytes % 6 === 0 : bytes === 0;
}
