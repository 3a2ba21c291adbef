/** What is made of repeated measurements: medians, quantiles, spreads. */

/** What several rounds of one measurement came to. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** How many rounds there were. */
  readonly rounds: number;
}

/**
 * Reads a quantile off measurements, the nearest rank.
 *
 * @param values In any order, at least one.
 * @param share 0 for the smallest, 0.5 for the median, 1 for the largest.
 * @returns The value at that rank.
 * @throws {RangeError} when there is no value.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  if (value === undefined) throw new RangeError("Cannot take a quantile: there are 0 values, expected 1 or more");
  return value;
}

/**
 * Sums rounds up.
 *
 * @param values One per round, at least one.
 * @returns Their median (of an even number: the mean of the two in the middle) and their ends.
 * @throws {RangeError} when there is no round.
 */
export function spreadOf(values: readonly number[]): Spread {
  const upper = quantile(values, 0.5);
  const lower = values.length % 2 === 1 ? upper : quantile(values, 0.5 - 1 / values.length);
  return { median: (lower + upper) / 2, min: quantile(values, 0), max: quantile(values, 1), rounds: values.length };
}

/**
 * Combines two series round by round, so that what slowed one round down weighs on both sides of it.
 *
 * @param ours One value per round.
 * @param beside As many values, from the same rounds.
 * @param combine Makes one of two.
 * @returns One value per round.
 * @throws {RangeError} when the series are not equally long.
 */
export function pairwise(
  ours: readonly number[],
  beside: readonly number[],
  combine: (ours: number, beside: number) => number,
): number[] {
  if (ours.length !== beside.length) {
    throw new RangeError(`Cannot pair rounds: there are ${ours.length} and ${beside.length}, expected equally many`);
  }
  return ours.map((value, round) => combine(value, beside[round] ?? NaN));
}
