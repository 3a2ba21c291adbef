import { deepEqual, equal, match, notEqual, ok, rejects } from "node:assert/strict";
import { ReplayDivergenceError, replayOn } from "../../lib/inprocess/mod.ts";
import { both, CassetteRoom, Loopback, openHost } from "./room.ts";

const pathOf = ({ url }: Request) => new Response(new URL(url).pathname);

Deno.test("withReplay() keeps two functions at once apart", async () => {
  await using server = new Loopback(pathOf);
  using one = new CassetteRoom();
  using two = new CassetteRoom();
  const ask = (name: string) => async () => {
    const paths = Array.from({ length: 20 }, (_, at) => `/${name}/${at}`);
    return await Promise.all(paths.map(async (path) => await (await fetch(server.url(path))).text()));
  };
  const recorded = await Promise.all([one.record(ask("one")), two.record(ask("two"))]);
  const paths = [one, two].map((room) => new Set(room.steps().map((step) => step.request.url.split("/")[3])));
  deepEqual(paths, [new Set(["one"]), new Set(["two"])]);
  deepEqual(await Promise.all([one.replay(ask("one")), two.replay(ask("two"))]), recorded);
});

Deno.test("withReplay() leaves a request outside of the function alone", async () => {
  await using server = new Loopback(pathOf);
  using room = new CassetteRoom();
  const { promise: outside, resolve: done } = Promise.withResolvers<void>();
  const running = room.record((t) => outside.then(() => t.system("end", () => 1)));
  equal(await (await fetch(server.url("/outside"))).text(), "/outside");
  done();
  await running;
  deepEqual(room.steps().map((step) => step.type), ["SYSTEM"]);
});

Deno.test("withReplay() puts fetch back behind the last function, also when it throws", async () => {
  const genuine = globalThis.fetch;
  using room = new CassetteRoom();
  await rejects(
    room.record(() => {
      notEqual(globalThis.fetch, genuine);
      throw new RangeError("no");
    }),
    RangeError,
  );
  equal(globalThis.fetch, genuine);
});

Deno.test("withReplay() leaves no cassette when the function fails", async () => {
  await using server = new Loopback(pathOf);
  using room = new CassetteRoom();
  const fail = async () => {
    await (await fetch(server.url("/"))).text();
    throw new RangeError("no");
  };
  await rejects(room.record(fail), RangeError);
  deepEqual([...Deno.readDirSync(room.folder)], []);
});

Deno.test("withReplay() keeps the cassette that is there when the function fails", async () => {
  using room = new CassetteRoom();
  await both(room, pathOf, async (url) => await (await fetch(url("/"))).text());
  const before = room.text();
  await rejects(room.recordAnew(() => Promise.reject(new RangeError("no"))), RangeError);
  equal(room.text(), before);
});

Deno.test("withReplay() rejects with the miss, what was left over, and what the function threw", async () => {
  using room = new CassetteRoom();
  const post = (url: string, body: unknown) => fetch(url, { method: "POST", body: JSON.stringify(body) });
  let target = "";
  await both(room, pathOf, async (url) => {
    target = url("/chat");
    return await (await post(target, { temperature: 1 })).text();
  });
  const error = await room.replay(async () => {
    const response = await post(target, { temperature: 0 });
    equal(response.headers.get("x-agrepl"), "miss");
    throw new RangeError(`status ${response.status}`);
  }).catch((error) => error);
  ok(error instanceof ReplayDivergenceError);
  ok(error.cause instanceof RangeError);
  deepEqual(error.unused.map(({ seq, method }) => [seq, method]), [[0, "POST"]]);
  match(error.message, /1 miss, 1 step never asked for/);
  match(error.message, /body #\/temperature: 1 -> 0/);
  match(error.message, /ignoreJson: \["#\/temperature"\]/);
  match(error.message, /the function threw: RangeError: status 502/);
});

Deno.test("withReplay() forgives unused steps where that is allowed", async () => {
  using room = new CassetteRoom();
  await both(room, pathOf, async (url) => await (await fetch(url("/"))).text());
  await rejects(room.replay(() => 1), ReplayDivergenceError);
  equal(await room.replay(() => 1, { allowUnused: true }), 1);
});

Deno.test("withReplay() replays under further rules", async () => {
  using room = new CassetteRoom();
  let target = "";
  await both(room, pathOf, async (url) => {
    target = url("/");
    return await (await fetch(`${target}?day=1`)).text();
  });
  await rejects(room.replay(async () => await (await fetch(`${target}?day=2`)).text()), ReplayDivergenceError);
  equal(await room.replay(async () => await (await fetch(`${target}?day=2`)).text(), { ignoreQuery: ["day"] }), "/");
});

Deno.test("withReplay() falls back on the network, and tells what was missing", async () => {
  await using server = new Loopback(pathOf);
  using room = new CassetteRoom();
  await room.record(async () => await (await fetch(server.url("/a"))).text());
  const seen: string[] = [];
  const options = { path: room.path, mode: "fallback" } as const;
  const run = replayOn(openHost, options, async () => {
    for (const path of ["/a", "/b"]) seen.push(await (await fetch(server.url(path))).text());
  });
  await rejects(run, (error) => error instanceof ReplayDivergenceError && error.misses.length === 1);
  deepEqual(seen, ["/a", "/b"]);
});

Deno.test("withReplay() rejects fetch when it is aborted before the answer", async () => {
  using room = new CassetteRoom();
  const { promise: never, resolve } = Promise.withResolvers<Response>();
  await using server = new Loopback(() => never);
  await room.record(async () => {
    const asked = fetch(server.url("/"), { signal: AbortSignal.timeout(50) });
    await rejects(asked, { name: "TimeoutError" });
    resolve(new Response("late"));
  });
  deepEqual(room.steps().map((step) => step.request.method), ["GET"]);
});

Deno.test("withReplay() ends a body that is aborted half way, in both modes", async () => {
  using room = new CassetteRoom();
  async function* slowly() {
    yield "first";
    await new Promise((resolve) => setTimeout(resolve, 100));
    yield "second";
  }
  const handler = () => new Response(ReadableStream.from(slowly()).pipeThrough(new TextEncoderStream()));
  const { recorded, replayed } = await both(room, handler, async (url) => {
    const abort = new AbortController();
    const reader = (await fetch(url("/"), { signal: abort.signal })).body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    abort.abort(new RangeError("enough"));
    await rejects(async () => await reader?.read(), RangeError);
    return first;
  });
  deepEqual([recorded, replayed], ["first", "first"]);
});

Deno.test("withReplay() gives an answer that is read behind the function", async () => {
  using room = new CassetteRoom();
  const text = "x".repeat(3_000_000);
  const { recorded, replayed } = await both(room, () => new Response(text), (url) => fetch(url("/")));
  deepEqual([(await recorded.text()).length, (await replayed.text()).length], [text.length, text.length]);
});
