/** What a replay can be told: its pace, what to do when steps are used up, where a miss goes, other key rules. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { Clock } from "../../lib/engine/mod.ts";
import { defaultKeyRules } from "../../lib/step/mod.ts";
import { asks, bodyOf, get, post } from "../support/raw_client.ts";
import { RawSocket } from "../support/raw_socket.ts";
import { answering, plain, startUpstream } from "../support/raw_upstream.ts";
import { assertFaithful, Rig } from "../support/rig.ts";

/** A clock on which time passes only while somebody sleeps; it keeps what was slept. */
class FakeClock implements Clock {
  readonly sleeps: number[] = [];
  #elapsedMs = 0;

  now(): number {
    return 1_800_000_000_000 + this.#elapsedMs;
  }

  elapsedMs(): number {
    return this.#elapsedMs;
  }

  sleep(ms: number): Promise<void> {
    this.sleeps.push(Math.round(ms));
    this.#elapsedMs += ms;
    return Promise.resolve();
  }

  pass(ms: number): void {
    this.#elapsedMs += ms;
  }
}

/** Records an answer whose head takes 100 ms, and whose two chunks come 50 and 200 ms later. */
async function recordSlow(rig: Rig) {
  const clock = new FakeClock();
  const upstream = await startUpstream(async (connection) => {
    await connection.request();
    clock.pass(100);
    connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (const ms of [50, 200]) {
      await new Promise((resolve) => setTimeout(resolve, 20)); // until the recorder has read what came before
      clock.pass(ms);
      connection.send("3\r\nabc\r\n");
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    connection.send("0\r\n\r\n");
  });
  await rig.record(asks(get(upstream.host)), { clock, patienceMs: 0 });
  return upstream;
}

for (const [pace, sleeps] of [["none", []], [1, [100, 50, 200]], [10, [10, 5, 20]]] as const) {
  Deno.test(`a replay at pace ${pace} sleeps what was recorded, divided by it`, async () => {
    await using rig = new Rig();
    await using upstream = await recordSlow(rig);
    const clock = new FakeClock();
    const { value: [answer = ""], outcome } = await rig.replay(asks(get(upstream.host)), { pace, clock });
    assertFaithful(outcome);
    ok(answer.endsWith("0\r\n\r\n"));
    deepEqual(clock.sleeps, sleeps);
  });
}

/** Records two answers to the same question, and asks it so many times at replay. */
async function askAgain(onExhausted: "fail" | "last" | "cycle", times: number): Promise<string> {
  await using rig = new Rig();
  let count = 0;
  await using upstream = await startUpstream(answering(() => plain(`${++count}`)));
  const ask = get(upstream.host);
  await rig.record(asks(ask, ask));
  const { value, outcome } = await rig.replay(asks(...Array(times).fill(ask)), { onExhausted });
  equal(outcome.misses.length, onExhausted === "fail" ? 1 : 0);
  equal(outcome.misses[0]?.attempts ?? 0, onExhausted === "fail" ? times - 2 : 0);
  return value.map((answer) => answer.startsWith("HTTP/1.1 200") ? bodyOf(answer) : "miss").join(" ");
}

Deno.test("steps that are used up are a miss, the last again, or all again", async () => {
  equal(await askAgain("fail", 5), "1 2 miss miss miss");
  equal(await askAgain("last", 5), "1 2 2 2 2");
  equal(await askAgain("cycle", 5), "1 2 1 2 1");
});

Deno.test("among equal keys the step that was asked for with the same accept is served", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(
    answering((request) => plain(/accept: (.*)/.exec(request)?.[1] ?? "none")),
  );
  const ask = (accept: string) => get(upstream.host, "/", `accept: ${accept}\r\n`);
  await rig.record(asks(ask("text/html"), ask("image/png")));
  const { value, outcome } = await rig.replay(asks(ask("image/png"), ask("text/html")));
  assertFaithful(outcome);
  deepEqual(value.map(bodyOf), ["image/png", "text/html"]);
});

Deno.test("a miss says so, is not to be asked again, and lists what was never asked for", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering(() => plain("ok")));
  await rig.record(asks(get(upstream.host, "/known")));
  const { value: [answer = ""], outcome } = await rig.replay(asks(get(upstream.host, "/unknown")));
  match(answer, /^HTTP\/1\.1 502 Bad Gateway\r\n(?:.*\r\n)*x-agrepl: miss\r\nx-should-retry: false\r\n/);
  equal(JSON.parse(bodyOf(answer)).error.asked.url, `http://${upstream.host}/unknown`);
  deepEqual([outcome.hits, outcome.unused, outcome.fidelity], [0, [0], 0]);
});

Deno.test("a miss under fallback goes to the network whole, and is counted all the same", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering((request) => plain(`live ${bodyOf(request)}`)));
  const { host } = upstream;
  await rig.record(asks(get(host)));
  const asking = asks(get(host), post(host, "/new", "a body"));
  const { value, outcome } = await rig.replay(asking, { fallback: true });
  deepEqual(value.map(bodyOf), ["live ", "live a body"]);
  deepEqual([outcome.hits, outcome.misses.length, outcome.fidelity], [1, 1, 1]);
});

