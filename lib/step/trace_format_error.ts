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

/** A trace that is damaged, or newer than this agrepl. */
export class TraceFormatError extends Error {
  override readonly name = "TraceFormatError";
  readonly code: TraceFormatCode;
  readonly path: string;
  readonly line: number;
  /** In bytes, of the line's start. */
  readonly offset: number;

  /**
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
