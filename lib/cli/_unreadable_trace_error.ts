import { reasonOf } from "./_system_error.ts";

/** A trace that the system does not let us read. */
export class UnreadableTraceError extends Error {
  override readonly name = "UnreadableTraceError";
  /** What the user wrote, or the file that it stands for. */
  readonly path: string;

  constructor(path: string, cause: Error) {
    super(`Cannot read trace "${path}": ${reasonOf(cause)}`, { cause });
    this.path = path;
  }
}
