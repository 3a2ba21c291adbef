/**
 * The error for a RUN that means no trace.
 *
 * @module
 */
import type { RunRef } from "./run_ref.ts";

/** A run that is not there, or a text that could mean several. */
export class TraceNotFoundError extends Error {
  override readonly name = "TraceNotFoundError";
  /** What the user wrote. */
  readonly run: string;
  /** The runs that come nearest, nearest first. */
  readonly nearest: readonly RunRef[];

  /**
   * @param run What the user wrote.
   * @param runs The runs that it may have meant.
   * @param problem What is wrong, when it is not plain absence.
   */
  constructor(run: string, runs: readonly RunRef[], problem?: string) {
    const nearest = nearestRuns(run, runs);
    const what = problem ?? (runs.length === 0 ? "this store holds no run yet" : "no run has that id or name");
    super(`Cannot find run "${run}": ${what}${advice(runs, nearest)}`);
    this.run = run;
    this.nearest = nearest;
  }
}

function advice(runs: readonly RunRef[], nearest: readonly RunRef[]): string {
  if (runs.length === 0) return ". Record one with: agrepl record -- COMMAND";
  const names = nearest.map((ref) => ref.name === null ? ref.runId : `${ref.runId} (${ref.name})`);
  return `. The nearest ${names.length === 1 ? "is" : "are"} ${names.join(", ")}`;
}

function nearestRuns(run: string, runs: readonly RunRef[]): RunRef[] {
  const ranked = runs.map((ref) => ({
    ref,
    distance: Math.min(editDistance(run, ref.runId), ref.name === null ? Infinity : editDistance(run, ref.name)),
  }));
  ranked.sort((a, b) => a.distance - b.distance || (a.ref.timestamp < b.ref.timestamp ? 1 : -1));
  return ranked.slice(0, 3).map((each) => each.ref);
}

/** Levenshtein's distance, one row at a time; ids and names are short. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
