/**
 * The secrets of a header's value.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { headerMode } from "./names.ts";
import { splitScheme } from "./scheme.ts";
import { type Span, toSpan } from "./span.ts";
import { readAuthority } from "./userinfo.ts";

/**
 * Finds what a header's rule calls secret.
 *
 * @param name In any case.
 * @param value As it stood on the wire.
 * @returns Spans from left to right, or `null` for a header like any other, to be searched as text.
 */
export function readHeader(name: string, value: string): Span[] | null {
  switch (headerMode(name)) {
    case null:
      return null;
    case "leave":
      return [];
    case "scheme":
      return toSpans(value, [[splitScheme(value), value.length]]);
    case "whole":
      return toSpans(value, [[0, value.length]]);
    case "userinfo":
      return readAuthority(value);
    case "cookie":
      return toSpans(value, cookieValues(value));
    case "set-cookie":
      return toSpans(value, cookieValues(value).slice(0, 1));
  }
}

/**
 * Reads the password of basic authentication (RFC 7617), which may turn up elsewhere without its disguise.
 *
 * @param value A header's value.
 * @returns The password; empty when the value is of another kind.
 */
export function basicPassword(value: string): string {
  const encoded = /^basic[ \t]+([\w+/=-]+)$/i.exec(value)?.[1];
  if (encoded === undefined) return "";
  const pair = Buffer.from(encoded, "base64").toString("latin1");
  return pair.slice(pair.indexOf(":") + 1);
}

/** Where the values of `a=1; b=2` begin and end. */
function cookieValues(value: string): [number, number][] {
  return [...value.matchAll(/[^;=]*=([^;]*)/g)].map((pair) => {
    const end = pair.index + pair[0].length;
    return [end - (pair[1]?.length ?? 0), end];
  });
}

function toSpans(value: string, ranges: readonly (readonly [number, number])[]): Span[] {
  return ranges.filter(([start, end]) => start < end).map(([start, end]) => {
    const raw = value.slice(start, end);
    return toSpan(start, raw, raw);
  });
}
