import { deepEqual, equal } from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { SettledReads } from "./_settled_reads.ts";

function piece(text: string) {
  return { stored: Buffer.from(text), secret: false };
}

function textOf(pieces: readonly { readonly stored: Uint8Array }[]): string {
  return Buffer.concat(pieces.map(({ stored }) => stored)).toString();
}

Deno.test("settle() gives the bytes of whole reads alone, and take() these reads", () => {
  const reads = new SettledReads();
  for (const bytes of [3, 0, 2]) reads.note([1, bytes]);
  equal(textOf(reads.settle([piece("a")])), "");
  equal(textOf(reads.settle([piece("b"), piece("cd")])), "abc");
  deepEqual(reads.take(), [[1, 3], [1, 0]]);
  equal(textOf(reads.settle([piece("e")])), "de");
  deepEqual([reads.take(), reads.take()], [[[1, 2]], []]);
});

Deno.test("settle() gives all bytes in order, and never part of a read, however pieces and reads are cut", () => {
  const cuts = fc.array(fc.nat(5), { maxLength: 12 });
  fc.assert(fc.property(cuts, cuts, (sizes, pieces) => {
    const text = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".slice(0, sum(sizes));
    const reads = new SettledReads();
    for (const size of sizes) reads.note([0, size]);
    let given = "";
    let at = 0;
    for (const size of [...pieces, text.length]) {
      given += textOf(reads.settle([piece(text.slice(at, at + size))]));
      at = Math.min(text.length, at + size);
      equal(given.length, sizes.map((_, index) => sum(sizes.slice(0, index + 1))).findLast((end) => end <= at) ?? 0);
    }
    deepEqual([given, sum(reads.take().map(([, bytes]) => bytes))], [text, text.length]);
  }));
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
