import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { ReplayDivergenceError, type ReplayScope } from "../../lib/inprocess/mod.ts";
import { CassetteRoom, Loopback } from "./room.ts";

Deno.test("tool() is called in a recording and remembered in a replay", async () => {
  using room = new CassetteRoom();
  let calls = 0;
  const ask = (t: ReplayScope) => t.tool("search docs", { q: "a", n: 1 }, () => ({ hits: [++calls, null, "x"] }));
  deepEqual(await room.record(ask), { hits: [1, null, "x"] });
  deepEqual(await room.replay(ask), { hits: [1, null, "x"] });
  const [step] = room.steps();
  deepEqual([step?.type, step?.request.method, step?.request.url], ["TOOL", "TOOL", "agrepl:search%20docs"]);
  deepEqual([step?.request.body, step?.response?.body], [{ text: '{"n":1,"q":"a"}' }, {
    text: '{"hits":[1,null,"x"]}',
  }]);
});

Deno.test("system() remembers a value, and undefined", async () => {
  using room = new CassetteRoom();
  const ask = async (t: ReplayScope) => [await t.system("now", () => 17), await t.system("nothing", () => undefined)];
  deepEqual(await room.record(ask), [17, undefined]);
  deepEqual(await room.replay(ask), [17, undefined]);
  deepEqual(room.steps().map((step) => step.type), ["SYSTEM", "SYSTEM"]);
});

Deno.test("tool() throws an error of the same name and message", async () => {
  using room = new CassetteRoom();
  class QuotaError extends Error {
    override readonly name = "QuotaError";
  }
  const ask = (t: ReplayScope) =>
    Promise.allSettled([
      t.tool("a", 1, () => Promise.reject(new RangeError("too far"))),
      t.tool("b", 1, () => Promise.reject(new QuotaError("too much"))),
    ]).then((all) =>
      all.map((each) => each.status === "rejected" ? [String(each.reason), each.reason instanceof RangeError] : [])
    );
  const expected = [["RangeError: too far", true], ["QuotaError: too much", false]];
  deepEqual(await room.record(ask), expected);
  deepEqual(await room.replay(ask), expected);
});

Deno.test("tool() records nothing of what its function asks of the network", async () => {
  await using server = new Loopback(() => new Response("inner"));
  using room = new CassetteRoom();
  const ask = (t: ReplayScope) => t.tool("get", null, async () => await (await fetch(server.url("/"))).text());
  equal(await room.record(ask), "inner");
  equal(room.steps().length, 1);
  equal(await room.replay(ask), "inner");
});

for (const [what, value] of Object.entries({ "a Map": new Map(), "a Date": new Date(0), NaN: NaN, "a bigint": 1n })) {
  Deno.test(`tool() refuses to record ${what}`, async () => {
    using room = new CassetteRoom();
    await rejects(room.record((t) => t.tool("x", null, () => ({ in: [value] }))), /Cannot record the value .*#\/in\/0/);
  });
}

Deno.test("tool() whose value JSON cannot carry fails the recording, also where its function catches that", async () => {
  using room = new CassetteRoom();
  const run = (t: ReplayScope) => t.tool("clock", null, () => new Date(0)).catch(() => "caught");
  await rejects(
    room.record(run),
    (error) => error instanceof TypeError && /the value of tool "clock"/.test(error.message),
  );
  deepEqual([...Deno.readDirSync(room.folder)], []);
});

Deno.test("tool() throws again what is no error", async () => {
  using room = new CassetteRoom();
  const thrown = ["no", { code: 7 }, null, 0];
  const run = (t: ReplayScope) =>
    Promise.all(thrown.map((each, at) => t.tool("t", at, () => Promise.reject(each)).catch((caught) => caught)));
  deepEqual(await room.record(run), thrown);
  deepEqual(await room.replay(run), thrown);
});

Deno.test("tool() records nothing of a tool that its function calls, and all of one beside it", async () => {
  using room = new CassetteRoom();
  const run = async (t: ReplayScope) => {
    const outer = await t.tool(
      "outer",
      1,
      async () => [await t.tool("inner", 1, () => 2), await t.system("x", () => 3)],
    );
    return [outer, await t.tool("inner", 1, () => 4)];
  };
  deepEqual(await room.record(run), [[2, 3], 4]);
  deepEqual(room.steps().map(({ request }) => request.url), ["agrepl:outer", "agrepl:inner"]);
  deepEqual(await room.replay(run), [[2, 3], 4]);
});

Deno.test("tool() of a cassette inside of another one's tool is recorded there", async () => {
  using outer = new CassetteRoom();
  using inner = new CassetteRoom();
  await outer.record((t) => t.tool("outer", 1, () => inner.record((within) => within.tool("inner", 1, () => 2))));
  deepEqual([outer, inner].map((room) => room.steps().map(({ request }) => request.url)), [["agrepl:outer"], [
    "agrepl:inner",
  ]]);
});

Deno.test("tool() that was never recorded is a miss", async () => {
  using room = new CassetteRoom();
  await room.record((t) => t.tool("a", 1, () => 1));
  const missed = room.replay((t) => t.tool("a", 2, () => 2));
  await rejects(missed, (error) => {
    ok(error instanceof ReplayDivergenceError);
    equal((error.cause as Error).name, "CallMissedError");
    return error.misses[0]?.method === "TOOL";
  });
});

Deno.test("withReplay() tells mode, steps, isolation and fidelity", async () => {
  using room = new CassetteRoom();
  const ask = async (t: ReplayScope) => {
    const before = [t.mode, t.steps.length, t.fidelity()];
    await t.tool("a", 1, () => 1);
    return [...before, t.fidelity(), t.isolation.held];
  };
  deepEqual(await room.record(ask), ["record", 0, 1, 1, "none"]);
  deepEqual(await room.replay(ask), ["replay", 1, 0, 1, "scope"]);
});
