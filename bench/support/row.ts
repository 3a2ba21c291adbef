/** The figures of a benchmark: each is a ratio or a difference of what ran side by side, or a value. */

import { pairwise, type Spread, spreadOf } from "./statistics.ts";

/** What a figure is to reach. */
export type Goal = { readonly atMost: number } | { readonly atLeast: number };

/** One figure, and the absolute measurements it was made of. */
export interface Row {
  readonly name: string;
  /** What is held against the goal. */
  readonly figure: Spread;
  /** `×` for ratios. */
  readonly figureUnit: string;
  readonly goal: Goal | null;
  /** The unit of `ours` and `beside`. */
  readonly unit: string;
  /** `null` where the figure is the measurement itself. */
  readonly ours: Spread | null;
  readonly beside: { readonly name: string; readonly spread: Spread } | null;
}

/** Two series of the same rounds. */
export interface Pair {
  readonly unit: string;
  /** One value per round. */
  readonly ours: readonly number[];
  readonly besideName: string;
  /** One value per round. */
  readonly beside: readonly number[];
  readonly goal?: Goal;
}

/**
 * Makes a row of a measurement that stands for itself.
 *
 * @param name What was measured.
 * @param values One per round.
 * @param how Unit and goal.
 * @returns The row.
 */
export function valueRow(
  name: string,
  values: readonly number[],
  how: { readonly unit: string; readonly goal?: Goal },
): Row {
  const { unit, goal = null } = how;
  return { name, figure: spreadOf(values), figureUnit: unit, goal, unit, ours: null, beside: null };
}

/**
 * Makes a row of the quotient of two series.
 *
 * @param name What was measured.
 * @param pair Ours and what it is divided by.
 * @returns The row; its figure is the median of the rounds' own ratios.
 */
export function ratioRow(name: string, pair: Pair): Row {
  return pairRow(name, pair, { unit: "×", combine: (ours, beside) => ours / beside });
}

/**
 * Makes a row of what ours takes beyond another series.
 *
 * @param name What was measured.
 * @param pair Ours and what is taken off it.
 * @returns The row; its figure is the median of the rounds' own differences.
 */
export function addedRow(name: string, pair: Pair): Row {
  return pairRow(name, pair, { unit: pair.unit, combine: (ours, beside) => ours - beside });
}

function pairRow(
  name: string,
  { unit, ours, beside, besideName, goal }: Pair,
  figure: { readonly unit: string; readonly combine: (ours: number, beside: number) => number },
): Row {
  return {
    name,
    figure: spreadOf(pairwise(ours, beside, figure.combine)),
    figureUnit: figure.unit,
    goal: goal ?? null,
    unit,
    ours: spreadOf(ours),
    beside: { name: besideName, spread: spreadOf(beside) },
  };
}

/**
 * Holds a row against its goal.
 *
 * @param row Any row.
 * @returns Whether the median reaches the goal; `null` when there is none.
 */
export function isReached({ goal, figure: { median } }: Row): boolean | null {
  if (goal === null) return null;
  return "atMost" in goal ? median <= goal.atMost : median >= goal.atLeast;
}
