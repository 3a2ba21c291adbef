import { deepEqual, equal } from "node:assert/strict";
import { encodeHeaders } from "./hpack_encoder.ts";

function hex(...header: readonly [name: string, value: string]): string {
  return encodeHeaders([header]).toString("hex");
}

Deno.test("encodeHeaders() writes a field of the static table as its index", () => {
  deepEqual([hex(":method", "GET"), hex(":status", "200"), hex("age", "")], ["82", "88", "95"]);
});

Deno.test("encodeHeaders() writes a known name as its first index, and any other as it is", () => {
  deepEqual([hex(":status", "302"), hex("x", "ab")], ["0803333032", "00017802" + "6162"]);
});

Deno.test("encodeHeaders() writes a name that does not fit into four bits as RFC 7541 5.1 has it", () => {
  equal(hex("user-agent", "a"), "0f2b" + "0161");
});

Deno.test("encodeHeaders() writes lengths from 127 on in further bytes", () => {
  const starts = [126, 127, 254, 255, 1337 + 127].map((length) => hex("x", "v".repeat(length)).slice(6, 12));
  deepEqual(starts, ["7e7676", "7f0076", "7f7f76", "7f8001", "7fb90a"]);
});

for (const name of ["authorization", "cookie", "set-cookie", "x-api-key", "proxy-authorization"]) {
  Deno.test(`encodeHeaders() forbids whoever passes a ${name} on to keep it`, () => {
    equal(parseInt(hex(name, "secret").slice(0, 2), 16) & 0xf0, 0x10);
  });
}