Deno.test("a miss under fallback whose upstream fails is answered as an upstream's error", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(async (connection) => {
    await connection.request();
    connection.socket.destroy();
  });
  await rig.record(() => Promise.resolve());
  const { value: [answer = ""] } = await rig.replay(asks(get(upstream.host)), { fallback: true });
  match(answer, /^HTTP\/1\.1 502 (?:.*\r\n)*x-agrepl: upstream-error\r\n/);
});

Deno.test("Expect: 100-continue under fallback is granted once", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(async (connection) => {
    await connection.requestHead();
    connection.send("HTTP/1.1 100 Continue\r\n\r\n");
    await connection.take((bytes) => bytes.length < 4 ? null : 4);
    connection.send(plain("thanks"));
  });
  await rig.record(() => Promise.resolve());
  const { value } = await rig.replay(async (proxyPort) => {
    await using client = await RawSocket.connect(proxyPort);
    client.send(post(upstream.host, "/", "body", "Expect: 100-continue\r\n"));
    return [await client.response(), await client.response()];
  }, { fallback: true });
  deepEqual([value[0], bodyOf(value[1] ?? "")], ["HTTP/1.1 100 Continue\r\n\r\n", "thanks"]);
});

Deno.test("rules given at replay give the trace other keys", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering(() => plain("ok")));
  const { host } = upstream;
  await rig.record(asks(get(host, "/?page=1&run=a"), post(host, "/", '{"run":1,"a":2}')));
  const asking = asks(get(host, "/?page=1&run=b"), post(host, "/", '{"run":2,"a":2}'));
  equal((await rig.replay(asking)).outcome.misses.length, 2);
  const rules = { ...defaultKeyRules, ignoreQuery: ["run"], ignoreJson: ["#/run"] };
  assertFaithful((await rig.replay(asking, { rules })).outcome);
});

Deno.test("rules given at replay reach large and compressed bodies as well", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering(() => plain("ok")));
  const asking = asks(post(upstream.host, "/", `{"a":"${"x".repeat(100_000)}"}`), post(upstream.host, "/", "short"));
  await rig.record(asking);
  assertFaithful((await rig.replay(asking, { rules: { ...defaultKeyRules, ignoreJson: ["#/b"] } })).outcome);
});

/** Removes the blobs of what was recorded last, as a careless clean-up would. */
function removeBlobs(rig: Rig): void {
  Deno.removeSync(`${rig.folder}/blobs`, { recursive: true });
}

Deno.test("a step whose blob is gone is answered 502 damaged, and told", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering(() => plain("x".repeat(100_000))));
  await rig.record(asks(get(upstream.host)));
  removeBlobs(rig);
  const { value: [answer = ""], outcome } = await rig.replay(asks(get(upstream.host)));
  match(answer, /^HTTP\/1\.1 502 (?:.*\r\n)*x-agrepl: damaged\r\n/);
  match(outcome.damaged.join(), /blob ".*" is missing/);
  deepEqual([outcome.diverged, outcome.fidelity], [[0], 0]);
});

Deno.test("a miss is explained although a step beside it is damaged", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering(() => plain("ok")));
  await rig.record(asks(post(upstream.host, "/", "x".repeat(100_000)), post(upstream.host, "/", "short")));
  removeBlobs(rig);
  const { value: [answer = ""], outcome } = await rig.replay(asks(post(upstream.host, "/", "shirt")));
  match(answer, /^HTTP\/1\.1 502 (?:.*\r\n)*x-agrepl: miss\r\n/);
  deepEqual([outcome.misses[0]?.miss.nearest.map(({ seq }) => seq), rig.notices], [[1], []]);
});

Deno.test("a line that was damaged after the trace was opened is told where it is served, and shifts no other", async () => {
  await using rig = new Rig();
  let count = 0;
  await using upstream = await startUpstream(answering(() => plain(`${++count} ${"x".repeat(60_000)}`)));
  const asking = asks(...Array<string>(80).fill(get(upstream.host))); // above 4 MiB: each line is read when it is used
  await rig.record(asking);
  const text = await Deno.readTextFile(rig.tracePath);
  await Deno.writeTextFile(rig.tracePath, text.replace('"text":"2 xxx', '"text":\\2 xxx'));
  const { value, outcome } = await rig.replay(asking);
  match(value[1] ?? "", /x-agrepl: damaged\r\n/);
  deepEqual([value[0], value[2], value[79]].map((answer) => bodyOf(answer ?? "").split(" ")[0]), ["1", "3", "80"]);
  deepEqual([outcome.diverged, outcome.damaged.length], [[1], 1]);
});

Deno.test("a registry request that was not recorded is answered 502 and marked optional", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering(() => plain("ok")));
  await rig.record(asks(get(upstream.host)));
  const { value: [answer = ""], outcome } = await rig.replay(asks(get("registry.npmjs.org", "/openai")));
  match(answer, /^HTTP\/1\.1 502 [\s\S]*x-agrepl: miss/i);
  deepEqual(outcome.misses.map((each) => each.optional), [true]);
});
