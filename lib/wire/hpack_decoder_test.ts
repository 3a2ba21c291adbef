import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { HpackDecoder } from "./hpack_decoder.ts";
import { encodeHeaders } from "./hpack_encoder.ts";

const limitBytes = 256 * 1024;

function bytes(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(" ", ""), "hex");
}

/** Decodes blocks of one connection; gives each as lines. */
function decoded(...blocks: readonly string[]): string[][] {
  const decoder = new HpackDecoder(limitBytes);
  return blocks.map((block) => decoder.decode(bytes(block)).headers.map(([name, value]) => `${name}: ${value}`));
}

const singles: Readonly<Record<string, readonly [block: string, field: string]>> = {
  "C.2.1": ["400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572", "custom-key: custom-header"],
  "C.2.2": ["040c 2f73 616d 706c 652f 7061 7468", ":path: /sample/path"],
  "C.2.3": ["1008 7061 7373 776f 7264 0673 6563 7265 74", "password: secret"],
  "C.2.4": ["82", ":method: GET"],
};

for (const [section, [block, field]] of Object.entries(singles)) {
  Deno.test(`HpackDecoder.decode() reads the field of RFC 7541 ${section}`, () => {
    deepEqual(decoded(block), [[field]]);
  });
}

const asked = [":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com"];
const requests = [
  asked,
  [...asked, "cache-control: no-cache"],
  [":method: GET", ":scheme: https", ":path: /index.html", asked[3], "custom-key: custom-value"],
];

const dated = "Mon, 21 Oct 2013 20:13:2";
const location = "location: https://www.example.com";
const responses = [
  [":status: 302", "cache-control: private", `date: ${dated}1 GMT`, location],
  [":status: 307", "cache-control: private", `date: ${dated}1 GMT`, location],
  [
    ":status: 200",
    "cache-control: private",
    `date: ${dated}2 GMT`,
    location,
    "content-encoding: gzip",
    "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
  ],
];

/** The appendix has a table of 256 bytes: what is said of it in the settings there stands in the first block here. */
const sized = "3fe101";

const series: Readonly<Record<string, readonly [blocks: readonly string[], fields: readonly unknown[]]>> = {
  "C.3, without Huffman": [[
    "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
    "8286 84be 5808 6e6f 2d63 6163 6865",
    "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
  ], requests],
  "C.4, with Huffman": [[
    "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
    "8286 84be 5886 a8eb 1064 9cbf",
    "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
  ], requests],
  "C.5, whose table is too small for all": [[
    `${sized} 4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120
     474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d`.replaceAll("\n", ""),
    "4803 3330 37c1 c0bf",
    `88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738 666f 6f3d
     4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572
     7369 6f6e 3d31`.replaceAll("\n", ""),
  ], responses],
  "C.6, whose table is too small for all, with Huffman": [[
    `${sized} 4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718
     63c7 8f0b 97c8 e9ae 82ae 43d3`.replaceAll("\n", ""),
    "4883 640e ffc1 c0bf",
    `88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf
     cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07`.replaceAll("\n", ""),
  ], responses],
};

for (const [section, [blocks, fields]] of Object.entries(series)) {
  Deno.test(`HpackDecoder.decode() reads the blocks of RFC 7541 ${section}`, () => {
    deepEqual(decoded(...blocks), fields);
  });
}

const latin1 = fc.string({ unit: fc.nat({ max: 255 }).map((code) => String.fromCharCode(code)), maxLength: 300 });
const name = fc.oneof(latin1, fc.constantFrom(":status", ":method", ":path", "cookie", "authorization", "x-api-key"));
const value = fc.oneof(
  latin1,
  fc.constantFrom("200", "GET", "/", ""),
  fc.nat({ max: 20_000 }).map((n) => "v".repeat(n)),
);

Deno.test("HpackDecoder.decode() gives what encodeHeaders() was given, whatever the fields", () => {
  fc.assert(fc.property(fc.array(fc.tuple(name, value), { maxLength: 12 }), (headers) => {
    const { headers: read, tooLarge } = new HpackDecoder(limitBytes).decode(encodeHeaders(headers));
    deepEqual([read, tooLarge], [headers, false]);
  }));
});

