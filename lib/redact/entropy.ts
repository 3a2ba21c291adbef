/**
 * What looks like a secret although no rule knows it: a random token behind a name that speaks of one.
 *
 * @module
 */

/** A token in a text, by its offsets. */
export interface Token {
  readonly start: number;
  readonly end: number;
}

const token = /(?<![\w+/.%-])[\w+/-]{24,160}={0,2}(?![\w+/=%-])/g;
/** Bits per character; 32 random characters of base64 have 4.5 or more, a slug of words has 4. */
const minBits = 4.1;
const nameBehind = 96;
const nameBefore =
  /([\w.-]{1,64})(?:\\{0,7}["']|\]|%5D)?\s*(?:[:=]|%3D)\s*(?:\\{0,7}["'])?(?:bearer |basic |token )?$/i;
const secretWord = /key|token|secret|auth|credential|passw|passphrase|pwd|session|private|bearer|cookie/i;
/** Names that hold such a word and no secret; what models sign and encrypt belongs to their answers. */
const plainName =
  /page|cursor|next|sync|continuation|idempoten|public|tokens|tokeniz|author(?!iz)|keyword|websocket|primary|foreign|cache|partition|sort|id$|count$|name$|type$|hash$|tag$|ref$|signature|fingerprint|nonce|monkey|turkey|keyboard/i;

/**
 * Finds random-looking tokens.
 *
 * @param text Already redacted: what the rules know is gone.
 * @param anyName True where every random token is one too many: a request's own headers, a command line.
 * @returns From left to right.
 */
export function randomTokens(text: string, anyName: boolean): Token[] {
  const found: Token[] = [];
  for (const { 0: hit, index } of text.matchAll(token)) {
    if (!isMixed(hit) || entropyBits(hit) < minBits) continue;
    const name = nameBefore.exec(text.slice(Math.max(0, index - nameBehind), index))?.[1] ?? "";
    if (plainName.test(name)) continue;
    if (anyName || secretWord.test(name)) found.push({ start: index, end: index + hit.length });
  }
  return found;
}

/** Both cases and several digits; hexadecimal digests and UUIDs name things, they do not open them. */
function isMixed(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && (text.match(/\d/g)?.length ?? 0) >= 2;
}

/**
 * Measures how random a text looks.
 *
 * @param text Any text.
 * @returns Shannon's entropy of its characters, in bits per character.
 */
export function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
