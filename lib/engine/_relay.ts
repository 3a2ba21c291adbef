import { setImmediate } from "node:timers";
import { endToEndHeaders } from "../diff/mod.ts";
import type { ResponseEnd } from "../step/mod.ts";
import { type LiveResponse, type ResponseSink, systemClock, UpstreamError } from "./exchange.ts";

/** A client that hangs up early does not cut the step: this much of the rest is still read. */
const drainedAfterCloseBytes = 64 * 1024 * 1024;

/** And for so long: a stream that never ends is not read for ever. */
const drainedAfterCloseMs = 10_000;

/** A response on its way to a client. */
export interface Relay {
  readonly response: LiveResponse;
  readonly sink: ResponseSink;
  readonly signal: AbortSignal;
  /** Takes each piece once the client was given it; its promise is the disk's back-pressure. */
  readonly copy: (bytes: Uint8Array) => Promise<void> | undefined;
  /** Monotonic milliseconds. @default {systemClock.elapsedMs} */
  readonly elapsedMs?: () => number;
}

/**
 * Hands on each piece as it comes, then copies it: the recording never holds back a byte.
 *
 * @returns How the stream came to its end.
 */
export async function relayBody({ response, sink, signal, copy, elapsedMs }: Relay): Promise<ResponseEnd> {
  const drain = new Drain(elapsedMs);
  // The first piece mostly comes in the same read as the head: one packet for both, unless it keeps us waiting.
  setImmediate(() => sink.flush());
  try {
    for await (const bytes of response.body) {
      const wrote = sink.closed ? undefined : sink.write(bytes);
      const copied = copy(bytes);
      if (wrote !== undefined) await wrote;
      if (copied !== undefined) await copied;
      if (sink.closed && drain.isEnough(bytes.length)) break;
    }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const code = error.streamCode ?? undefined;
    sink.abort(code);
    if (signal.aborted) return { end: "interrupted" };
    if (error.code === "ETIMEDOUT") return { end: "timeout" };
    return { end: "upstream_reset", ...(code === undefined ? {} : { resetCode: code }) };
  }
  if (sink.closed) return { end: "client_closed" };
  sink.end(endToEndHeaders(response.trailers()));
  return { end: "complete" };
}

/** What is read after the client has gone. */
class Drain {
  readonly #elapsedMs: () => number;
  #untilMs: number | null = null;
  #bytes = 0;

  constructor(elapsedMs = systemClock.elapsedMs) {
    this.#elapsedMs = elapsedMs;
  }

  /** Counts a piece, and tells whether it is to be the last. */
  isEnough(bytes: number): boolean {
    const nowMs = this.#elapsedMs();
    this.#untilMs ??= nowMs + drainedAfterCloseMs;
    this.#bytes += bytes;
    return this.#bytes > drainedAfterCloseBytes || nowMs >= this.#untilMs;
  }
}
