import { CommandError, UsageError } from "../child/mod.ts";
import { UpstreamError } from "../engine/mod.ts";
import { TraceFormatError } from "../step/mod.ts";
import { TraceNotFoundError } from "../store/mod.ts";

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

/** Turns an error into one sentence and an exit code. Only a bug of ours shows a stack trace. */
export function explainFailure(error: unknown): Failure {
  if (error instanceof UsageError) return { message: error.message, code: exitCode.usage };
  if (error instanceof CommandError) return { message: error.message, code: error.exitCode };
  if (error instanceof TraceFormatError) return { message: error.message, code: exitCode.badTrace };
  if (error instanceof TraceNotFoundError) return { message: error.message, code: exitCode.badTrace };
  if (error instanceof UpstreamError) return { message: error.message, code: exitCode.network };
  const stack = error instanceof Error ? error.stack ?? error.message : String(error);
  return {
    message: `This is a bug in agrepl. Please report it with what stands below.\n${stack}`,
    code: exitCode.bug,
  };
}
