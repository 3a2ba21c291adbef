/** What every suite is given, and gives. */

import type { Row } from "./row.ts";

/** What a suite may use. */
export interface SuiteOptions {
  /** A folder of its own, empty, removed when the suite has ended. */
  readonly folder: string;
  readonly seed: number;
  /** How many replays each workload gets. */
  readonly replays: number;
  /** Rounds are multiplied by this. */
  readonly rounds: number;
}

/** One suite. */
export interface Suite {
  /** For `--only`. */
  readonly name: string;
  readonly title: string;
  /** How the figures come about, in a sentence or two. */
  readonly about: string;
  readonly run: (options: SuiteOptions) => Promise<readonly Row[]>;
}

/**
 * Repeats a measurement, one round after the other.
 *
 * @param rounds How often.
 * @param round Measures once.
 * @returns What each round gave.
 */
export async function inRounds<Result>(rounds: number, round: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let index = 0; index < rounds; index++) results.push(await round(index));
  return results;
}
