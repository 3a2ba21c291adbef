/**
 * Emphasis, kept apart from words: a report is made for a terminal, or for a file.
 *
 * @module
 */

/** Ways to set off a text. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
}

const same = (text: string) => text;

/** No emphasis at all: for files, pipes and `NO_COLOR`. */
export const plainPaint: Paint = { bold: same, dim: same, good: same, bad: same };

/** ANSI colours, for a terminal. */
export const terminalPaint: Paint = {
  bold: (text) => `\x1b[1m${text}\x1b[22m`,
  dim: (text) => `\x1b[2m${text}\x1b[22m`,
  good: (text) => `\x1b[32m${text}\x1b[39m`,
  bad: (text) => `\x1b[31m${text}\x1b[39m`,
};
