/**
 * The error for a cassette that two use at once.
 *
 * @module
 */

/**
 * Somebody else uses the cassette, and one of the two records: nothing was written.
 *
 * @example Two recordings of one cassette at once
 * ```ts
 * import { CassetteInUseError, withReplay } from "@agrepl/core";
 * import { rejects } from "node:assert/strict";
 *
 * Deno.env.delete("CI"); // where it is set nothing is recorded
 * const path = `${Deno.makeTempDirSync()}/dice.ndjson`;
 * const roll = () => withReplay({ path, mode: "record" }, (t) => t.tool("dice", null, () => 4));
 *
 * const first = roll();
 * await rejects(roll(), CassetteInUseError);
 * await first;
 * ```
 */
export class CassetteInUseError extends Error {
  /** The class, for whoever prints it. */
  override readonly name = "CassetteInUseError";
  /** Stable: `cassette_in_use`. */
  readonly code = "cassette_in_use";
  /** The cassette's file. */
  readonly path: string;

  /**
   * Says who is in the way.
   *
   * @param path The cassette's file.
   * @param problem What was found, as a clause.
   */
  constructor(path: string, problem: string) {
    super(`Cannot record "${path}": ${problem}, expected a cassette of its own for each test. Nothing was written`);
    this.path = path;
  }
}
