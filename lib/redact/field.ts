/**
 * `name=value` in queries, forms and links.
 *
 * @module
 */
import { maxNameLength, secretWhen } from "./names.ts";
import type { Place, When } from "./rules.ts";
import { type Found, toSpan, type Window } from "./span.ts";
import { isRandomLooking, maxSecretLength } from "./value.ts";

/** A name behind what may separate fields: `&amp;` ends in `;`, JSON writes `\u0026`, Rails nests in brackets. */
const nameBefore = /(^|[?&;#[]|\\u0026|%5[Bb])([\w.\-]+)$/;
const nameClose = /(?:\]|%5D){0,4}=/iy;
const valuePatterns: Readonly<Record<FieldPlace["place"], RegExp>> = {
  form: /[^&\r\n]*/y,
  url: /[^&#\s"'<>\\]*/y,
  link: /[^&#\s"'<>\\`)]*/y,
};

/** Where a field stands. */
export interface FieldPlace {
  readonly place: Extract<Place, "form" | "url" | "link">;
  readonly host: string;
}

/**
 * Reads the field whose name ends at a place.
 *
 * @param window The text; 128 characters behind `nameEnd` have arrived, or it is final.
 * @param nameEnd Where the name's last word ends.
 * @param where What kind of text it is.
 * @param isStart Tells whether an offset is the very start of the text.
 * @returns The secret, `null`, `"pending"`, or how far no field needs to be looked for, since a value is too long.
 */
export function readField(
  window: Window,
  nameEnd: number,
  where: FieldPlace & { readonly isStart: (at: number) => boolean },
): Found | number {
  const from = Math.max(window.floor, nameEnd - maxNameLength - 6);
  const name = nameBefore.exec(window.text.slice(from, nameEnd));
  if (name === null || (name[1] === "" && !(where.place === "form" && where.isStart(from)))) return null;
  const when = secretWhen(name[2] ?? "", where.place, where.host);
  nameClose.lastIndex = nameEnd;
  if (when === null || !nameClose.test(window.text)) return null;
  return readValue(window, nameClose.lastIndex, { when, pattern: valuePatterns[where.place] });
}

interface ValueRule {
  readonly when: When;
  /** Sticky. */
  readonly pattern: RegExp;
}

function readValue(window: Window, start: number, rule: ValueRule): Found | number {
  const limit = start + maxSecretLength + 1;
  const text = window.text.length > limit ? window.text.slice(0, limit) : window.text;
  rule.pattern.lastIndex = start;
  rule.pattern.test(text);
  const end = rule.pattern.lastIndex;
  if (end - start > maxSecretLength) return end;
  if (end === window.text.length && !window.final) return "pending";
  const raw = window.text.slice(start, end);
  const plain = percentDecode(raw);
  if (raw === "") return []; // settled: no other reading of the name is tried
  if (rule.when === "random" && !isRandomLooking(plain)) return null;
  return [toSpan(start, raw, plain)];
}

function percentDecode(raw: string): string {
  if (!raw.includes("%")) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw; // URIError: not percent-encoding, so the value stands for itself
  }
}
