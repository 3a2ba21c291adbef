/**
 * Reads HTTP/1.1 requests out of bytes (RFC 9112), strictly: what two servers could read in two ways is refused.
 *
 * Takes bytes as they came; gives events when it is asked for them. Does no I/O and keeps no time.
 *
 * @module
 */
import { type Header, headerValue } from "../step/mod.ts";
import { Http1MessageReader, type MessageEvent, parseHeaderLine, RefusedBytes } from "./http1_message_reader.ts";

/** How long a request's body is. */
export type RequestFraming =
  | { readonly kind: "none" }
  | { readonly kind: "length"; readonly bytes: number }
  | { readonly kind: "chunked" };

/** What comes out of a client's bytes. */
export type ParserEvent = MessageEvent<ParsedHead>;

/** A request's first part. */
export interface ParsedHead {
  readonly method: string;
  /** As it stood in the request line. */
  readonly target: string;
  readonly version: "1.0" | "1.1";
  readonly headers: readonly Header[];
  readonly framing: RequestFraming;
  /** The client wants to use its connection again. */
  readonly keepAlive: boolean;
}

/** One connection's requests, one after the other. */
export class Http1Parser extends Http1MessageReader<ParsedHead> {
  constructor() {
    super(parseHead);
  }
}

const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([\x21-\x7e\x80-\xff]+) HTTP\/1\.([01])$/;

function parseHead(lines: readonly string[]): ParsedHead {
  const [, method, target, minor] = requestLine.exec(lines[0] ?? "") ?? [];
  if (method === undefined || target === undefined) throw new RefusedBytes(400, "a request line that is none");
  const headers: Header[] = [];
  for (let index = 1; index < lines.length; index++) headers.push(parseHeaderLine(lines[index] ?? ""));
  const version = minor === "0" ? "1.0" : "1.1";
  return {
    method,
    target,
    version,
    headers,
    framing: framingOf(headers, version),
    keepAlive: keepsAlive(headers, version),
  };
}

/** RFC 9112 6.3, without its leniencies: each of them has been used to smuggle a request past somebody. */
function framingOf(headers: readonly Header[], version: "1.0" | "1.1"): RequestFraming {
  const all = (name: string) => headers.filter((header) => header[0].toLowerCase() === name);
  const coding = headerValue(headers, "transfer-encoding");
  const length = headerValue(headers, "content-length");
  if (headers.length > 1 && all("host").length > 1) throw new RefusedBytes(400, "more than one host");
  if (coding !== undefined) {
    if (length !== undefined) throw new RefusedBytes(400, "both a length and a transfer coding");
    if (version === "1.0") throw new RefusedBytes(400, "a transfer coding in HTTP/1.0");
    if (coding.toLowerCase() !== "chunked" || all("transfer-encoding").length > 1) {
      throw new RefusedBytes(501, "a transfer coding other than chunked");
    }
    return { kind: "chunked" };
  }
  if (length === undefined) return { kind: "none" };
  if (!/^\d{1,15}$/.test(length) || all("content-length").length > 1) {
    throw new RefusedBytes(400, "a length that is no number, or several");
  }
  return { kind: "length", bytes: Number(length) };
}

function keepsAlive(headers: readonly Header[], version: "1.0" | "1.1"): boolean {
  const named = (name: string) => headers.filter((header) => header[0].toLowerCase() === name);
  const first = headerValue(headers, "connection") === undefined ? "proxy-connection" : "connection";
  const options = named(first).map(([, value]) => value).join(","); // repeats are one list (RFC 9110 5.3)
  if (options === "") return version === "1.1";
  if (/(?:^|,)\s*close\s*(?:,|$)/i.test(options)) return false;
  return version === "1.1" || /(?:^|,)\s*keep-alive\s*(?:,|$)/i.test(options);
}
