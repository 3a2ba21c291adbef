/**
 * What stands in the place of a secret: its form, and how it is known again.
 *
 * @module
 */
import { maxSecretLength } from "./value.ts";

/** What K(s) hashes in the place of any secret. */
export const redactedConstant = "[redacted]";

/** The start of a placeholder, as the source of a regular expression; brackets may come percent-encoded. */
export const placeholderStart = "(?:\\[|%5[Bb])redacted-\\d";

/** From this length on a placeholder is known again without its context. */
export const shortestPlaceholder = "[redacted-0]".length;

const stars = `(?:\\*|%2[Aa]){0,${maxSecretLength}}`;
const plain = `\\[redacted-\\d{1,9}${stars}\\]`;
const encoded = `%5[Bb]redacted-\\d{1,9}${stars}%5[Dd]`;

/** A placeholder, as the source of a regular expression. */
export const placeholderSource = `(?:${plain}|${encoded})`;

const complete = new RegExp(placeholderSource, "y");
const cutOff = new RegExp(`${placeholderStart}\\d{0,8}${stars}(?:%[25]?)?$`, "y");
const whole = new RegExp(`^(?:${placeholderSource}|\\[redacted\\]|\\*+)$`);
/** `%5Bredacted-123456789` and more fits: what is cut off before is not yet known to be none. */
const headLength = 32;

/**
 * Makes the text that replaces a secret.
 *
 * @param length Bytes of the secret.
 * @param ordinal From 1, by first appearance.
 * @returns Exactly `length` characters of ASCII; `[redacted-0]` where the ordinal's digits do not fit, stars where nothing fits.
 */
export function formatPlaceholder(length: number, ordinal: number): string {
  if (length < shortestPlaceholder) return "*".repeat(length);
  const open = `[redacted-${ordinal}`;
  const head = open.length < length ? open : "[redacted-0";
  return head + "*".repeat(length - head.length - 1) + "]";
}

/**
 * Tells whether a value is a placeholder and nothing else.
 *
 * @param value The value of a place known to hold a secret, where stars alone, and the constant, are one too.
 * @returns True when it needs no replacing.
 */
export function isPlaceholder(value: string): boolean {
  return whole.test(value);
}

/**
 * Reads a placeholder at a place in a text.
 *
 * @param window What has arrived so far, and whether that is all.
 * @param at Where the placeholder would begin.
 * @returns Where it ends, `null` when there is none, `"pending"` when that cannot be told yet.
 */
export function readPlaceholder(
  { text, final }: { readonly text: string; readonly final: boolean },
  at: number,
): number | null | "pending" {
  complete.lastIndex = at;
  if (complete.test(text)) return complete.lastIndex;
  if (final) return null;
  cutOff.lastIndex = at;
  return text.length - at < headLength || cutOff.test(text) ? "pending" : null;
}
