import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import http from "node:http";
import {
  CassetteInUseError,
  CassetteNotFoundError,
  type Host,
  ReplayDivergenceError,
  replayOn,
  RequestsLeftRunningError,
} from "../../lib/inprocess/mod.ts";
import { TraceFormatError } from "../../lib/step/mod.ts";

import { both, CassetteRoom, Loopback, openHost } from "./room.ts";

const pathOf = ({ url }: Request) => new Response(new URL(url).pathname);
const text = async (url: string) => await (await fetch(url)).text();

/** Records one answer, and gives its URL. */
async function recordOne(room: CassetteRoom): Promise<string> {
  await both(room, pathOf, (url) => text(url("/a")));
  return room.steps()[0]?.request.url ?? "";
}

Deno.test("withReplay() says in CI which command records a cassette that is missing", async () => {
  using room = new CassetteRoom();
  const ci: Host = { ...openHost, variable: (name) => name === "CI" ? "true" : "" };
  await rejects(replayOn(ci, room.path, () => 1), (error) => {
    ok(error instanceof CassetteNotFoundError);
    match(error.message, /there is no such file.*CI is set.*AGREPL_MODE=record deno test -A/);
    return true;
  });
});

for (
  const [what, damaged] of Object.entries({
    "no JSON": "not a cassette\n",
    "nothing": "",
    "a newer version": '{"kind":"trace","version":9}\n',
  })
) {
  Deno.test(`withReplay() refuses a cassette that holds ${what}, and names its line`, async () => {
    using room = new CassetteRoom();
    Deno.writeTextFileSync(room.path, damaged);
    await rejects(
      room.replay(() => 1),
      (error) => error instanceof TraceFormatError && /c\.ndjson.*line 1/.test(error.message),
    );
    equal(room.text(), damaged);
  });
}

Deno.test("withReplay() tells of a step that is damaged when it is asked for", async () => {
  using room = new CassetteRoom();
  const url = await recordOne(room);
  Deno.writeTextFileSync(room.path, room.text().replace('"status":200', '"status":"x"'));
  const seen: (string | null)[] = [];
  await rejects(
    room.replay(async () => seen.push((await fetch(url)).headers.get("x-agrepl"))),
    (error) => error instanceof ReplayDivergenceError && /step 0 differs: .*line 2.*status/.test(error.message),
  );
  deepEqual(seen, ["damaged"]);
});

Deno.test("withReplay() replays under the rules that a cassette was recorded with", async () => {
  using room = new CassetteRoom();
  const server = new Loopback(pathOf);
  const url = server.url("/a");
  await room.record(() => text(`${url}?day=1&x=1`), { ignoreQuery: ["day"] });
  await server[Symbol.asyncDispose]();
  equal(await room.replay(() => text(`${url}?day=2&x=1`)), "/a");
  await rejects(room.replay(() => text(`${url}?day=2&x=2`)), ReplayDivergenceError);
  equal(await room.replay(() => text(`${url}?day=2&x=2`), { ignoreQuery: ["x"] }), "/a");
});

Deno.test("withReplay() refuses a second recording of one cassette, and harms neither", async () => {
  await using server = new Loopback(pathOf);
  using room = new CassetteRoom();
  await room.record(async () => {
    await rejects(room.record(() => text(server.url("/b"))), CassetteInUseError);
    await rejects(replayOn(openHost, { path: room.path, mode: "record" }, () => 1), /another function records it/);
    return await text(server.url("/a"));
  });
  deepEqual(room.steps().map(({ request }) => new URL(request.url).pathname), ["/a"]);
});

Deno.test("withReplay() refuses to record what another function replays", async () => {
  using room = new CassetteRoom();
  const url = await recordOne(room);
  const before = room.text();
  await room.replay(async () => {
    await rejects(room.record(() => 1), /another function replays it/);
    return await text(url);
  });
  equal(room.text(), before);
});

Deno.test("withReplay() does not write over what another process has recorded meanwhile", async () => {
  using room = new CassetteRoom();
  await recordOne(room);
  const other = room.text().replaceAll("/a", "/b");
  const late = room.recordAnew((t) => t.system("write", () => Deno.writeTextFileSync(room.path, other)));
  await rejects(late, (error) => error instanceof CassetteInUseError && /replaced it meanwhile/.test(error.message));
  equal(room.text(), other);
});

