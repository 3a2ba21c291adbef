/** The program that opens traces, as seen from outside. */

/** What it measured. */
export interface OpenTraceResult {
  /** Until the first step could be looked up. */
  readonly openMs: number;
  /** By how much the process's peak exceeded what it held before. */
  readonly growthBytes: number;
  /** From a key to its entry. */
  readonly lookupP50Us: number;
  /** From the entry to the step. */
  readonly readP50Us: number;
}
