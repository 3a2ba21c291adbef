import { deepEqual, equal, ok } from "node:assert/strict";
import { type Host, replayOn } from "../../lib/inprocess/mod.ts";
import { CassetteRoom, Loopback, openHost } from "./room.ts";

const token = "tide-table-reader-0417";
const env = { MY_SERVICE_TOKEN: token, HARBOUR_NAME: "a harbour of no secrecy" };
const host: Host = { ...openHost, variables: () => env };

/** Says everything it is told back. */
const echo = async (request: Request) => new Response(await request.text());

Deno.test("withReplay() keeps the credentials of the environment out of a cassette, wherever they turn up", async () => {
  await using server = new Loopback(echo);
  using room = new CassetteRoom();
  const ask = async () => {
    const body = `${token} of ${env.HARBOUR_NAME}`;
    return await (await fetch(server.url(`/${token}`), { method: "POST", body })).text();
  };
  const told = await replayOn(host, { path: room.path, mode: "record" }, ask);
  ok(told.includes(token));
  ok(!room.text().includes(token));
  ok(room.text().includes(env.HARBOUR_NAME));
  equal((await replayOn(host, { path: room.path, mode: "replay" }, ask)).length, told.length);
});

Deno.test("withReplay() records where the environment may not be read", async () => {
  await using server = new Loopback(echo);
  using room = new CassetteRoom();
  const closed: Host = { ...openHost, variables: () => null };
  const ask = async () => await (await fetch(server.url("/"), { method: "POST", body: "x" })).text();
  equal(await replayOn(closed, { path: room.path, mode: "record" }, ask), "x");
  deepEqual(room.steps().map((step) => step.request.body), [{ text: "x" }]);
});
