import { type Header } from "../step/mod.ts";

/** The codings of a body, in the order they were applied (RFC 9110 8.4); `null` when there are none. */
export function contentEncoding(headers: readonly Header[]): string | null {
  const values = headers.filter(([name]) => name.toLowerCase() === "content-encoding").map(([, value]) => value);
  const codings = values.join(",").toLowerCase();
  return /^[\s,]*(?:identity[\s,]*)*$/.test(codings) ? null : codings;
}

/** The headers of a message whose body is stored decoded: no coding, and a length that fits. */
export function decodedHeaders(headers: readonly Header[], bodyBytes: number): Header[] {
  return headers
    .filter(([name]) => name.toLowerCase() !== "content-encoding")
    .map(([name, value]) => [name, name.toLowerCase() === "content-length" ? String(bodyBytes) : value]);
}
