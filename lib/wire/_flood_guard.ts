/** How many frames that are work and carry nothing a connection may send at once, and how many a second after that. */
const burst = 1000;
const perSecond = 100;

/**
 * Counts what costs the sender nothing and us something: resets, pings, settings, frames of nothing (RFC 9113 10.5).
 * What it was given in between counts the other way: a client that measures its line sends a ping for each piece of a
 * download (gRPC in Go), and a server may break off each request that it has answered.
 */
export class FloodGuard {
  #left = burst;
  #lastMs: number | null = null;

  /**
   * Counts one.
   *
   * @param nowMs Monotonic milliseconds.
   * @returns False when it was one too many.
   */
  allows(nowMs: number): boolean {
    const sinceMs = nowMs - (this.#lastMs ?? nowMs);
    this.#lastMs = nowMs;
    this.#left = Math.min(burst, this.#left + (sinceMs / 1000) * perSecond) - 1;
    return this.#left >= 0;
  }

  /** Something of use went to the other side. */
  earn(): void {
    this.#left = Math.min(burst, this.#left + 1);
  }
}
