/** The world's time: no two requests ever see the same second, so no two answers share a date. */

/**
 * Makes a clock that goes on by a second at least each time it is read.
 *
 * @param wall Gives the time of day in milliseconds; a seeded world passes one that stands still.
 * @returns Reads the clock.
 */
export function createClock(wall: () => number): () => Date {
  let lastMs = Number.NEGATIVE_INFINITY;
  return () => {
    lastMs = Math.max(wall(), lastMs + 1000);
    return new Date(lastMs);
  };
}
