/** Queries of DNS, as a resolver sends them. */

import { Buffer } from "node:buffer";

/** Makes a query: id 7, recursion wanted, for an address, and nothing behind the question. */
export function dnsQuery(name: string, type = 1, flags = 0x0100): Uint8Array {
  const head = Buffer.from([0, 7, flags >> 8, flags & 255, 0, 1, 0, 0, 0, 0, 0, 0]);
  const labels = name.split(".").flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, "latin1")]);
  return Buffer.concat([head, ...labels, Buffer.from([0, type >> 8, type & 255, 0, 1])]);
}
