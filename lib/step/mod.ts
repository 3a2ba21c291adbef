/**
 * The words every other room speaks: step, body, trace line, and their NDJSON codec.
 *
 * Takes lines of text and bytes; gives typed values and back. Never reads a file, a clock or a network.
 * Invariant: decode(encode(x)) equals x, fields of a newer agrepl included.
 *
 * @module
 */
export * from "./body.ts";
export * from "./step.ts";
export * from "./codec.ts";
export * from "./join.ts";
export * from "./trace_format_error.ts";
export * from "./version.ts";
