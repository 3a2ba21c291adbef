import { Buffer } from "node:buffer";
import { type Frame, frameFlag, frameType, http2Code, Http2Error, withoutPadding } from "./http2_frames.ts";

/** A header block in more frames than this is there to keep us busy. */
const frameLimit = 128;

/** A header block, put together. */
export interface AssembledBlock {
  /** The HEADERS frame that began it. */
  readonly frame: Frame;
  readonly bytes: Buffer;
}

/** Puts the frames of header blocks together: what begins in HEADERS goes on in CONTINUATION (RFC 9113 4.3, 6.10). */
export class HeaderAssembly {
  readonly #limitBytes: number;
  #begun: { readonly frame: Frame; readonly parts: Buffer[]; bytes: number } | null = null;

  /** @param limitBytes What one block may have. */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** True in the midst of a block. */
  get begun(): boolean {
    return this.#begun !== null;
  }

  /**
   * Takes a frame, of whatever kind.
   *
   * @returns The block that it ends, `null` when it does not.
   * @throws {Http2Error} when it must not stand here, or the block is too large.
   */
  take(frame: Frame): AssembledBlock | null {
    const begun = this.#begun;
    const goesOn = frame.type === frameType.continuation;
    if (begun !== null && (!goesOn || frame.streamId !== begun.frame.streamId)) {
      throw new Http2Error(http2Code.protocolError, "a frame in the middle of a header block");
    }
    if (begun === null && goesOn) throw new Http2Error(http2Code.protocolError, "a continuation of nothing");
    if (goesOn) return this.#add(frame.payload, frame.flags);
    if (frame.type !== frameType.headers) return null;
    this.#begun = { frame, parts: [], bytes: 0 };
    return this.#add(fragmentOf(frame), frame.flags);
  }

  #add(fragment: Buffer, flags: number): AssembledBlock | null {
    const begun = this.#begun;
    if (begun === null) return null;
    begun.parts.push(fragment);
    begun.bytes += fragment.length;
    if (begun.bytes > this.#limitBytes || begun.parts.length > frameLimit) {
      throw new Http2Error(http2Code.enhanceYourCalm, `a header block of more than ${this.#limitBytes} bytes`);
    }
    if ((flags & frameFlag.endHeaders) === 0) return null;
    this.#begun = null;
    const [first] = begun.parts;
    const bytes = begun.parts.length === 1 && first !== undefined ? first : Buffer.concat(begun.parts);
    return { frame: begun.frame, bytes };
  }
}

/** The frame's part of its block: behind a priority, which says nothing any more (RFC 9113 5.3.2). */
function fragmentOf(frame: Frame): Buffer {
  const payload = withoutPadding(frame);
  if ((frame.flags & frameFlag.priority) === 0) return payload;
  if (payload.length < 5) throw new Http2Error(http2Code.frameSizeError, "a HEADERS frame without its priority");
  return payload.subarray(5);
}
