import type { Buffer } from "node:buffer";
import { frameLimitBytes, http2Code, Http2Error, readSettings, settingId } from "./http2_frames.ts";
import { windowLimitBytes } from "./http2_stream.ts";

/** What the other side has said of itself, as far as it matters here; what it did not mention stays as it is. */
export interface PeerSettings {
  /** Streams that we may have open at once. */
  readonly streamLimit?: number;
  /** What it takes of a stream before it says more. */
  readonly windowBytes?: number;
}

/**
 * Reads a SETTINGS payload (RFC 9113 6.5.2). What it says twice counts as it said last: whoever turns a window a
 * thousand times in one frame has every stream looked at once.
 *
 * @param mayPush Whether the other side is one that may say that it takes pushes: a client.
 * @throws {Http2Error} when a value is out of bounds.
 */
export function readPeerSettings(payload: Buffer, mayPush: boolean): PeerSettings {
  const said: { streamLimit?: number; windowBytes?: number } = {};
  for (const [id, value] of readSettings(payload)) {
    const wrong = explainSetting(id, value, mayPush);
    if (wrong !== null) throw new Http2Error(wrong.code, wrong.what);
    if (id === settingId.maxConcurrentStreams) said.streamLimit = value;
    if (id === settingId.initialWindowSize) said.windowBytes = value;
  }
  return said;
}

function explainSetting(id: number, value: number, mayPush: boolean): { code: number; what: string } | null {
  if (id === settingId.enablePush && value > (mayPush ? 1 : 0)) {
    return { code: http2Code.protocolError, what: "a setting for pushes that is none" };
  }
  // No use is made of larger frames: what everybody must take is large enough.
  if (id === settingId.maxFrameSize && (value < frameLimitBytes || value > 0xff_ffff)) {
    return { code: http2Code.protocolError, what: "a frame size out of bounds" };
  }
  const tooWide = id === settingId.initialWindowSize && value > windowLimitBytes;
  return tooWide ? { code: http2Code.flowControlError, what: "a window out of bounds" } : null;
}
