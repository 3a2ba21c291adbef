/**
 * Parts of multipart/form-data with a key-like name (RFC 7578).
 *
 * @module
 */
import { maxNameLength, secretWhen } from "./names.ts";
import { type Found, toSpan, type Window } from "./span.ts";
import { isRandomLooking, maxSecretLength } from "./value.ts";

const maxHead = 512;
const nameBefore = /[ ;]name="([\w.\-[\]]+)$/i;
const headEnd = /"[^\r\n]*\r?\n(?:[\w-]+:[^\r\n]*\r?\n)*\r?\n/y;

/**
 * Reads the part whose name ends at a place.
 *
 * @param window The text.
 * @param nameEnd Where the name's last word ends.
 * @param boundary The boundary that the content type names.
 * @returns The secret that the part holds.
 */
export function readPart(window: Window, nameEnd: number, boundary: string): Found {
  const name = nameBefore.exec(window.text.slice(Math.max(window.floor, nameEnd - maxNameLength - 7), nameEnd))?.[1];
  const when = name === undefined ? null : secretWhen(name, "form");
  if (when === null) return null;
  const isWhole = window.final || window.text.length - nameEnd >= maxHead + maxSecretLength + boundary.length + 8;
  const text = window.text.slice(0, nameEnd + maxHead);
  headEnd.lastIndex = nameEnd;
  if (!headEnd.test(text)) return text.length === nameEnd + maxHead || isWhole ? null : "pending";
  const start = headEnd.lastIndex;
  const end = readPartEnd(window.text, start, boundary);
  if (end === null) return isWhole ? cutOff(window, start) : "pending";
  const raw = window.text.slice(start, end);
  if (raw === "" || raw.length > maxSecretLength || (when === "random" && !isRandomLooking(raw))) return null;
  return [toSpan(start, raw, raw)];
}

function readPartEnd(text: string, start: number, boundary: string): number | null {
  const near = text.slice(start, start + maxSecretLength + boundary.length + 8);
  const end = near.indexOf(`\n--${boundary}`);
  if (end < 0) return null;
  return start + (near[end - 1] === "\r" ? end - 1 : end);
}

/** A body that ends within the part: what has arrived of the value is a secret too. */
function cutOff(window: Window, start: number): Found {
  const raw = window.text.slice(start);
  return window.final && raw !== "" && raw.length <= maxSecretLength ? [toSpan(start, raw, raw)] : null;
}
