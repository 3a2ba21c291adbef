/**
 * Reads the Huffman code of HPACK (RFC 7541 5.2).
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { huffmanLengths } from "./hpack_tables.ts";

const endMark = 256;
const longest = Math.max(...huffmanLengths);
const shortest = Math.min(...huffmanLengths);

/** Of each length: the first code, and the symbols in the order of their codes. */
const codes = canonicalCodes();

function canonicalCodes(): readonly { readonly first: number; readonly symbols: readonly number[] }[] {
  const table = [];
  let first = 0;
  for (let length = 0; length <= longest; length++) {
    const symbols = [...huffmanLengths.keys()].filter((symbol) => huffmanLengths[symbol] === length);
    table.push({ first, symbols });
    first = (first + symbols.length) * 2;
  }
  return table;
}

/**
 * Decodes a string.
 *
 * @returns One character per byte, or `null` when the bits are no such code.
 */
export function decodeHuffman(bytes: Uint8Array): string | null {
  const decoded = Buffer.allocUnsafe(Math.floor((bytes.length * 8) / shortest));
  let count = 0;
  let code = 0;
  let length = 0;
  for (let at = 0; at < bytes.length * 8; at++) {
    code = code * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    if (++length < shortest) continue;
    const symbol = symbolOf(code, length);
    if (symbol === endMark || length > longest) return null;
    if (symbol === undefined) continue;
    decoded[count++] = symbol;
    code = 0;
    length = 0;
  }
  // What is left pads the last byte with the end mark's first bits, which are ones.
  const padded = length < 8 && code === 2 ** length - 1;
  return padded ? decoded.toString("latin1", 0, count) : null;
}

function symbolOf(code: number, length: number): number | undefined {
  const row = codes[length];
  return row === undefined ? undefined : row.symbols[code - row.first];
}
