/**
 * The error for a function that did not ask what its cassette holds, or not all of it.
 *
 * @module
 */
import { counted, shortened } from "./_error_lines.ts";

/** A request that no recorded step matched. */
export interface ReplayMiss {
  /** Of the request. */
  readonly method: string;
  /** Of the request, absolute; secrets in it are replaced. */
  readonly url: string;
  /** Why no step matched, in one sentence. */
  readonly reason: string;
  /** The same over several lines: the nearest step, what differs, and what would make it match. */
  readonly explanation: string;
}

/** A recorded step that was never asked for. */
export interface UnusedStep {
  /** Its number in the cassette. */
  readonly seq: number;
  /** Of its request. */
  readonly method: string;
  /** Of its request, absolute. */
  readonly url: string;
}

/** A step that was answered otherwise than it was recorded. */
export interface StepDifference {
  /** Its number in the cassette. */
  readonly seq: number;
  /** What differed, as a noun phrase. */
  readonly what: string;
}

/** How a replay diverged; every text in it is safe to print. */
export interface Divergence {
  readonly path: string;
  readonly misses: readonly ReplayMiss[];
  readonly unused: readonly UnusedStep[];
  readonly differences: readonly StepDifference[];
  /** Requests that were not answered to their end when the function ended. */
  readonly running: readonly string[];
  /** What the function threw; `null` when it ended well. */
  readonly thrown: string | null;
}

/**
 * A replay that diverged: a request found no recorded step, or a recorded step no request.
 *
 * @example A tool is asked for something that was not recorded
 * ```ts
 * import { ReplayDivergenceError, withReplay } from "@agrepl/core";
 * import { deepEqual, ok } from "node:assert/strict";
 *
 * Deno.env.delete("CI"); // where it is set nothing is recorded
 * const path = `${Deno.makeTempDirSync()}/dice.ndjson`;
 * const roll = (mode: "record" | "replay", sides: number) =>
 *   withReplay({ path, mode }, (t) => t.tool("dice", { sides }, () => sides));
 *
 * await roll("record", 6);
 * const error = await roll("replay", 20).catch((error) => error);
 * ok(error instanceof ReplayDivergenceError);
 * deepEqual([error.misses.length, error.unused.length], [1, 1]);
 * ```
 */
export class ReplayDivergenceError extends Error {
  /** The class, for whoever prints it. */
  override readonly name = "ReplayDivergenceError";
  /** Stable: `replay_diverged`. */
  readonly code = "replay_diverged";
  /** The cassette's file. */
  readonly path: string;
  /** One per distinct request that no recorded step matched. */
  readonly misses: readonly ReplayMiss[];
  /** Recorded steps that nobody asked for, unless that was allowed. */
  readonly unused: readonly UnusedStep[];
  /** Steps that were answered otherwise than recorded. */
  readonly differences: readonly StepDifference[];

  /**
   * Explains each miss and lists what was left over.
   *
   * @param divergence How the replay diverged.
   * @param options What the function itself threw, as `cause`.
   */
  constructor(divergence: Divergence, options?: ErrorOptions) {
    super(messageOf(divergence), options);
    this.path = divergence.path;
    this.misses = divergence.misses;
    this.unused = divergence.unused;
    this.differences = divergence.differences;
  }
}

function messageOf({ path, misses, unused, differences, running, thrown }: Divergence): string {
  const counts = [
    ...(misses.length > 0 ? [counted(misses.length, "miss", "misses")] : []),
    ...(unused.length > 0 ? [`${counted(unused.length, "step")} never asked for`] : []),
    ...(differences.length > 0 ? [`${counted(differences.length, "step")} answered otherwise`] : []),
  ];
  return [
    `Cannot replay "${path}": ${counts.join(", ")}. If this change is meant, record it anew with AGREPL_MODE=record`,
    ...misses.map((miss) => miss.explanation),
    ...shortened(unused.map(({ seq, method, url }) => `unused step ${seq}: ${method} ${url}`)),
    ...shortened(differences.map(({ seq, what }) => `step ${seq} differs: ${what}`)),
    ...shortened(running.map((request) => `still running: ${request}`)),
    ...(thrown === null ? [] : [`the function threw: ${thrown}`]),
  ].join("\n");
}
