/**
 * The error for a command line that cannot be carried out as it stands.
 *
 * @module
 */

/** What the user asked for makes no sense, or not together; the message says what would. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