const broken: Readonly<Record<string, string>> = {
  "the index 0": "80",
  "an index beyond the tables": "be",
  "a name beyond the tables": "7f00 0161",
  "a number without end": "ff" + "80".repeat(20),
  "a number that is larger than any": "ffff ffff ffff 0f",
  "a length that is larger than any": "0001 617f ffff ffff ff0f",
  "a string that ends too soon": "0005 6162",
  "a name without a value": "0001 61",
  "nothing behind a literal's first byte": "40",
  "a Huffman code that is padded with zeros": "0001 6181 18", // "0" in 5 bits, then zeros
  "a Huffman code with eight bits of padding": "0001 6182 07ff",
  "the end mark within a string": "0001 6184 ffff ffff",
  "a table that is larger than we allow": "3fe2 1f",
  "a table's size behind a field": "8220",
};

for (const [what, block] of Object.entries(broken)) {
  Deno.test(`HpackDecoder.decode() refuses ${what}`, () => {
    throws(() => decoded(block), { name: "Http2Error", code: 9 });
  });
}

Deno.test("HpackDecoder.decode() refuses a whole block of which the end is missing, wherever it is cut within a field", () => {
  const field = "400a 6375 7374 6f6d 2d6b 6579 8825 a849 e95b b8e8 b4bf".replaceAll(" ", "");
  for (let cut = 2; cut < field.length; cut += 2) throws(() => decoded(field.slice(0, cut)), { code: 9 });
});

Deno.test("HpackDecoder.decode() keeps nothing behind a size of 0, and as much as ever behind a size of 4096", () => {
  const literal = "4001 6101 62";
  throws(() => decoded(literal, "20", "be"), { code: 9 });
  deepEqual(decoded(literal, "203f e11f", literal, "be"), [["a: b"], [], ["a: b"], ["a: b"]]);
});

Deno.test("HpackDecoder.decode() empties its table for a field that is larger than it", () => {
  const large = encoded("b", "v".repeat(5000));
  throws(() => decoded("4001 6101 62", large, "be"), { code: 9 });
});

Deno.test("HpackDecoder.decode() drops the oldest of its table when 4096 bytes are full", () => {
  const empty = "400000"; // 32 bytes of the table
  const filled = "40016100" + empty.repeat(126); // "a", the oldest, has 33
  deepEqual(decoded(filled, "ff3d")[1], ["a: "]);
  deepEqual(decoded(filled, empty, "ff3d")[2], [": "]);
  throws(() => decoded(filled, empty, "ff3e"), { code: 9 });
});

Deno.test("HpackDecoder.decode() calls a block too large that refers 100,000 times to 4 KB, and keeps little of it", () => {
  const block = Buffer.concat([bytes(encoded("x", "v".repeat(4000))), Buffer.alloc(100_000, 0xbe)]);
  const decoder = new HpackDecoder(limitBytes);
  const { headers, tooLarge } = decoder.decode(block);
  ok(tooLarge && headers.length <= 64, `${headers.length} fields`);
  deepEqual(decoder.decode(bytes("88")), { headers: [[":status", "200"]], tooLarge: false });
});

Deno.test("HpackDecoder.decode() throws nothing but an Http2Error for whatever bytes", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 6 }), (blocks) => {
      const decoder = new HpackDecoder(limitBytes);
      try {
        for (const block of blocks) decoder.decode(Buffer.from(block));
      } catch (error) {
        equal((error as Error).name, "Http2Error");
      }
    }),
    { numRuns: 1000 },
  );
});

/** A literal that is kept, as hexadecimal digits. */
function encoded(name: string, value: string): string {
  const length = value.length - 127;
  const sized = Buffer.from([0x7f, 128 + length % 128, Math.floor(length / 128)]);
  return "4001" + Buffer.from(name).toString("hex") + sized.toString("hex") + Buffer.from(value).toString("hex");
}
