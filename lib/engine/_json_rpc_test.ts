import { Buffer } from "node:buffer";
import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { jsonRpcId, withLiveId } from "./_json_rpc.ts";

Deno.test("jsonRpcId() reads the id as it stands in JSON, and gives null for all that is no call with an id", () => {
  equal(jsonRpcId('{"jsonrpc":"2.0","id":7}'), "7");
  equal(jsonRpcId('{"jsonrpc":"2.0","id":"a\\"b"}'), '"a\\"b"');
  for (
    const text of [null, "", "{}", '{"id":1}', '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":null}', '"jsonrpc"', "[1"]
  ) {
    equal(jsonRpcId(text), null, String(text));
  }
});

/** Puts "live" in the place of 1. */
function live(text: string): string {
  const { bytes } = withLiveId({ body: Buffer.from(text), chunks: [], recordedId: "1", liveId: '"live"' });
  return Buffer.from(bytes).toString();
}

const untouched = [
  '{"id":12}',
  '{"id":1.5}',
  '{"id":"1"}',
  '{"result":{"id":1}}',
  '{"list":[{"id":1}]}',
  '{"text":"\\"id\\":1"}',
  '[{"id":1}]',
  "id: 1\n\n",
  ': {"id":1}\n\n',
];

for (const text of untouched) {
  Deno.test(`withLiveId() leaves ${JSON.stringify(text)} as it is`, () => {
    equal(live(text), text);
  });
}

Deno.test("withLiveId() replaces the id of an object, and of each object of an event stream", () => {
  equal(live(' {"a":{"id":1},\n"id" : 1 }'), ' {"a":{"id":1},\n"id" : "live" }');
  equal(
    live('data: {"id":1}\r\n\r\ndata:{"id":2}\n\ndata: {"é":1,"id":1,"x":0}\n\n'),
    'data: {"id":"live"}\r\n\r\ndata:{"id":2}\n\ndata: {"é":1,"id":"live","x":0}\n\n',
  );
});

Deno.test("withLiveId() leaves bytes that are no UTF-8 as they are", () => {
  const body = Uint8Array.of(0x7b, 0xff);
  deepEqual(withLiveId({ body, chunks: [[0, 2]], recordedId: "1", liveId: "2" }), { bytes: body, chunks: [[0, 2]] });
});

Deno.test("withLiveId() moves the boundaries with the ids before them, so that chunks still add up to the body", () => {
  const event = fc.constantFrom('data: {"id":1}\n\n', 'data: {"id":2}\n\n', 'data: {"é":"ü"}\n\n', ": note\n\n");
  fc.assert(fc.property(fc.array(event), fc.stringMatching(/^[0-9]{1,12}$/), (events, liveId) => {
    const chunks = events.map((text, index) => [index, Buffer.byteLength(text)] as const);
    const given = withLiveId({ body: Buffer.from(events.join("")), chunks, recordedId: "1", liveId });
    const expected = events.map((text) => text.replace('"id":1}', `"id":${liveId}}`));
    equal(Buffer.from(given.bytes).toString(), expected.join(""));
    deepEqual(given.chunks.map(([, bytes]) => bytes), expected.map((text) => Buffer.byteLength(text)));
  }));
});
