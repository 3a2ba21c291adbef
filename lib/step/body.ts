/**
 * Bytes to the {@link Body} that a trace line carries, and back.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Body, InlineBody } from "./step.ts";

/** Above this many bytes a body becomes a blob, where the trace's form has blobs. */
export const inlineLimitBytes = 64 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Turns bytes into a body that stands in the line itself.
 *
 * @param bytes The whole body; empty gives `null`.
 * @returns Text where the bytes are valid UTF-8, else base64.
 *
 * @example Text stays readable, all else becomes base64
 * ```ts
 * import { encodeBody } from "@agrepl/core";
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(encodeBody(new TextEncoder().encode("hi")), { text: "hi" });
 * deepEqual(encodeBody(Uint8Array.of(0xff)), { base64: "/w==" });
 * ```
 */
export function encodeBody(bytes: Uint8Array): InlineBody {
  if (bytes.length === 0) return null;
  const text = decodeUtf8(bytes);
  return text === null ? { base64: Buffer.from(bytes).toString("base64") } : { text };
}

/**
 * Turns an inline body back into its bytes.
 *
 * @param body A body without a blob and without parts: a blob's bytes are the store's to read.
 * @returns The bytes; empty for `null`.
 *
 * @example Read the body of a recorded response
 * ```ts
 * import { decodeBody } from "@agrepl/core";
 * import { equal } from "node:assert/strict";
 *
 * equal(new TextDecoder().decode(decodeBody({ text: "hi" })), "hi");
 * ```
 */
export function decodeBody(body: InlineBody): Uint8Array {
  if (body === null) return new Uint8Array(0);
  return "text" in body ? Buffer.from(body.text, "utf8") : Buffer.from(body.base64, "base64");
}

/**
 * Counts a body's bytes without decoding it where that can be avoided.
 *
 * @param body Any body.
 * @returns Its length in bytes.
 */
export function bodyBytes(body: Body): number {
  if (body === null) return 0;
  if ("parts" in body) return body.parts.reduce((sum, part) => sum + bodyBytes(part), 0);
  if ("blob" in body) return body.bytes;
  return "text" in body ? Buffer.byteLength(body.text, "utf8") : Buffer.byteLength(body.base64, "base64");
}

/**
 * Reads bytes as UTF-8, strictly.
 *
 * @param bytes Any bytes.
 * @returns The text, byte order mark kept, or `null` when the bytes are not valid UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null; // TypeError is the decoder's only way to say "not UTF-8"
  }
}