Deno.test("withReplay() replays one cassette to any number of functions at once", async () => {
  using room = new CassetteRoom();
  const url = await recordOne(room);
  deepEqual(await Promise.all([1, 2, 3].map(() => room.replay(() => text(url)))), ["/a", "/a", "/a"]);
});

Deno.test("withReplay() in withReplay() has its own cassette, and the outer one goes on behind it", async () => {
  await using server = new Loopback(pathOf);
  using outer = new CassetteRoom();
  using inner = new CassetteRoom();
  const paths = (room: CassetteRoom) => room.steps().map(({ request }) => new URL(request.url).pathname);
  const run = (mode: "record" | "replay") =>
    outer[mode](async () => {
      const all = [await text(server.url("/1")), await inner[mode](() => text(server.url("/2")))];
      return [...all, await text(server.url("/3"))];
    });
  deepEqual(await run("record"), ["/1", "/2", "/3"]);
  deepEqual([paths(outer), paths(inner)], [["/1", "/3"], ["/2"]]);
  deepEqual(await run("replay"), ["/1", "/2", "/3"]);
});

Deno.test("withReplay() refuses a body that is locked, as fetch does, and asks nothing", async () => {
  await using server = new Loopback(pathOf);
  using room = new CassetteRoom();
  await room.record(async (t) => {
    const body = ReadableStream.from([new Uint8Array(1)]);
    body.getReader();
    await rejects(fetch(server.url("/"), { method: "POST", body }), TypeError);
    await t.system("end", () => 1);
  });
  deepEqual(room.steps().map((step) => step.type), ["SYSTEM"]);
});

Deno.test("withReplay() rejects a request whose body fails half way, with what failed as the cause", async () => {
  await using server = new Loopback(async (request) => new Response(await request.text().catch(() => "")));
  using room = new CassetteRoom();
  async function* failing() {
    yield new Uint8Array(10);
    await Promise.resolve();
    throw new RangeError("out of paper");
  }
  const ask = async () => {
    const sent = fetch(server.url("/"), { method: "POST", body: ReadableStream.from(failing()) });
    await rejects(sent, (error) => error instanceof TypeError && String(error.cause).includes("out of paper"));
    return await text(server.url("/next"));
  };
  await room.record(ask);
  equal(await room.replay(ask, { allowUnused: true }), "");
});

Deno.test("withReplay() names the requests that its function leaves running, and records nothing then", async () => {
  using room = new CassetteRoom();
  const { promise: slow, resolve: letGo } = Promise.withResolvers<void>();
  await using server = new Loopback((request) =>
    request.url.includes("slow") ? slow.then(() => pathOf(request)) : pathOf(request)
  );
  const ask = async () => {
    void text(server.url("/slow?api_key=abcdef0123456789")); // what nobody catches must not hide the error either
    http.get(server.url("/node-slow"));
    return await text(server.url("/a"));
  };
  await rejects(room.record(ask), (error) => {
    ok(error instanceof RequestsLeftRunningError);
    deepEqual(error.requests, [
      `GET ${server.url("/slow?api_key=[redacted-1****]")}`,
      `GET ${server.url("/node-slow")}`,
    ]);
    match(error.message, /2 requests of its function still running.*\nstill running: GET http/);
    return true;
  });
  deepEqual([...Deno.readDirSync(room.folder)], []);
  letGo();
});

Deno.test("withReplay() names in a replay what its function leaves open", async () => {
  using room = new CassetteRoom();
  const handler = (request: Request) => Deno.upgradeWebSocket(request).response;
  let target = "";
  const open = async () => {
    const socket = new WebSocket(target);
    await new Promise((resolve) => socket.onopen = resolve);
    return { socket, closed: new Promise((resolve) => socket.onclose = resolve) };
  };
  await both(room, handler, async (url) => {
    target = url("/").replace("http", "ws");
    const { socket, closed } = await open();
    socket.close();
    await closed;
  });
  const left: Promise<unknown>[] = [];
  const replayed = room.replay(async () => void left.push((await open()).closed));
  await rejects(replayed, (error) => error instanceof RequestsLeftRunningError && error.requests.length === 1);
  await left[0];
});

Deno.test("withReplay() refuses what a function asks for when it has ended", async () => {
  await using server = new Loopback(pathOf);
  using room = new CassetteRoom();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let late: Promise<unknown> = Promise.resolve();
  await room.record(async (t) => {
    await t.system("end", () => 1);
    late = ended.then(() => text(server.url("/late"))).catch((error) => error);
  });
  end();
  match(String(await late), /its function has ended|\/late/);
});
