import { deepEqual, equal, notEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { Pieces } from "./websocket_pieces.ts";

Deno.test("join() gives what was pushed, however it was cut", () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.nat(200_000).map((length) => Buffer.alloc(length, length)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (all) => {
      const pieces = new Pieces();
      for (const each of all) pieces.push(each);
      equal(Buffer.compare(pieces.join(), Buffer.concat(all)), 0);
    }),
    { numRuns: 50 },
  );
});

Deno.test("push() keeps nothing of the read that a piece was cut from", () => {
  const read = Buffer.alloc(65_536, "x");
  const pieces = new Pieces();
  pieces.push(read.subarray(0, 3));
  read.fill("y");
  deepEqual(Buffer.from(pieces.join()).toString(), "xxx");
  notEqual(pieces.join().buffer, read.buffer);
});
