/**
 * What a request asks its connection to be switched to.
 *
 * @module
 */
import type { RequestHead } from "../step/mod.ts";
import { upgradeOf } from "../wire/mod.ts";
import { announcesBody } from "./_content.ts";

/**
 * Tells which protocol a request asks for, live or recorded.
 *
 * @returns In lower case, `websocket`; `undefined` where it asks for none. With HTTP/1.0 and HTTP/2 no request can, and
 * one with a body is taken for plain HTTP: the other protocol may only begin behind it (RFC 9110, 7.8).
 */
export function requestedUpgrade(
  { httpVersion, headers }: Pick<RequestHead, "httpVersion" | "headers">,
): string | undefined {
  if (httpVersion !== "1.1" || announcesBody(headers)) return undefined;
  return upgradeOf(headers)?.toLowerCase();
}
