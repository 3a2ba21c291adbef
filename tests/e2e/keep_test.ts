/** Replays that are kept: what was asked and what went out, as a trace of its own. Rig.both() keeps every replay too. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { Clock } from "../../lib/engine/mod.ts";
import { bodyBytes, type Step } from "../../lib/step/mod.ts";
import { opcodes } from "../../lib/wire/mod.ts";
import { Http2Peer, http2Trust, startHttp2 } from "../support/http2_peers.ts";
import { asks, bodyOf, get, post } from "../support/raw_client.ts";
import { RawSocket } from "../support/raw_socket.ts";
import { answering, plain, type RawUpstream, startUpstream } from "../support/raw_upstream.ts";
import { assertFaithful, Rig } from "../support/rig.ts";
import { assertOfSchema } from "../support/trace_schema.ts";
import { openSocket, startSocketServer } from "../support/wire_peer.ts";

/** `seq METHOD path status`, of each step. */
function shown(steps: readonly Step[]): string[] {
  return steps.map(({ seq, request, response, error }) =>
    `${seq} ${request.method} ${new URL(request.url).pathname} ${response?.status ?? error?.code}`
  );
}

const counting = (count = 0) => answering((request) => plain(`${++count} ${bodyOf(request)}`));

Deno.test("a kept replay holds each request in the order asked, with what went out, a miss's 502 included", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(counting());
  const { host } = upstream;
  await rig.record(asks(get(host, "/a"), post(host, "/b", "body"), get(host, "/c")));
  const asking = asks(get(host, "/c"), post(host, "/b", "other"), get(host, "/a"));
  const { value } = await rig.replay(asking, { keep: true });
  deepEqual(shown(rig.keptSteps()), ["0 GET /c 200", "1 POST /b 502", "2 GET /a 200"]);
  const miss = rig.keptSteps()[1];
  deepEqual([miss?.request.body, miss?.response?.body], [{ text: "other" }, { text: bodyOf(value[1] ?? "") }]);
  deepEqual(
    rig.keptSteps().filter((_, at) => at !== 1).map(({ key }) => key),
    [2, 0].map((at) => rig.steps()[at]?.key),
  );
  assertOfSchema(rig.keptPath);
});

Deno.test("diff of a run and its kept replay counts the steps of D, as F does", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(counting());
  const paths = ["/a", "/b", "/c", "/d"].map((path) => get(upstream.host, path));
  await rig.record(asks(...paths));
  for (const asked of [4, 3, 1, 0]) {
    const { outcome } = await rig.replay(asks(...paths.slice(0, asked)), { keep: true });
    const difference = rig.keptDifference();
    const missing = difference.steps.filter(({ relation }) => relation === "only_a").map(({ a }) => a?.seq);
    deepEqual(missing, outcome.diverged);
    equal(difference.counts.signal, outcome.diverged.length);
    equal(outcome.fidelity, asked / 4);
  }
});

Deno.test("a replay kept with a fallback is the merged trace, and replays without one", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(counting());
  const { host } = upstream;
  await rig.record(asks(get(host, "/a")));
  const asking = asks(get(host, "/a"), post(host, "/new", "live"), get("127.0.0.1:1", "/down"));
  const { value } = await rig.replay(asking, { fallback: true, keep: true });
  deepEqual(shown(rig.keptSteps()), ["0 GET /a 200", "1 POST /new 200", "2 GET /down ECONNREFUSED"]);
  rig.tracePath = rig.keptPath;
  const again = await rig.replay(asking);
  deepEqual(again.value, value);
  assertFaithful(again.outcome);
});

Deno.test("a secret of a kept replay's request is not written, and its key is that of the step it hit", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(counting());
  const ask = (token: string) => post(upstream.host, "/", `{"token":"${token}"}`, `Authorization: Bearer ${token}\r\n`);
  await rig.record(asks(ask("recorded-secret-0123456789")));
  await rig.replay(asks(ask("replayed-secret-0123456789")), { keep: true });
  deepEqual(rig.keptSteps().map(({ key }) => key), rig.steps().map(({ key }) => key));
  ok(!rig.stored().includes("replayed-secret"));
  rig.assertKeptAlike();
});

