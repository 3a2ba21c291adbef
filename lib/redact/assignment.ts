/**
 * Secrets in loose text: `API_KEY=…`, `--api-key …`, `Authorization: Bearer …`, `'password': '…'`.
 *
 * @module
 */
import { maxNameLength, secretWhen } from "./names.ts";
import { placeholderSource } from "./placeholder.ts";
import { splitScheme } from "./scheme.ts";
import { type Found, toSpan, type Window } from "./span.ts";
import { isRandomLooking, maxSecretLength } from "./value.ts";

const nameBefore = /(?:^|[^\w.\-])(-{0,2}[\w.\-]+)$/;
const assign = /["']?[ \t]*[:=][ \t]*(["']?)/y;
const flagGap = /[ \t]+(["']?)/y;
const bare = new RegExp(`(?:${placeholderSource}|[^\\s"'&,;)}\\]])*`, "y");
const quoted: Readonly<Record<string, RegExp>> = { '"': /[^"\r\n]*/y, "'": /[^'\r\n]*/y };

/**
 * Reads what is assigned to the name that ends at a place; the whole text is at hand.
 *
 * @param window The text.
 * @param nameEnd Where the name's last word ends.
 * @returns The secret, `null`, or how far no assignment needs to be looked for, since the value is too long.
 */
export function readAssignment(window: Window, nameEnd: number): Found | number {
  const behind = window.text.slice(Math.max(window.floor, nameEnd - maxNameLength), nameEnd);
  const name = nameBefore.exec(behind)?.[1];
  const when = name === undefined ? null : secretWhen(name.replace(/^-+/, ""), "text");
  if (name === undefined || when === null) return null;
  const open = [assign, ...(name.startsWith("-") ? [flagGap] : [])].map((pattern) => matchAt(pattern, window, nameEnd))
    .find((match) => match !== null);
  if (open === undefined || open === null) return null;
  return readValue(window, nameEnd + open[0].length, {
    quote: open[1] ?? "",
    random: when === "random",
    scheme: /authorization$/i.test(name),
  });
}

interface ValueRule {
  readonly quote: string;
  readonly random: boolean;
  /** True when a scheme word may stand before the credential. */
  readonly scheme: boolean;
}

function readValue(window: Window, from: number, rule: ValueRule): Found | number {
  const start = from + (rule.scheme ? splitScheme(window.text.slice(from, from + maxNameLength)) : 0);
  const limit = start + maxSecretLength + 1;
  const raw = matchAt(quoted[rule.quote] ?? bare, { ...window, text: window.text.slice(0, limit) }, start)?.[0] ?? "";
  if (raw.length > maxSecretLength) return limit;
  if (raw === "" || (rule.random && !isRandomLooking(raw))) return null;
  return [toSpan(start, raw, raw)];
}

function matchAt(pattern: RegExp, window: Window, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(window.text);
}
