/**
 * Reads HTTP/1.1 responses out of bytes (RFC 9112).
 *
 * @module
 */
import { type Header, headerValue } from "../step/mod.ts";
import {
  type BodyFraming,
  Http1MessageReader,
  type MessageEvent,
  parseHeaderLine,
  RefusedBytes,
} from "./http1_message_reader.ts";

/** A response's first part. */
export interface ParsedResponseHead {
  readonly status: number;
  /** The reason phrase, as it stood. */
  readonly statusText: string;
  readonly version: "1.0" | "1.1";
  readonly headers: readonly Header[];
  readonly framing: BodyFraming;
  /** The connection may be used again behind it. */
  readonly keepAlive: boolean;
}

/** What comes out of a server's bytes. */
export type ResponseEvent = MessageEvent<ParsedResponseHead>;

/** One connection's responses, one after the other. */
export class Http1ResponseParser extends Http1MessageReader<ParsedResponseHead> {
  #method = "GET";

  constructor() {
    super((lines) => parseHead(lines, this.#method));
  }

  /** Says what the next response answers: that to a HEAD has no body, whatever its length says. */
  expect(method: string): void {
    this.#method = method;
  }
}

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?$/;

function parseHead(lines: readonly string[], method: string): ParsedResponseHead {
  const [, minor, code, statusText = ""] = statusLine.exec(lines[0] ?? "") ?? [];
  if (code === undefined) throw new RefusedBytes(400, `a status line that is none: ${shown(lines[0] ?? "")}`);
  const status = Number(code);
  const headers = lines.slice(1).map(parseHeaderLine);
  const version = minor === "0" ? "1.0" : "1.1";
  const framing = framingOf(headers, method, status);
  // Both a length and a coding: whoever sits in between may have read it otherwise (RFC 9112 6.3).
  const plain = headerValue(headers, "transfer-encoding") === undefined ||
    headerValue(headers, "content-length") === undefined;
  const keepAlive = framing.kind !== "until-close" && plain && keepsAlive(headers, version);
  return { status, statusText, version, headers, framing, keepAlive };
}

function shown(line: string): string {
  return JSON.stringify(line.slice(0, 60));
}

/** RFC 9112 6.3. */
function framingOf(headers: readonly Header[], method: string, status: number): BodyFraming {
  if (method === "HEAD" || status < 200 || status === 204 || status === 304) return { kind: "none" };
  const codings = listOf(headers, "transfer-encoding");
  if (codings.length > 0) {
    if (codings.join() === "chunked") return { kind: "chunked" };
    throw new RefusedBytes(501, `a transfer coding other than chunked: ${shown(codings.join())}`);
  }
  const lengths = new Set(listOf(headers, "content-length"));
  const [length] = lengths;
  if (length === undefined) return { kind: "until-close" };
  if (lengths.size > 1 || !/^\d{1,15}$/.test(length)) {
    throw new RefusedBytes(400, "a length that is no number, or several");
  }
  return { kind: "length", bytes: Number(length) };
}

function keepsAlive(headers: readonly Header[], version: "1.0" | "1.1"): boolean {
  const options = listOf(headers, "connection");
  if (options.includes("close")) return false;
  return version === "1.1" || options.includes("keep-alive");
}

/** The members of a list, in however many lines it came (RFC 9110 5.3), in lower case. */
function listOf(headers: readonly Header[], name: string): string[] {
  if (headerValue(headers, name) === undefined) return [];
  const values = headers.filter((header) => header[0].toLowerCase() === name).map(([, value]) => value);
  return values.join(",").toLowerCase().split(",").map((member) => member.trim()).filter((member) => member !== "");
}
