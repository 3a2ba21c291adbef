import { setImmediate } from "node:timers";
import { endToEndHeaders } from "../diff/mod.ts";
import type { ResponseEnd } from "../step/mod.ts";
import { nobodyReads } from "./_nobody_reads.ts";
import { type LiveResponse, type ResponseSink, systemClock, UpstreamError } from "./exchange.ts";

/** A client that hangs up early does not cut the step: this much of the rest is still read. */
const drainedAfterCloseBytes = 64 * 1024 * 1024;

/** And for so long: a stream that never ends is not read for ever. */
export const drainedAfterCloseMs = 10_000;

/** Why an exchange is given up whose client is gone and whose upstream has fallen silent. */
export const drainOver = "the client has been gone for long";

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
export async function relayBody(relay: Relay): Promise<ResponseEnd> {
  const { response, sink } = relay;
  // The first piece mostly comes in the same read as the head: one packet for both, unless it keeps us waiting.
  setImmediate(() => sink.flush());
  try {
    await handOn(relay);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return brokenOff(error, relay);
  }
  if (sink.closed) return { end: "client_closed" };
  sink.end(endToEndHeaders(response.trailers()));
  return { end: "complete" };
}

async function handOn({ response, sink, copy, elapsedMs }: Relay): Promise<void> {
  const drain = new Drain(elapsedMs);
  for await (const bytes of response.body) {
    const wrote = nobodyReads(sink) ? undefined : sink.write(bytes);
    const copied = copy(bytes);
    if (wrote !== undefined) await wrote;
    if (copied !== undefined) await copied;
    if (sink.closed && drain.isEnough(bytes.length)) return;
  }
}

function brokenOff({ code, streamCode }: UpstreamError, { sink, signal }: Relay): ResponseEnd {
  const resetCode = streamCode ?? undefined;
  sink.abort(resetCode);
  if (signal.aborted) return { end: signal.reason === drainOver ? "client_closed" : "interrupted" };
  if (code === "ETIMEDOUT") return { end: "timeout" };
  return { end: "upstream_reset", ...(resetCode === undefined ? {} : { resetCode }) };
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
