/**
 * What a value looks like: random, worth knowing by heart, or neither.
 *
 * @module
 */

/** Longer values are left alone: no credential is that long, and the look-behind has an end. */
export const maxSecretLength = 8192;

/** Shorter values are never searched for: they would be found where they are no secrets. */
export const minRandomLength = 16;
const minDistinct = 6;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/**
 * Tells a random-looking string from a word, a mode, a date or a sentence.
 *
 * @param value Decoded; brackets and stars never count, so that no placeholder looks random.
 * @returns True for 16 characters or more of base64 or URL alphabet, letters and digits among them.
 */
export function isRandomLooking(value: string): boolean {
  return value.length >= minRandomLength && /^[\w\-.+/=~:%]+$/.test(value) && isMixed(value);
}

/**
 * Decides whether a secret may be searched for everywhere without hitting what is not secret.
 *
 * @param value The secret itself, decoded.
 * @returns True for 16 to 8192 printable ASCII characters without blanks, letters and digits among them, not one repeated.
 */
export function isLearnable(value: string): boolean {
  return value.length >= minRandomLength && value.length <= maxSecretLength && /^[!-~]+$/.test(value) && isMixed(value);
}

function isMixed(value: string): boolean {
  if (!/[A-Za-z]/.test(value) || !/\d/.test(value)) return false;
  if (timestamp.test(value) || value.includes("://")) return false;
  return new Set(value.slice(0, 256)).size >= minDistinct;
}
