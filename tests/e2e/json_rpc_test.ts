/** JSON-RPC: the answer carries the id of the call at hand, in whatever form it was recorded. */
import { Buffer } from "node:buffer";
import { deepEqual, equal, ok } from "node:assert/strict";
import zlib from "node:zlib";
import { asks, bodyOf, get, post } from "../support/raw_client.ts";
import { chunkSizes } from "../support/raw_socket.ts";
import { answering, plain, startUpstream } from "../support/raw_upstream.ts";
import { assertFaithful, Rig } from "../support/rig.ts";

function call(id: number | string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" });
}

function asking(host: string, ...ids: (number | string)[]) {
  return asks(...ids.map((id) => post(host, "/mcp", call(id), "Content-Type: application/json\r\n")));
}

/** Records a call with one id and replays it with another; gives what the replay answered. */
async function replayed(answer: Buffer | string | string[], recordedId: number | string, liveId: number | string) {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering(() => answer));
  await rig.record(asking(upstream.host, recordedId));
  const { value: [again = ""], outcome } = await rig.replay(asking(upstream.host, liveId));
  assertFaithful(outcome);
  return again;
}

const json = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

Deno.test("a JSON answer gets the live id, and a content-length that fits", async () => {
  const answer = plain('{"result":{"id":7,"list":[{"id":7}]},"jsonrpc":"2.0", "id" : 7}', json);
  const again = await replayed(answer, 7, "call-four-thousand");
  equal(bodyOf(again), '{"result":{"id":7,"list":[{"id":7}]},"jsonrpc":"2.0", "id" : "call-four-thousand"}');
  ok(again.includes(`\r\nContent-Length: ${bodyOf(again).length}\r\n`));
});

Deno.test("a JSON answer over several lines gets the live id", async () => {
  const again = await replayed(plain('{\n  "jsonrpc": "2.0",\n  "id": 1,\n  "result": {}\n}\n', json), 1, 22);
  equal(bodyOf(again), '{\n  "jsonrpc": "2.0",\n  "id": 22,\n  "result": {}\n}\n');
});

Deno.test("a compressed JSON answer gets the live id, decoded", async () => {
  const gzip = zlib.gzipSync('{"jsonrpc":"2.0","id":1,"result":{}}').toString("latin1");
  const again = await replayed(Buffer.from(plain(gzip, `${json}Content-Encoding: gzip\r\n`), "latin1"), 1, 22);
  equal(bodyOf(again), '{"jsonrpc":"2.0","id":22,"result":{}}');
  ok(!/content-encoding/i.test(again));
});

const events = ['{"jsonrpc":"2.0","id":12,"method":"ping"}', '{"jsonrpc":"2.0","id":1,"result":{"id":1}}', "[DONE]"]
  .map((
    data,
  ) => `event: message\ndata: ${data}\n\n`);

Deno.test("an event stream gets the live id, other ids stay, and each event stays a chunk of its own", async () => {
  const chunks = events.map((event) => `${event.length.toString(16)}\r\n${event}\r\n`);
  const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
  const again = await replayed([head, ...chunks, "0\r\n\r\n"], 1, "live");
  const expected = events.map((event) => event.replace('"id":1,"result"', '"id":"live","result"'));
  deepEqual(chunkSizes(again), expected.map((event) => event.length));
  ok(expected.every((event) => again.includes(event)), again);
});

Deno.test("the same id leaves an answer untouched", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering(() => plain('{"jsonrpc":"2.0","id":3,"result":{}}', json)));
  const [answer = ""] = await rig.both(asking(upstream.host, 3));
  equal(bodyOf(answer), '{"jsonrpc":"2.0","id":3,"result":{}}');
  equal((await rig.replay(asks(get(upstream.host)))).outcome.misses.length, 1);
});
