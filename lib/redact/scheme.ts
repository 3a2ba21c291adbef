/**
 * The scheme word of an `authorization` value (RFC 9110, 11.6.2).
 *
 * @module
 */
import { schemeWords } from "./rules.ts";

const scheme = new RegExp(`^(?:${schemeWords.join("|")})(?:[ \\t]+|%20|\\+)`, "i");

/**
 * Finds where the credential begins.
 *
 * @param value The header's value.
 * @returns How many leading characters are scheme and blanks; 0 when no known scheme stands there.
 */
export function splitScheme(value: string): number {
  return scheme.exec(value)?.[0].length ?? 0;
}
