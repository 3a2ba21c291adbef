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
  const start = readHeadEnd(window, nameEnd);
  if (start === null || start === "pending") return start;
  const end = readPartEnd(window, start, boundary);
  if (end === null || end === "pending") return end;
  const raw = window.text.slice(start, end);
  if (raw === "" || raw.length > maxSecretLength || (when === "random" && !isRandomLooking(raw))) return null;
  return [toSpan(start, raw, raw)];
}

/** Where the part's value begins: behind the empty line. */
function readHeadEnd(window: Window, nameEnd: number): number | null | "pending" {
  const text = window.text.slice(0, nameEnd + maxHead);
  headEnd.lastIndex = nameEnd;
  if (headEnd.test(text)) return headEnd.lastIndex;
  return window.final || text.length === nameEnd + maxHead ? null : "pending";
}

/** Where the value ends: before the delimiter, or with a body that was cut off. */
function readPartEnd(window: Window, start: number, boundary: string): number | null | "pending" {
  const limit = start + maxSecretLength + boundary.length + 8;
  const near = window.text.slice(start, limit);
  const end = near.indexOf(`\n--${boundary}`);
  if (end >= 0) return start + (near[end - 1] === "\r" ? end - 1 : end);
  if (window.text.length >= limit) return null;
  return window.final ? window.text.length : "pending";
}
