/**
 * The switch of a connection to another protocol: what is asked for, and how a WebSocket says yes.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Header } from "../step/mod.ts";

/** What RFC 6455, 4.2.2 appends to a client's key. */
const acceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Offers that speak of one connection only and that a proxy may drop (RFC 9110, 7.8): another HTTP, and TLS. */
const hopOffer = /^(?:h2c|http\/.*|tls\/.*)$/i;

/**
 * Tells what a request asks its connection to be switched to.
 *
 * @param headers The request's.
 * @returns The protocol as it was written, `WebSocket`; `null` where the request asks for none, or for one that is of
 * this connection only.
 */
export function upgradeOf(headers: readonly Header[]): string | null {
  const options = tokensOf(headers, "connection").map((each) => each.toLowerCase());
  if (!options.includes("upgrade")) return null;
  return tokensOf(headers, "upgrade").find((each) => !hopOffer.test(each)) ?? null;
}

function tokensOf(headers: readonly Header[], name: string): string[] {
  return headers
    .filter((header) => header[0].toLowerCase() === name)
    .flatMap(([, value]) => value.split(",").map((token) => token.trim()))
    .filter((token) => token !== "");
}

/**
 * Computes `sec-websocket-accept` (RFC 6455, 4.2.2).
 *
 * @param key The client's `sec-websocket-key`.
 *
 * @example The key of RFC 6455, 1.3
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(acceptOf("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
 * ```
 */
export function acceptOf(key: string): string {
  return createHash("sha1").update(key + acceptSuffix).digest("base64");
}
