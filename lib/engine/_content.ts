import { type Header, headerValue } from "../step/mod.ts";

/** The codings of a body, in the order they were applied (RFC 9110 8.4); `null` when there are none. */
export function contentEncoding(headers: readonly Header[]): string | null {
  const values = headers.filter(([name]) => name.toLowerCase() === "content-encoding").map(([, value]) => value);
  const codings = values.join(",").toLowerCase();
  return /^[\s,]*(?:identity[\s,]*)*$/.test(codings) ? null : codings;
}

/** The headers of a message whose body is another than it came with: no coding if that was undone, a length that fits. */
export function decodedHeaders(headers: readonly Header[], bodyBytes: number, undone = true): Header[] {
  return headers
    .filter(([name]) => !undone || name.toLowerCase() !== "content-encoding")
    .map(([name, value]) => [name, name.toLowerCase() === "content-length" ? String(bodyBytes) : value]);
}

/** Tells whether a request says that a body follows (RFC 9112 6.3). */
export function announcesBody(headers: readonly Header[]): boolean {
  const length = headerValue(headers, "content-length");
  return headerValue(headers, "transfer-encoding") !== undefined || (length !== undefined && Number(length) > 0);
}
