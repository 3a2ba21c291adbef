import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { shareChunks } from "./_chunk_shares.ts";

Deno.test("shareChunks() gives each read its share", () => {
  deepEqual(shareChunks([[1, 10], [2, 30]], 40, 400), [[1, 100], [2, 300]]);
  deepEqual(shareChunks([[1, 10], [2, 10]], 20, 1), [[1, 1]]);
  deepEqual(shareChunks([], 0, 0), []);
});

Deno.test("shareChunks() adds up to the whole, and gives no empty chunk", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1 });
  fc.assert(fc.property(sizes, fc.nat({ max: 10_000_000 }), (bytes, toBytes) => {
    const from = bytes.reduce((sum, each) => sum + each, 0);
    const shares = shareChunks(bytes.map((each, index) => [index, each] as const), from, toBytes);
    equal(shares.reduce((sum, [, each]) => sum + each, 0), toBytes);
    ok(shares.every(([, each]) => each > 0));
  }));
});
