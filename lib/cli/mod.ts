/**
 * The command line: one file per command.
 *
 * Takes arguments; gives an exit code. Never writes to stdout while a child runs. Invariant: a user's mistake is one
 * sentence and the right exit code, never a stack trace.
 *
 * @module
 */
export { main } from "./main.ts";
