/** Compressed bodies: passed raw always, stored raw unless there is a secret inside. */
import { Buffer } from "node:buffer";
import { deepEqual, equal, match, ok } from "node:assert/strict";
import zlib from "node:zlib";
import { asks, bodyOf, get, post } from "../support/raw_client.ts";
import { answering, plain, startUpstream } from "../support/raw_upstream.ts";
import { assertFaithful, Rig } from "../support/rig.ts";

const secret = "sk-proj-Zq8rT2mLx0Vb7NcWf5KdPj3HsYg1AeUo9R4tXiMwQzBvLkCn";
const json = JSON.stringify({ api_key: secret, words: "plain words" });
const jsonGzip = "Content-Type: application/json\r\nContent-Encoding: gzip\r\n";

/** Text that does not compress well, of about so many bytes. */
function noise(bytes: number): string {
  const words = Array.from(
    { length: bytes / 7 },
    (_, index) => (index * 2654435761 >>> 0).toString(36).padStart(6, "0"),
  );
  return words.join(" ");
}

function startWith(body: Buffer, head = jsonGzip) {
  return startUpstream(
    answering(() => Buffer.from(plain(body.toString("latin1"), `HTTP/1.1 200 OK\r\n${head}`), "latin1")),
  );
}

Deno.test("a compressed answer with a secret inside passes raw, and is replayed decoded with a length that fits", async () => {
  await using rig = new Rig();
  const gzip = zlib.gzipSync(json);
  await using upstream = await startWith(gzip);
  const [live = ""] = await rig.record(asks(get(upstream.host)));
  equal(bodyOf(live), gzip.toString("latin1"));
  const { value: [again = ""], outcome } = await rig.replay(asks(get(upstream.host)));
  assertFaithful(outcome);
  equal(bodyOf(again).length, json.length);
  match(again, new RegExp(`\r\nContent-Length: ${json.length}\r\n`));
  ok(!/content-encoding/i.test(again) && !again.includes(secret) && !rig.stored().includes(secret));
});

Deno.test("a compressed request with a secret inside is stored decoded, and asked for again with another secret", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering(() => plain("ok")));
  const asking = (text: string) => asks(post(upstream.host, "/", zlib.gzipSync(text).toString("latin1"), jsonGzip));
  await rig.record(asking(json));
  ok(!rig.stored().includes(secret));
  equal(rig.steps()[0]?.request.decoded, true);
  assertFaithful((await rig.replay(asking(json.replace(secret, `sk-proj-${"dummyDummy0".repeat(4)}`)))).outcome);
});

const large = JSON.stringify({ words: noise(8 * 1024 * 1024), api_key: secret, more: noise(70_000) });

for (
  const [coding, encoded] of Object.entries({
    gzip: zlib.gzipSync(large, { level: 1 }),
    "gzip, br": zlib.brotliCompressSync(zlib.gzipSync(large, { level: 1 }), {
      params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 0 },
    }),
  })
) {
  Deno.test(`${coding} above 4 MiB is decoded as it streams, and its secret reaches no file`, async () => {
    await using rig = new Rig();
    ok(encoded.length > 4 * 1024 * 1024);
    await using upstream = await startWith(encoded, `Content-Encoding: ${coding}\r\n`);
    const [live = ""] = await rig.record(asks(get(upstream.host)));
    ok(bodyOf(live) === encoded.toString("latin1"), "the live bytes were changed");
    ok(!rig.stored().includes(secret), "the secret was stored");
    const { value: [again = ""], outcome } = await rig.replay(asks(get(upstream.host)));
    assertFaithful(outcome);
    equal(bodyOf(again).length, large.length);
    match(again.slice(0, 400), new RegExp(`\r\nContent-Length: ${large.length}\r\n`));
  });
}

Deno.test("a large body that only says it is compressed is stored and replayed as it came", async () => {
  await using rig = new Rig();
  const body = Buffer.from(noise(5 * 1024 * 1024));
  await using upstream = await startWith(body, "Content-Encoding: gzip\r\n");
  const [answer = ""] = await rig.both(asks(get(upstream.host)));
  ok(bodyOf(answer) === body.toString("latin1"));
});

Deno.test("a large compressed body that breaks off in the middle is kept decoded up to the break", async () => {
  await using rig = new Rig();
  const encoded = zlib.gzipSync(large, { level: 1 });
  for (let at = 3_000_000; at < 3_300_000; at++) encoded[at] = at * 2654435761 >>> 13;
  await using upstream = await startWith(encoded, "Content-Encoding: gzip\r\n");
  const [live = ""] = await rig.record(asks(get(upstream.host)));
  ok(bodyOf(live) === encoded.toString("latin1"), "the live bytes were changed");
  const { value: [again = ""], outcome } = await rig.replay(asks(get(upstream.host)));
  assertFaithful(outcome);
  ok(bodyOf(again).length > 1_000_000 && bodyOf(again).length < large.length);
  ok(large.startsWith(bodyOf(again).slice(0, 1_000_000)), "other bytes than the decoded ones");
  ok(!again.includes(encoded.toString("latin1", 0, 100)), "encoded bytes among the decoded ones");
  equal(rig.steps()[0]?.response?.decoded, true);
  deepEqual(rig.lost, []);
});

Deno.test("a small body that only says it is compressed is looked through as it is", async () => {
  await using rig = new Rig();
  await using upstream = await startWith(Buffer.from(json));
  const [live = ""] = await rig.record(asks(get(upstream.host)));
  ok(bodyOf(live).includes(secret) && !rig.stored().includes(secret));
  assertFaithful((await rig.replay(asks(get(upstream.host)))).outcome);
});

Deno.test("a compressed body that was cut off is looked through as far as it goes", async () => {
  await using rig = new Rig();
  const start = zlib.gzipSync(json + noise(2000)).subarray(0, -200);
  await using upstream = await startWith(start);
  await rig.record(asks(get(upstream.host)));
  const response = rig.steps()[0]?.response;
  ok(response?.decoded === true && !rig.stored().includes(secret));
  assertFaithful((await rig.replay(asks(get(upstream.host)))).outcome);
});

Deno.test("a secret in a trailer reaches no file", async () => {
  await using rig = new Rig();
  const chunked = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Api-Key: ${secret}\r\n\r\n`;
  await using upstream = await startUpstream(answering(() => chunked));
  await rig.record(asks(get(upstream.host)));
  equal(rig.steps()[0]?.response?.trailers[0]?.[1].length, secret.length);
  ok(!rig.stored().includes(secret));
});
