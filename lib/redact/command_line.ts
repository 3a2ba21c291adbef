/**
 * Secrets among the words of a command line.
 *
 * @module
 */
import type { Redactor } from "./redactor.ts";

/** Options whose value is `name:password`: those of curl, wget and their like. */
const userOptions: ReadonlySet<string> = new Set(["-u", "--user", "-U", "--proxy-user"]);

/**
 * Redacts a command as it is stored: what a rule finds inside a word, the word behind an option with a key-like name
 * (`--api-key VALUE`), and the password of `--user name:password`.
 *
 * @param redactor Learns the values it meets.
 * @param words The command and its arguments.
 * @returns As many words, each as long in bytes.
 *
 * @example A token on the command line
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { Redactor } from "./redactor.ts";
 *
 * const words = redactCommand(new Redactor(), ["tool", "--api-key", "tok-A1b2C3d4E5f6G7h8"]);
 * equal(words[2], "[redacted-1********]");
 * ```
 */
export function redactCommand(redactor: Redactor, words: readonly string[]): string[] {
  return words.map((word, at) => {
    const option = words[at - 1] ?? "";
    const colon = word.indexOf(":") + 1;
    if (userOptions.has(option) && colon > 0) {
      return word.slice(0, colon) + redactBehind(redactor, "password=", word.slice(colon));
    }
    return /^--?[A-Za-z]/.test(option) ? redactBehind(redactor, `${option} `, word) : redactor.text(word).stored;
  });
}

/** Redacts a word as if it stood behind a name in one text: placeholders are as long as what they replace. */
function redactBehind(redactor: Redactor, name: string, word: string): string {
  const quote = word.includes("'") ? '"' : "'";
  const stored = redactor.text(`${name}${quote}${word}${quote}`).stored;
  return stored.slice(name.length + 1, -1);
}
