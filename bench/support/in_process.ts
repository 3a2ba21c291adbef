/** What the in-process program prints. */

/** The library's own times, in one fresh process. */
export interface InProcessResult {
  /** Importing `mod.ts`. */
  readonly importMs: number;
  /** The first call of a process, over a cassette of one step: it loads the engine. */
  readonly firstMs: number;
  /** Reading a cassette of 1,000 steps and making it ready for lookups. */
  readonly openMs: number;
  /** From a later call of `withReplay` to its function, over the same. */
  readonly callMs: number;
  /** One replayed `fetch`, its text read. */
  readonly fetchP50Us: number;
  /** One replayed request of `node:http`, its text read. */
  readonly nodeP50Us: number;
}
