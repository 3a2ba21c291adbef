/**
 * The error for a trace that cannot be read as one.
 *
 * @module
 */

/** What is wrong: the text itself, or a version that this agrepl is too old for. */
export type TraceFormatCode = "damaged" | "newer_version";

/** Where in which trace the problem stands. */
export interface LinePlace {
  /** The file's path, or another name that the user knows the trace by. */
  readonly path: string;
  /** 1 is the first line. */
  readonly line: number;
  /** Of the line's first byte, from the start of the file. */
  readonly offset: number;
}

/**
 * A trace that is damaged, or newer than this agrepl.
 *
 * @example Say where a trace is damaged
 * ```ts
 * import { parseLine, TraceFormatError } from "@agrepl/core";
 * import { throws } from "node:assert/strict";
 *
 * throws(
 *   () => parseLine('{"kind":"st', { path: "a.ndjson", line: 3, offset: 812 }),
 *   (error) => error instanceof TraceFormatError && error.code === "damaged" && error.line === 3,
 * );
 * ```
 */
export class TraceFormatError extends Error {
  /** The class's name. */
  override readonly name = "TraceFormatError";
  /** What kind of problem it is. */
  readonly code: TraceFormatCode;
  /** The file's path, or another name of the trace. */
  readonly path: string;
  /** 1 is the first line. */
  readonly line: number;
  /** In bytes, of the line's start. */
  readonly offset: number;

  /**
   * Words the problem.
   *
   * @param place Where the line stands.
   * @param problem "<what is>, <what was expected>".
   * @param code What kind of problem it is.
   */
  constructor(place: LinePlace, problem: string, code: TraceFormatCode = "damaged") {
    super(`Cannot read trace "${place.path}", line ${place.line}: ${problem}`);
    this.code = code;
    this.path = place.path;
    this.line = place.line;
    this.offset = place.offset;
  }
}
