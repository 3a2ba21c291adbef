import { equal } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { decodeContent } from "./content.ts";

const text = Buffer.from("hello ".repeat(100));
const encoded: readonly (readonly [encodings: string, bytes: Uint8Array])[] = [
  ["gzip", gzipSync(text)],
  ["x-gzip", gzipSync(text)],
  ["deflate", deflateSync(text)],
  ["deflate", deflateRawSync(text)],
  ["br", brotliCompressSync(text)],
  ["zstd", zstdCompressSync(text)],
  ["GZIP , br", brotliCompressSync(gzipSync(text))],
  ["identity", text],
];

for (const [encodings, bytes] of encoded) {
  Deno.test(`decodeContent() undoes "${encodings}" of ${bytes.length} bytes`, () => {
    equal(Buffer.from(decodeContent(bytes, encodings, 1000) ?? []).toString(), text.toString());
  });
}

Deno.test("decodeContent() gives the bytes themselves when there is no encoding", () => {
  equal(decodeContent(text, undefined, 10), text);
});

Deno.test("decodeContent() gives null when the decoded body passes the limit, for every encoding", () => {
  for (const [encodings, bytes] of encoded.slice(0, 7)) equal(decodeContent(bytes, encodings, 599), null, encodings);
});

Deno.test("decodeContent() gives null when bytes are damaged, cut off, or of an unknown encoding", () => {
  equal(decodeContent(text, "gzip", 1000), null);
  equal(decodeContent(gzipSync(text).subarray(0, 20), "gzip", 1000), null);
  equal(decodeContent(text, "compress", 1000), null);
  equal(decodeContent(text, "constructor", 1000), null);
});

Deno.test("decodeContent() gives null when there are more layers than any server sends", () => {
  equal(decodeContent(text, "gzip,gzip,gzip,gzip,gzip", 1000), null);
});
