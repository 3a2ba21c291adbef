import { isFileError, reasonAndPath } from "./_system_error.ts";

/** What agrepl itself says with its exit code; a child's own code goes first. */
export const exitCode = {
  same: 0,
  findings: 1,
  usage: 2,
  diverged: 3,
  network: 4,
  badTrace: 5,
  bug: 70,
} as const;

/** A failure as the user meets it. */
export interface Failure {
  readonly message: string;
  readonly code: number;
}

/** What a user can meet, by the names of the classes: to import them here would load every room for `--help`. */
const expected: ReadonlyMap<string, number> = new Map([
  ["UsageError", exitCode.usage],
  ["ConfigError", exitCode.usage],
  ["TraceFormatError", exitCode.badTrace],
  ["TraceNotFoundError", exitCode.badTrace],
  ["UnreadableTraceError", exitCode.badTrace],
  ["UpstreamError", exitCode.network],
]);

/** Turns an error into one sentence and an exit code. Only a bug of ours shows a stack trace. */
export function explainFailure(error: unknown): Failure {
  if (error instanceof Error && "exitCode" in error && typeof error.exitCode === "number") {
    return { message: error.message, code: error.exitCode }; // a CommandError
  }
  const code = error instanceof Error ? expected.get(error.name) : undefined;
  if (error instanceof Error && code !== undefined) return { message: error.message, code };
  if (isFileError(error)) {
    return { message: `Cannot read or write a file: ${reasonAndPath(error)}`, code: exitCode.badTrace };
  }
  if (error instanceof Deno.errors.NotCapable) {
    return { message: `Cannot go on without a permission: ${error.message}`, code: exitCode.usage };
  }
  const stack = error instanceof Error ? error.stack ?? error.message : String(error);
  return {
    message: `This is a bug in agrepl. Please report it with what stands below.\n${stack}`,
    code: exitCode.bug,
  };
}
