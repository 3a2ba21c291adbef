import { deepEqual, equal } from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { bodyBytes, decodeBody, decodeUtf8, encodeBody } from "./body.ts";

Deno.test("decodeBody() gives back the bytes that encodeBody() was given", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
    deepEqual(Buffer.from(decodeBody(encodeBody(bytes))), Buffer.from(bytes));
  }));
});

Deno.test("decodeBody() gives back the bytes when they are text with a byte order mark and a NUL", () => {
  const bytes = Buffer.from("\ufeffa\0ü😀", "utf8");
  deepEqual(encodeBody(bytes), { text: "\ufeffa\0ü😀" });
  deepEqual(Buffer.from(decodeBody(encodeBody(bytes))), bytes);
});

Deno.test("encodeBody() gives null when there are no bytes", () => equal(encodeBody(new Uint8Array(0)), null));

Deno.test("encodeBody() gives base64 when a surrogate is spelled as UTF-8", () => {
  deepEqual(encodeBody(Uint8Array.of(0xed, 0xa0, 0x80)), { base64: "7aCA" });
});

Deno.test("bodyBytes() counts what decodeBody() would give", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
    equal(bodyBytes(encodeBody(bytes)), bytes.length);
  }));
  equal(bodyBytes({ blob: `sha256:${"a".repeat(64)}`, bytes: 70_000 }), 70_000);
});

Deno.test("decodeUtf8() gives null when a character is cut off", () => {
  equal(decodeUtf8(Buffer.from("ü").subarray(0, 1)), null);
  equal(decodeUtf8(Buffer.from("ü")), "ü");
});
