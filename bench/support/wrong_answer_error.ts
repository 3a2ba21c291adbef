/** The one thing that fails a benchmark: time never does. */

/** What was measured did not do its work, so its time says nothing. */
export class WrongAnswerError extends Error {
  override readonly name = "WrongAnswerError";

  /**
   * @param what What was asked of it.
   * @param found What came instead.
   */
  constructor(what: string, found: string) {
    super(`Cannot measure ${what}: ${found}`);
  }
}
