/**
 * Multipart bodies with a boundary that says nothing (RFC 2046, 5.1.1).
 *
 * @module
 */
import { Buffer } from "node:buffer";

const constantBoundary = "agrepl-boundary";

/**
 * Replaces the boundary, which clients draw at random, by a constant.
 *
 * @param body The body.
 * @param contentType The header's value, which names the boundary.
 * @returns The body with the constant in its delimiter lines; as it is when the content type names none.
 */
export function normalizeMultipart(body: Uint8Array, contentType: string): Uint8Array {
  const named = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType);
  const boundary = named?.[1] ?? named?.[2];
  if (boundary === undefined) return body;
  const escaped = boundary.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  const delimiter = new RegExp(`(^|\\n)--${escaped}(?=--|[ \\t]*\\r?\\n|$)`, "g");
  return Buffer.from(Buffer.from(body).toString("latin1").replace(delimiter, `$1--${constantBoundary}`), "latin1");
}
