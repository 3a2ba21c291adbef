/**
 * JSON members with a key-like name, at any depth of JSON inside JSON strings.
 *
 * @module
 */
import { maxNameLength, secretWhen } from "./names.ts";
import { splitScheme } from "./scheme.ts";
import { type Found, toSpan, type Window } from "./span.ts";
import { isRandomLooking, maxSecretLength } from "./value.ts";

const nameBefore = /["]([\w.\-]+)$/;
const valueOpen = /(\\{0,15})"[ \t\r\n]{0,32}:[ \t\r\n]{0,32}(\\{0,15})"/y;
const objectOpen = /\\{0,15}"[ \t\r\n]{0,32}:[ \t\r\n]{0,32}\{/y;
/** How an object begins that stands for its value: OpenAI's `"client_secret": {"value": "ek_…", "expires_at": …}`. */
const innerName = /[ \t\r\n]{0,32}\\{0,15}"value/y;
/** An {@link innerName} and what opens its value are no longer than this. */
const innerReach = 160;
const delimiter = /["\r\n]/g;

/**
 * Reads the member whose name ends at a place.
 *
 * @param window The text; 128 characters behind `nameEnd` have arrived, or it is final.
 * @param nameEnd Where the name's last word ends.
 * @returns The secret that the member holds.
 */
export function readMember(window: Window, nameEnd: number): Found {
  const behind = window.text.slice(Math.max(window.floor, nameEnd - maxNameLength - 1), nameEnd);
  const name = nameBefore.exec(behind)?.[1];
  const when = name === undefined ? null : secretWhen(name, "json");
  if (name === undefined || when === null) return null;
  const open = readOpen(window, nameEnd);
  if (open === null || open === "pending") return open;
  const { start, depth } = open;
  const end = readValueEnd(window, start, depth);
  if (end === null || end === start) return null;
  if (end === "pending") return end;
  return judge(window.text.slice(start, end), { start, depth, name, random: when === "random" });
}

/** Where a value begins, and how many backslashes stand before its quotes. */
interface Open {
  readonly start: number;
  readonly depth: number;
}

function readOpen(window: Window, nameEnd: number): Open | null | "pending" {
  const { text, final } = window;
  const open = openAt(text, nameEnd);
  objectOpen.lastIndex = nameEnd;
  if (open !== null || !objectOpen.test(text)) return open;
  innerName.lastIndex = objectOpen.lastIndex;
  if (!final && text.length < innerName.lastIndex + innerReach) return "pending";
  return innerName.test(text) ? openAt(text, innerName.lastIndex) : null;
}

function openAt(text: string, nameEnd: number): Open | null {
  valueOpen.lastIndex = nameEnd;
  const open = valueOpen.exec(text);
  if (open === null || open[1] !== open[2]) return null;
  return { start: valueOpen.lastIndex, depth: open[1]?.length ?? 0 };
}

interface Value {
  readonly start: number;
  readonly depth: number;
  readonly name: string;
  readonly random: boolean;
}

function judge(raw: string, value: Value): Found {
  const plain = unescape(raw, value.depth);
  if (value.random) {
    return isRandomLooking(plain) ? [toSpan(value.start, raw, plain)] : null;
  }
  const kept = /authorization$/i.test(value.name) ? splitScheme(raw) : 0;
  if (kept === raw.length) return null;
  return [toSpan(value.start + kept, raw.slice(kept), kept === 0 ? plain : unescape(raw.slice(kept), value.depth))];
}

/**
 * Finds the quote that closes a value: it has as many backslashes before it as the one that opened it,
 * or fewer when the text around was cut off; each escaped backslash of the value adds twice as many and two.
 */
function readValueEnd(window: Window, start: number, depth: number): number | null | "pending" {
  const { text } = window;
  let at = start;
  while (at - start <= maxSecretLength) {
    delimiter.lastIndex = at;
    const hit = delimiter.exec(text);
    const stop = hit?.index ?? text.length;
    if (stop - start > maxSecretLength + depth) return null;
    if (hit === null) return window.final ? stop : "pending";
    if (hit[0] !== '"') return stop;
    const slashes = countSlashes(text, start, stop);
    if (slashes < depth) return stop - slashes;
    if ((slashes - depth) % (2 * (depth + 1)) === 0) return stop - depth;
    at = stop + 1;
  }
  return null;
}

function countSlashes(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && text[at - 1] === "\\") at--;
  return end - at;
}

/** Undoes the JSON escapes of a value, once for each JSON text it lies in. */
function unescape(raw: string, depth: number): string {
  if (!raw.includes("\\")) return raw;
  let value = raw;
  for (let levels = Math.log2(depth + 1); levels >= 0; levels--) {
    try {
      value = String(JSON.parse(`"${value}"`));
    } catch {
      return raw; // SyntaxError: the escapes are not JSON's, so the value stands for itself
    }
  }
  return value;
}
