/**
 * Whether what a client was handed is what was stored, and F over a whole replay (paper III-C, III-E).
 *
 * @module
 */
import type { Header } from "../step/mod.ts";

/** What a door handed to its client, as it counted it at its own edge. */
export interface Emission {
  readonly status: number;
  /** As sent, connection-level headers left out. */
  readonly headers: readonly Header[];
  readonly bodyBytes: number;
  /** Every byte of it was the stored one at that place. */
  readonly sameBody: boolean;
  readonly trailers: readonly Header[];
  /** False when the client closed before the end. */
  readonly finished: boolean;
}

/** What was stored, to be held against an emission. */
export interface StoredOutput {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly bodyBytes: number;
  readonly trailers: readonly Header[];
}

const connectionHeaders: ReadonlySet<string> = new Set([
  // RFC 9110 7.6.1: these speak of one connection, not of the message
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Leaves out what belongs to one connection: hop-by-hop headers and those that `connection` names (RFC 9110 7.6.1).
 *
 * @param headers A message's headers as they came.
 * @returns The message's own headers, in order and case.
 */
export function endToEndHeaders(headers: readonly Header[]): readonly Header[] {
  if (!headers.some(([name]) => connectionHeaders.has(name.toLowerCase()))) return headers;
  const named = connectionOptions(headers);
  return headers.filter(([name]) => {
    const lower = name.toLowerCase();
    return !connectionHeaders.has(lower) && !named.has(lower);
  });
}

/** Everything that `connection` names, in however many lines it came (RFC 9110 5.3). */
function connectionOptions(headers: readonly Header[]): ReadonlySet<string> {
  const values = headers.filter(([name]) => name.toLowerCase() === "connection").map(([, value]) => value);
  return new Set(values.join(",").toLowerCase().split(",").map((name) => name.trim()));
}

/**
 * Holds an emission against what was stored: o' = o, up to where the client closed.
 *
 * @param stored What the trace holds.
 * @param emitted What went out.
 * @returns What differs, as a short noun phrase, or `null` when nothing does.
 */
export function emissionDifference(stored: StoredOutput, emitted: Emission): string | null {
  if (emitted.status !== stored.status) return `status ${emitted.status}, recorded ${stored.status}`;
  const header = headerDifference(endToEndHeaders(stored.headers), emitted.headers);
  if (header !== null) return header;
  if (emitted.finished && emitted.bodyBytes !== stored.bodyBytes) {
    return `a body of ${emitted.bodyBytes} bytes, recorded ${stored.bodyBytes}`;
  }
  if (!emitted.sameBody) return "other bytes in the body";
  return emitted.finished ? headerDifference(stored.trailers, emitted.trailers) : null;
}

function headerDifference(stored: readonly Header[], emitted: readonly Header[]): string | null {
  if (stored.length !== emitted.length) return `${emitted.length} headers, recorded ${stored.length}`;
  const index = stored.findIndex(([name, value], at) => name !== emitted[at]?.[0] || value !== emitted[at]?.[1]);
  return index === -1 ? null : `header "${stored[index]?.[0]}"`;
}

/** A recorded step, as far as the sum needs it. */
export interface CountedStep {
  readonly seq: number;
  readonly optional: boolean;
}

/** F, and what it was made from. */
export interface Fidelity {
  /** |E|: recorded steps that are not optional. */
  readonly steps: number;
  /** D: those that were never asked for, or answered otherwise than recorded. */
  readonly diverged: readonly number[];
  /** 1 − |D| / |E|; 1 when nothing was recorded. */
  readonly fidelity: number;
}

/**
 * Computes F = 1 − |D| / |E| (paper III-E).
 *
 * @param recorded Every step of the trace.
 * @param served Per `seq` that was served: what differed, or `null`.
 * @returns F, |E| and D, in the order of `recorded`.
 */
export function fidelityOf(recorded: readonly CountedStep[], served: ReadonlyMap<number, string | null>): Fidelity {
  const counted = recorded.filter((step) => !step.optional);
  const diverged = counted.filter((step) => served.get(step.seq) !== null).map((step) => step.seq);
  return {
    steps: counted.length,
    diverged,
    fidelity: counted.length === 0 ? 1 : 1 - diverged.length / counted.length,
  };
}
