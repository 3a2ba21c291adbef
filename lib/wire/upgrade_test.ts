import { equal } from "node:assert/strict";
import type { Header } from "../step/mod.ts";
import { acceptOf, upgradeOf } from "./upgrade.ts";

const asked: readonly (readonly [Header[], string | null])[] = [
  [[["Connection", "Upgrade"], ["Upgrade", "websocket"]], "websocket"],
  [[["connection", "keep-alive, upgrade"], ["upgrade", "WebSocket"]], "WebSocket"],
  [[["Connection", "keep-alive"], ["Connection", "Upgrade"], ["Upgrade", "tcp"]], "tcp"],
  [[["Upgrade", "websocket"]], null],
  [[["Connection", "close"], ["Upgrade", "websocket"]], null],
  [[["Connection", "Upgrade"]], null],
  [[["Connection", "Upgrade, HTTP2-Settings"], ["Upgrade", "h2c"]], null],
  [[["Connection", "Upgrade"], ["Upgrade", "TLS/1.0, HTTP/1.1"]], null],
  [[["Connection", "Upgrade"], ["Upgrade", "TLS/1.3"]], null],
  [[["Connection", "Upgrade"], ["Upgrade", "h2c, websocket"]], "websocket"],
];

for (const [headers, protocol] of asked) {
  Deno.test(`upgradeOf() gives ${protocol} for ${headers.map((header) => header.join(": ")).join(" | ")}`, () => {
    equal(upgradeOf(headers), protocol);
  });
}

Deno.test("acceptOf() gives the answer of RFC 6455 to its key", () => {
  equal(acceptOf("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
});
