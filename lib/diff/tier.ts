/**
 * What a difference weighs.
 *
 * @module
 */

/**
 * The tiers of the taxonomy (paper V-B): `signal` carries meaning and is always shown; `noise` differs on every request
 * and says nothing; `removed` is a header that only one run has; `equal` is a field that is always named, and is the same.
 */
export type Tier = "signal" | "noise" | "removed" | "equal";

/** Which of two messages a difference is in, or `run` for what is in neither. */
export type DeltaPart = "request" | "response" | "run";

/** One field with its two values, and what their difference weighs. */
export interface Delta {
  readonly part: DeltaPart;
  /**
   * `status`, `header x-cache`, `header set-cookie/NID`, `trailer grpc-status`, `query q`, `body`, `body #/json/pointer`,
   * `body line 3`, `body word 3`, `body streamed choices/0/delta/content`, `body event 2 #/data`, `server message 0 #/x`,
   * `end`, `error`, `protocol`, `upgrade`, `type`, `exit code`.
   */
  readonly field: string;
  /** In the first run; `null` where it has none. Long values are cut around the change. */
  readonly a: string | null;
  /** In the second run. */
  readonly b: string | null;
  readonly tier: Tier;
  /** Why it is of that tier, as a sentence without its period. */
  readonly why: string;
  /** The same members in another order; the values are their places. */
  readonly moved?: boolean;
}

/** A tier and the reason for it. */
export interface Verdict {
  readonly tier: "signal" | "noise" | "removed";
  readonly why: string;
}

/** How many characters of a value are kept: a difference is for reading, the trace has the rest. */
export const keptCharacters = 4096;
