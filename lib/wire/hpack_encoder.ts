/**
 * Writes header blocks (RFC 7541).
 *
 * Nothing is kept from one block to the next, and nothing is compressed: both are the writer's choice. Between processes
 * of one machine the bytes saved would cost more than they are worth, and what is kept could tell one request of another
 * (RFC 7541 7.1).
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Header } from "../step/mod.ts";
import { staticTable } from "./hpack_tables.ts";

const indexByField = new Map(staticTable.map(([name, value], index) => [`${name}\n${value}`, index + 1]));
// Of several entries with one name, the first.
const indexByName = new Map(staticTable.map(([name], index): [string, number] => [name, index + 1]).reverse());

/** Whoever passes these on must not keep them either (RFC 7541 7.1.3). */
const secret = /^(?:authorization|proxy-authorization|cookie|set-cookie|x-api-key|api-key|x-goog-api-key)$/;

/**
 * Writes one block.
 *
 * @param headers In the order in which they are to go out, names in lower case; one character per byte.
 */
export function encodeHeaders(headers: readonly Header[]): Buffer {
  let block = "";
  for (const header of headers) block += field(header);
  return Buffer.from(block, "latin1");
}

/** One field, one character per byte. */
function field([name, value]: Header): string {
  const whole = indexByField.get(`${name}\n${value}`);
  if (whole !== undefined) return number(0x80, 7, whole);
  const index = indexByName.get(name) ?? 0;
  const start = number(secret.test(name) ? 0x10 : 0x00, 4, index);
  return index === 0 ? start + text(name) + text(value) : start + text(value);
}

function text(value: string): string {
  return number(0x00, 7, value.length) + value;
}

/** An integer whose first bits stand in the rest of a byte (RFC 7541 5.1). */
function number(firstByte: number, prefixBits: number, value: number): string {
  const most = 2 ** prefixBits - 1;
  if (value < most) return String.fromCharCode(firstByte | value);
  let written = String.fromCharCode(firstByte | most);
  let rest = value - most;
  while (rest >= 128) {
    written += String.fromCharCode((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return written + String.fromCharCode(rest);
}
