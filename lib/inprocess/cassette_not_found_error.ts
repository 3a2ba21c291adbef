/**
 * The error for a cassette that is not there and may not be recorded.
 *
 * @module
 */

/**
 * There is no cassette to replay, and none may be recorded here.
 *
 * @example A replay of nothing
 * ```ts
 * import { CassetteNotFoundError, withReplay } from "@agrepl/core";
 * import { rejects } from "node:assert/strict";
 *
 * const path = `${Deno.makeTempDirSync()}/none.ndjson`;
 * await rejects(withReplay({ path, mode: "replay" }, () => {}), CassetteNotFoundError);
 * ```
 */
export class CassetteNotFoundError extends Error {
  /** The class, for whoever prints it. */
  override readonly name = "CassetteNotFoundError";
  /** Stable: `cassette_not_found`. */
  readonly code = "cassette_not_found";
  /** The cassette's file. */
  readonly path: string;

  /**
   * Says how a cassette comes into being.
   *
   * @param path The cassette's file.
   * @param problem What is wrong with it.
   * @param barrier Why it was not recorded now.
   */
  constructor(path: string, problem: string, barrier: string) {
    super(
      `Cannot replay "${path}": ${problem}, and it was not recorded because ${barrier}. ` +
        "Record it where the network can be reached with: AGREPL_MODE=record deno test -A",
    );
    this.path = path;
  }
}
