/**
 * The error for a cassette that two use at once.
 *
 * @module
 */

/** Somebody else uses the cassette, and one of the two records: nothing was written. */
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
