import { equal } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { RpcIds } from "./_rpc_ids.ts";

const call = (id: unknown) => JSON.stringify({ jsonrpc: "2.0", id, method: "add" });
const answer = (id: unknown) => JSON.stringify({ jsonrpc: "2.0", id, result: { id } });

const answers: readonly (readonly [what: string, stored: string, live: string])[] = [
  ["an answer to a call", answer(1), '{"jsonrpc":"2.0","id":"seven","result":{"id":1}}'],
  ["an answer to another call", answer(2), answer(2)],
  ["a call of the server's own", call(1), call(1)],
  ["what is no JSON-RPC", "1", "1"],
];

for (const [what, stored, live] of answers) {
  Deno.test(`RpcIds puts the right id into ${what}`, () => {
    const ids = new RpcIds();
    ids.learn(call(1), call("seven"));
    equal(Buffer.from(ids.toLive(Buffer.from(stored))).toString(), live);
  });
}

Deno.test("RpcIds learns nothing of messages without an id", () => {
  const ids = new RpcIds();
  ids.learn(call(1), "hello");
  ids.learn(null, call(1));
  equal(Buffer.from(ids.toLive(Buffer.from(answer(1)))).toString(), answer(1));
});
