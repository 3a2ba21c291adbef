/**
 * JSON Web Tokens standing anywhere (RFC 7519).
 *
 * @module
 */
import { readPlaceholder } from "./placeholder.ts";
import type { Found, Window } from "./span.ts";

/** Characters of the header, of the payload, of the signature (an RSA-8192 one has 1366). */
const limits = [4096, 8192, 2048] as const;
const minSignature = 16;
const run = /[\w-]*/y;

/**
 * Reads the token that begins with `eyJ` at a place.
 *
 * @param window The text.
 * @param start Where `eyJ` stands.
 * @returns The token, `null`, `"pending"`, or how far no token needs to be looked for, since the header does not end in one.
 */
export function readJwt(window: Window, start: number): Found | number {
  const header = readRun(window, start, limits[0]);
  if (header === "pending") return header;
  if (!window.text.startsWith(".eyJ", header)) {
    return isCut(window, header + 4) ? "pending" : header;
  }
  const payload = readRun(window, header + 1, limits[1]);
  if (payload === "pending" || isCut(window, payload + 1)) return "pending";
  if (window.text[payload] !== ".") return null;
  const end = readSignature(window, payload + 1);
  if (end === null || end === "pending") return end;
  return [{ start, end, kind: "jwt", plain: window.text.slice(payload + 1, end), learn: false }];
}

function readSignature(window: Window, start: number): number | null | "pending" {
  const next = window.text[start];
  if (next === "[" || next === "%") return readPlaceholder(window, start);
  const end = readRun(window, start, limits[2]);
  if (end === "pending") return end;
  return end - start < minSignature ? null : end;
}

/** The end of a run of token characters; a run longer than the limit ends there, whatever follows. */
function readRun(window: Window, start: number, limit: number): number | "pending" {
  run.lastIndex = start;
  run.test(window.text.length > start + limit ? window.text.slice(0, start + limit) : window.text);
  const end = run.lastIndex;
  return end - start < limit && isCut(window, end + 1) ? "pending" : end;
}

function isCut(window: Window, end: number): boolean {
  return !window.final && end > window.text.length;
}
