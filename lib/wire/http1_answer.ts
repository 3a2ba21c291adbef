/**
 * The frame of an HTTP/1.1 response: its head as text, and how its body's end is told (RFC 9112).
 *
 * @module
 */
import { type Header, headerValue } from "../step/mod.ts";
import type { ParsedHead } from "./http1_parser.ts";

/** How a response's body ends. */
export type AnswerFraming =
  & (
    | { readonly kind: "counted"; readonly bytes: number }
    | { readonly kind: "chunked" | "until-close" | "none" }
  )
  & {
    /** The connection may be used again behind it, as far as the response is concerned. */
    readonly reusable: boolean;
  };

/**
 * Chooses how a response's body ends (RFC 9112 6.3).
 *
 * @param request What is answered.
 * @param status From 100.
 * @param headers Of the response, without those of the connection.
 */
export function answerFraming(
  { method, version }: Pick<ParsedHead, "method" | "version">,
  status: number,
  headers: readonly Header[],
): AnswerFraming {
  const length = contentLength(headers);
  // A length that is none would be read in two ways, and behind a 1xx a client waits for another answer.
  const reusable = length !== null && status >= 200;
  if (method === "HEAD" || status === 204 || status === 304 || status < 200) return { kind: "none", reusable };
  if (length === undefined) return { kind: version === "1.1" ? "chunked" : "until-close", reusable };
  return length === null ? { kind: "until-close", reusable } : { kind: "counted", bytes: length, reusable };
}

/** Of a response: `undefined` when it names none, `null` when it is no number, or several. */
function contentLength(headers: readonly Header[]): number | null | undefined {
  const first = headerValue(headers, "content-length");
  if (first === undefined) return undefined;
  const agree = headers.every(([name, value]) => name.toLowerCase() !== "content-length" || value === first);
  return agree && /^\d{1,15}$/.test(first) ? Number(first) : null;
}

/**
 * Writes a first line and headers, and the empty line behind them; trailers, behind a `0`, look the same.
 *
 * @param first The status line, or the last chunk's.
 * @param headers In wire order and case.
 * @returns Latin1 text.
 * @throws {TypeError} when a line would break, and with it the response.
 */
export function formatHttp1Head(first: string, headers: readonly Header[]): string {
  let text = `${sendable(first)}\r\n`;
  for (const [name, value] of headers) text += `${sendable(`${name}: ${value}`)}\r\n`;
  return `${text}\r\n`;
}

/** The engine lets no such line pass; here is where one could split a response in two. */
function sendable(line: string): string {
  if (/[\r\n\0\u0100-\uffff]/.test(line)) {
    throw new TypeError(`Cannot send ${JSON.stringify(line)}: it breaks the line or is not latin1, expected a header`);
  }
  return line;
}
