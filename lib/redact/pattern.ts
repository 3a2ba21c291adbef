/**
 * A user's pattern, made to be matched against bytes.
 *
 * @module
 */
import { Buffer } from "node:buffer";

/**
 * Translates a pattern so that it matches UTF-8 read as one character per byte.
 *
 * @param pattern Any regular expression; non-ASCII letters must stand outside of character classes.
 * @returns The same, global, its non-ASCII letters spelled as their bytes.
 * @throws {TypeError} when the pattern cannot be translated.
 */
export function toLatin1Pattern(pattern: RegExp): RegExp {
  const source = Buffer.from(pattern.source, "utf8").toString("latin1");
  try {
    return new RegExp(source, pattern.flags.replace(/[dgy]/g, "") + "g");
  } catch (cause) {
    throw new TypeError(
      `Cannot use pattern "${pattern.source}": it does not match bytes, write its letters as \\u escapes`,
      {
        cause,
      },
    );
  }
}
