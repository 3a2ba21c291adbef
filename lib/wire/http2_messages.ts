/**
 * HTTP's messages as HTTP/2 writes them: pseudo-header fields, names in lower case (RFC 9113 8).
 *
 * @module
 */
import type { Header } from "../step/mod.ts";

/** The head of a request. */
export interface Http2RequestHead {
  readonly method: string;
  readonly scheme: string;
  /** Path and query, or `*`. */
  readonly path: string;
  /** `null` when the request names none. */
  readonly authority: string | null;
  /** How long the body says it is, in bytes; `null` when it says nothing. */
  readonly bodyBytes: number | null;
  /** Without pseudo-header fields, in wire order. */
  readonly headers: readonly Header[];
}

/** The head of a response, or an interim one. */
export interface Http2ResponseHead {
  readonly status: number;
  readonly headers: readonly Header[];
}

/** What makes a message malformed, as a noun phrase (RFC 9113 8.1.1). */
export interface Malformed {
  readonly malformed: string;
}

/** Reads the head of a request. */
export function readRequestHead(fields: readonly Header[]): Http2RequestHead | Malformed {
  const parts = splitFields(fields, [":method", ":scheme", ":path", ":authority"]);
  if ("malformed" in parts) return parts;
  const { pseudo, headers } = parts;
  const method = pseudo.get(":method");
  const scheme = pseudo.get(":scheme");
  const path = pseudo.get(":path");
  if (method === undefined || !token.test(method)) return { malformed: "a request without a method" };
  if (method === "CONNECT") return { malformed: "a CONNECT where nothing is to be connected" };
  if (scheme === undefined) return { malformed: "a request without a scheme" };
  if (path === undefined || !target.test(path)) return { malformed: "a request without a path" };
  const bodyBytes = lengthIn(headers);
  if (bodyBytes === undefined) return { malformed: "a content-length that is none" };
  return { method, scheme, path, authority: pseudo.get(":authority") ?? null, bodyBytes, headers };
}

/** Reads the head of a response. */
export function readResponseHead(fields: readonly Header[]): Http2ResponseHead | Malformed {
  const parts = splitFields(fields, [":status"], lenient);
  if ("malformed" in parts) return parts;
  const status = parts.pseudo.get(":status") ?? "";
  return /^[1-9]\d\d$/.test(status)
    ? { status: Number(status), headers: parts.headers }
    : { malformed: `a status of "${status}"` };
}

/** Reads trailers. */
export function readTrailers(fields: readonly Header[]): { readonly headers: readonly Header[] } | Malformed {
  return splitFields(fields, [], lenient);
}

/** Writes fields with names in lower case, as HTTP/2 has them. */
export function lowerCased(headers: readonly Header[]): Header[] {
  return headers.map(([name, value]) => [name.toLowerCase(), value]);
}

/** How long a body is to be; `null` when nobody says, `undefined` when nobody can tell (RFC 9110 8.6). */
function lengthIn(headers: readonly Header[]): number | null | undefined {
  const lengths = new Set(headers.filter(([name]) => name === "content-length").map(([, value]) => value));
  if (lengths.size === 0) return null;
  const [length = ""] = lengths;
  return lengths.size === 1 && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

interface Parts {
  readonly pseudo: ReadonlyMap<string, string>;
  readonly headers: readonly Header[];
}

/** What no value may hold; servers that put blanks around theirs are read by every client (RFC 9113 8.2.1 forbids it). */
const lenient = /[\0\r\n]/;
const strict = /[\0\r\n]|^[\t ]|[\t ]$/;

function splitFields(
  fields: readonly Header[],
  allowed: readonly string[],
  unprintable: RegExp = strict,
): Parts | Malformed {
  const pseudo = new Map<string, string>();
  const headers: Header[] = [];
  for (const [name, value] of fields) {
    const wrong = explainField(name, value, unprintable);
    if (wrong !== null) return { malformed: wrong };
    if (!name.startsWith(":")) {
      headers.push([name, value]);
    } else if (!allowed.includes(name) || pseudo.has(name) || headers.length > 0) {
      return { malformed: `the field "${name}" where it must not stand` };
    } else pseudo.set(name, value);
  }
  return { pseudo, headers };
}

/** Bytes beyond ASCII may stand in it, as clients write them; U+00A0 is one of them and no space. */
const target = /^(?:\/[^\0-\x20#\x7f]*|\*)$/;
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const fieldName = /^:?[!#$%&'*+.^_`|~0-9a-z-]+$/;

/** What only one connection may be told does not stand in HTTP/2 (RFC 9113 8.2.2). */
const connectionFields: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

function explainField(name: string, value: string, unprintable: RegExp): string | null {
  if (!fieldName.test(name)) return `the field name ${JSON.stringify(name.slice(0, 100))}`;
  if (unprintable.test(value)) return `the value of "${name}"`;
  if (connectionFields.has(name)) return `the field "${name}"`;
  return name === "te" && value.toLowerCase() !== "trailers" ? 'a "te" that is not "trailers"' : null;
}
