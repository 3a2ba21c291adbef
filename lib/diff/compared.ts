/**
 * Steps as they are compared: headers as recorded, bodies decoded and read when they are needed.
 *
 * @module
 */
import { neutralText } from "./_neutral.ts";
import type { Header, RecordedError, StepType } from "../step/mod.ts";

/** A body as it is compared. */
export interface ComparedBody {
  /** As it is compared: decoded, unless it could not be. */
  readonly bytes: number;
  /** Decoded, placeholders made alike; `null` when it is not text, or too long to be compared as such. */
  readonly text: string | null;
  /** The bytes that `bytes` counts, in pieces; not read where the text says it all. */
  readonly pieces: () => Iterable<Uint8Array>;
  /** Equal for equal bodies, where that is known without reading them: the address of a blob. */
  readonly identity?: string | undefined;
}

/** A message as it is compared. */
export interface ReadableMessage {
  readonly headers: readonly Header[];
  readonly body: ComparedBody;
}

/** A message that passed on a WebSocket. */
export interface ComparedFrame {
  readonly from: "client" | "server";
  /** RFC 6455, 5.2; a continuation belongs to the message before. */
  readonly opcode: number;
  readonly body: ComparedBody;
}

/** A response as it is compared. */
export interface ComparedResponse extends ReadableMessage {
  readonly status: number;
  readonly statusText: string;
  readonly trailers: readonly Header[];
  /** How the stream ended, with its reset code where there is one: `complete`, `upstream_reset 8`. */
  readonly end: string;
  readonly frames: readonly ComparedFrame[];
}

/** A step as it is compared. */
export interface ComparedStep {
  readonly seq: number;
  readonly type: StepType;
  readonly optional: boolean;
  /** Milliseconds since 1970. */
  readonly beganMs: number;
  readonly latencyMs: number;
  readonly httpVersion: string;
  readonly method: string;
  readonly url: string;
  readonly request: ReadableMessage;
  readonly response: ComparedResponse | null;
  readonly error: RecordedError | null;
}

/** A trace as it is compared. */
export interface ComparedTrace {
  /** K(s) of each step, in the order in which requests began; keys of both traces are made by the same rules. */
  readonly keys: readonly string[];
  /** Reads a step by its index in `keys`; called again when it is needed again. */
  readonly step: (index: number) => ComparedStep;
}

/**
 * Makes a body of a text. Placeholders are made alike: their ordinals count the secrets of one trace.
 *
 * @param text The whole body.
 * @param bytes Its length in bytes, where it is at hand.
 */
export function textBody(text: string, bytes: number = new TextEncoder().encode(text).length): ComparedBody {
  return { bytes, text: neutralText(text), pieces: () => [new TextEncoder().encode(text)] };
}
