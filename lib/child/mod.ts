/**
 * The command under record or replay: its variables, its certificates, its sandbox, its signals, its end.
 *
 * Takes a command; gives its exit code. Never touches its streams, never touches the system's trust. Invariant: what the
 * run made for the child is gone when the run is.
 *
 * @module
 */
export * from "./child.ts";
export * from "./deno_command.ts";
export * from "./environment.ts";
export * from "./program_of.ts";
export * from "./runtimes.ts";
export * from "./sandbox.ts";
export * from "./sandbox_refusal.ts";
export * from "./trust_files.ts";
