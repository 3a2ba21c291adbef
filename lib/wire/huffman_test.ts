import { equal } from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { huffmanLengths } from "./hpack_tables.ts";
import { decodeHuffman } from "./huffman.ts";

/** Codes of RFC 7541, appendix B, that no header of a real client has: the control characters, in bits. */
const controls: readonly (readonly [byte: number, code: number, bits: number])[] = [
  [0, 0x1ff8, 13],
  [1, 0x7fffd8, 23],
  ...[2, 3, 4, 5, 6, 7, 8].map((byte) => [byte, 0xfffffe0 + byte, 28] as const),
  [9, 0xffffea, 24],
  [10, 0x3ffffffc, 30],
  [11, 0xfffffe9, 28],
  [12, 0xfffffea, 28],
  [13, 0x3ffffffd, 30],
  ...[14, 15, 16, 17, 18, 19, 20, 21].map((byte) => [byte, 0xfffffeb + byte - 14, 28] as const),
  [22, 0x3ffffffe, 30],
  ...[23, 24, 25, 26, 27, 28, 29, 30, 31].map((byte) => [byte, 0xffffff3 + byte - 23, 28] as const),
  [127, 0xffffffc, 28],
];

Deno.test("decodeHuffman() reads the code of each control character", () => {
  for (const [byte, code, bits] of controls) {
    equal(decodeHuffman(packed(code.toString(2).padStart(bits, "0"))), String.fromCharCode(byte), `byte ${byte}`);
  }
});

/** The code of each byte, made from the lengths as RFC 1951 3.2.2 makes canonical codes. */
const codes = canonical();

Deno.test("decodeHuffman() gives what was encoded, whatever the bytes", () => {
  const text = fc.array(fc.nat({ max: 255 }), { maxLength: 200 });
  fc.assert(fc.property(text, (bytes) => {
    const bits = bytes.map((byte) => codes[byte]).join("");
    equal(decodeHuffman(packed(bits)), String.fromCharCode(...bytes));
  }));
});

Deno.test("decodeHuffman() has a code for every row of bits: the lengths leave none over and none twice", () => {
  equal(huffmanLengths.reduce((sum, length) => sum + 2 ** -length, 0), 1);
});

const refused: Readonly<Record<string, string>> = {
  "padding of zeros": "00000" + "000",
  "padding of eight ones": "00000000" + "00" + "111111" + "11111111",
  "the end mark": "1".repeat(32),
  "the end mark behind a letter": "00000" + "1".repeat(30) + "11111",
  "a code that is cut off": "11111110",
};

for (const [what, bits] of Object.entries(refused)) {
  Deno.test(`decodeHuffman() refuses ${what}`, () => equal(decodeHuffman(packed(bits)), null));
}

/** Bits as bytes, padded with ones. */
function packed(bits: string): Buffer {
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, "1");
  return Buffer.from((padded.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}

function canonical(): string[] {
  const made: string[] = [];
  let code = 0;
  for (let length = 1; length <= 30; length++, code *= 2) {
    for (const [symbol, bits] of huffmanLengths.entries()) {
      if (bits === length) made[symbol] = (code++).toString(2).padStart(length, "0");
    }
  }
  return made;
}
