import { Buffer } from "node:buffer";
import { deepEqual, equal, rejects } from "node:assert/strict";
import { BodySpool } from "../store/mod.ts";
import { spoolPieces } from "./_spool_pieces.ts";

const pieces = ["a", "b", "c"].map((text) => ({ stored: Buffer.from(text), secret: false }));

Deno.test("spoolPieces() gives nothing to wait for when no push does", () => {
  const spool = new BodySpool(null);
  equal(spoolPieces(spool, pieces), undefined);
  deepEqual(spool.finish(), { text: "abc" });
});

Deno.test("spoolPieces() begins no push before the last has ended", async () => {
  const events: string[] = [];
  const push = async (bytes: Uint8Array) => {
    events.push(`${Buffer.from(bytes)} begins`);
    await Promise.resolve();
    events.push(`${Buffer.from(bytes)} ends`);
  };
  await spoolPieces(Object.assign(new BodySpool(null), { push }), pieces);
  deepEqual(events, ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

Deno.test("spoolPieces() rejects with the first failure and leaves none unseen", async () => {
  let count = 0;
  const push = () => Promise.reject(new RangeError(`push ${++count}`));
  await rejects(spoolPieces(Object.assign(new BodySpool(null), { push }), pieces) ?? Promise.resolve(), /push 1/);
  equal(count, 1);
});