/** A clock on which time passes only while somebody sleeps. */
function sleepingClock(): Clock {
  let nowMs = 0;
  return {
    now: () => nowMs,
    elapsedMs: () => nowMs,
    sleep(ms) {
      nowMs += ms;
      return Promise.resolve();
    },
  };
}

Deno.test("the chunks of a kept replay are those that went out, at the times they went out", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(async (connection) => {
    await connection.request();
    connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (const piece of ["3\r\nabc\r\n", "2\r\nde\r\n"]) {
      connection.send(piece);
      await new Promise((resolve) => setTimeout(resolve, 20)); // until the recorder has read it
    }
    connection.send("0\r\n\r\n");
  });
  await rig.record(asks(get(upstream.host)));
  const recorded = rig.steps()[0]?.response?.chunks ?? [];
  await rig.replay(asks(get(upstream.host)), { keep: true, pace: 0.5, clock: sleepingClock() });
  const kept = rig.keptSteps()[0]?.response?.chunks ?? [];
  deepEqual(kept.map(([, bytes]) => bytes), [3, 2]);
  deepEqual(kept.map(([atMs]) => atMs.toFixed(2)), recorded.map(([atMs]) => (atMs * 2).toFixed(2)));
});

/** Reads the head, and hangs up. */
function hangsUp({ host }: RawUpstream) {
  return async (port: number): Promise<void> => {
    await using client = await RawSocket.connect(port);
    client.send(get(host));
    await client.take((bytes) => bytes.includes("\r\n\r\n") ? 0 : null);
  };
}

Deno.test("a client that hangs up leaves all of the answer in a kept replay, as it does in a recording", async () => {
  await using rig = new Rig();
  const body = "x".repeat(30_000_000); // more than the sockets in between hold
  await using upstream = await startUpstream(answering(() => plain(body)));
  await rig.record(hangsUp(upstream));
  await rig.replay(hangsUp(upstream), { keep: true });
  const { response } = rig.keptSteps()[0] ?? {};
  deepEqual([response?.end, bodyBytes(response?.body ?? null)], ["client_closed", body.length]);
  rig.assertKeptAlike();
});

Deno.test("a miss over HTTP/2 is kept as an answer of HTTP/2", async () => {
  await using origin = await startHttp2((stream) => {
    stream.respond({ ":status": 200 });
    stream.end("ok");
  });
  await using rig = new Rig();
  const ask = (path: string) => async (port: number) => {
    await using peer = await Http2Peer.connect(rig, port, origin.host);
    return (await peer.ask({ path })).body;
  };
  await rig.record(ask("/known"), { trust: [http2Trust] });
  await rig.replay(ask("/unknown"), { keep: true });
  const { request, response } = rig.keptSteps()[0] ?? {};
  deepEqual([request?.httpVersion, response?.httpVersion, response?.status], ["2", "2", 502]);
});

Deno.test("a message that a socket's recording does not have is in the kept replay, with the close it got", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(async (peer) => {
    await peer.sees(2); // the message, and the close
    peer.close();
    peer.raw.socket.end();
  });
  const say = (text: string) => async (port: number) => {
    await using peer = await openSocket(port, { host: server.host });
    peer.text(text);
    peer.close();
    return await peer.rest();
  };
  await rig.record(say("recorded"));
  await rig.replay(say("another"), { keep: true });
  const frames = rig.keptSteps()[0]?.response?.frames ?? [];
  ok(frames.some(([, from, opcode]) => from === "server" && opcode === opcodes.close));
  match(JSON.stringify(frames[0]), /another/);
  ok(rig.keptDifference().counts.signal > 0);
});
