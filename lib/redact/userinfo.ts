/**
 * Passwords, and user names that may be secrets, in `scheme://user:password@host`.
 *
 * @module
 */
import { isPlaceholder } from "./placeholder.ts";
import { type Found, type Span, toSpan, type Window } from "./span.ts";
import { isRandomLooking, minRandomLength } from "./value.ts";

const maxUserinfo = 2048;
/** Printable ASCII (RFC 3986 3.2.1): anything else is binary data in which `://` stands by chance. */
const userinfo = /[!$%&()*+,.0-9:;=A-Z[\]^_a-z{|}~-]*/y;
const schemeBefore = /[A-Za-z][A-Za-z0-9+.-]{1,31}$/;
const maxScheme = 32;

/**
 * Reads the user information behind `://`.
 *
 * @param window The text.
 * @param colon Where the scheme ends.
 * @param start Where the user information would begin.
 * @returns Its secrets.
 */
export function readUserinfo(window: Window, colon: number, start: number): Found {
  if (!schemeBefore.test(window.text.slice(Math.max(window.floor, colon - maxScheme), colon))) return null;
  const text = window.text.length > start + maxUserinfo ? window.text.slice(0, start + maxUserinfo) : window.text;
  userinfo.lastIndex = start;
  userinfo.test(text);
  const end = userinfo.lastIndex;
  if (end === window.text.length && !window.final && end - start < maxUserinfo) return "pending";
  if (window.text[end] !== "@" || end - start >= maxUserinfo) return null;
  return toSpans(start, window.text.slice(start, end));
}

/**
 * Reads the user information of an authority that stands by itself: `user:password@host`.
 *
 * @param value A header's value.
 * @returns Its secrets, or `null` where it has none.
 */
export function readAuthority(value: string): Span[] | null {
  const at = value.lastIndexOf("@");
  return at <= 0 ? null : toSpans(0, value.slice(0, at));
}

/** What was redacted within was not user information when it was: a known value ended where this now ends. */
function holdsPlaceholder({ kind, plain }: Span): boolean {
  return kind === "secret" && /redacted-\d/.test(plain);
}

function toSpans(start: number, raw: string): Span[] | null {
  const colon = raw.indexOf(":");
  if (colon < 0) return isRandomLooking(raw) || isPlaceholder(raw) ? [toSpan(start, raw, raw)] : null;
  const user = raw.slice(0, colon);
  const password = raw.slice(colon + 1);
  // a long user name goes too: a known secret might hide in it, and the search goes on behind the password
  const spans = user.length < minRandomLength && !isPlaceholder(user) ? [] : [toSpan(start, user, user)];
  if (password !== "") spans.push(toSpan(start + colon + 1, password, password));
  return spans.some(holdsPlaceholder) ? null : spans;
}
