import { equal } from "node:assert/strict";
import type { Header, HttpVersion } from "../step/mod.ts";
import { requestedUpgrade } from "./requested_upgrade.ts";

const offer: Header[] = [["Connection", "Upgrade"], ["Upgrade", "WebSocket"]];

const asked: readonly (readonly [what: string, HttpVersion, Header[], string | undefined])[] = [
  ["an upgrade", "1.1", offer, "websocket"],
  ["none", "1.1", [], undefined],
  ["HTTP/1.0, which knows none", "1.0", offer, undefined],
  ["HTTP/2, which knows none", "2", offer, undefined],
  ["a body in front of it", "1.1", [...offer, ["Content-Length", "3"]], undefined],
  ["an empty body in front of it", "1.1", [...offer, ["Content-Length", "0"]], "websocket"],
];

for (const [what, httpVersion, headers, upgrade] of asked) {
  Deno.test(`requestedUpgrade() gives ${upgrade} for a request with ${what}`, () => {
    equal(requestedUpgrade({ httpVersion, headers }), upgrade);
  });
}
