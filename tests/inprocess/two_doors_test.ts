import { deepEqual, equal, ok } from "node:assert/strict";
import type { Header, Step } from "../../lib/step/mod.ts";
import { Rig } from "../support/rig.ts";
import { CassetteRoom, Loopback } from "./room.ts";

/** All that a program may ask, over a client or without. */
async function askAll(url: string, client?: Deno.HttpClient): Promise<void> {
  const by = client === undefined ? {} : { client };
  const json = { method: "POST", body: '{"b":1,"a":2}', headers: { "Content-Type": "application/json" } };
  const stream = ReadableStream.from(["x"]).pipeThrough(new TextEncoderStream());
  const asked: (RequestInit & { readonly client?: Deno.HttpClient })[] = [
    { headers: { Authorization: "Bearer abcdefghijklmnop1234", Accept: "text/plain" } },
    json,
    { method: "PUT", body: stream },
    { method: "DELETE" },
    { method: "POST" },
    { headers: { Range: "bytes=0-1" } },
  ];
  for (const [at, init] of asked.entries()) await (await fetch(`${url}${at}?q=${at}`, { ...init, ...by })).text();
}

/** What both doors must agree on; the connection's own headers are the proxy's affair. */
function asked({ key, type, request: { method, url, headers, body } }: Step) {
  const own = headers.filter(([name]) => name !== "transfer-encoding").toSorted(([a]: Header, [b]: Header) =>
    a < b ? -1 : 1
  );
  return { key, type, method, url, body, headers: own };
}

Deno.test("withReplay() records what the proxy records: the same keys, requests and answers, in the same order", async () => {
  await using server = new Loopback(async (request) => new Response(`${request.method} ${await request.text()}`));
  await using rig = new Rig();
  await rig.record(async (port) => {
    using client = Deno.createHttpClient({ proxy: { url: `http://127.0.0.1:${port}` } });
    await askAll(server.url("/"), client);
  });
  using room = new CassetteRoom();
  await room.record(() => askAll(server.url("/")));
  equal(room.steps().length, 6);
  deepEqual(room.steps().map(asked), rig.steps().map(asked));
  deepEqual(room.steps().map((step) => step.response?.body), rig.steps().map((step) => step.response?.body));
});

Deno.test("withReplay() leaves out of a cassette what its patterns find, and replays it", async () => {
  await using server = new Loopback(() => new Response("ok"));
  using room = new CassetteRoom();
  const options = { redact: [/customer-\d+/] };
  const ask = (id: string) => async () =>
    await (await fetch(server.url("/"), { method: "POST", body: `for customer-${id}` })).text();
  await room.record(ask("12345"), options);
  ok(!room.text().includes("customer-12345"));
  equal(await room.replay(ask("12345"), options), "ok");
});

Deno.test('withReplay() gives up the network for good with isolation: "revoke"', async () => {
  using room = new CassetteRoom();
  await room.record((t) => t.tool("a", 1, () => 1));
  const program = `
    import { withReplay } from ${JSON.stringify(new URL("../../mod.ts", import.meta.url).href)};
    const options = { path: ${JSON.stringify(room.path)}, mode: "replay", isolation: "revoke" };
    const held = await withReplay(options, async (t) => (await t.tool("a", 1, () => 2), t.isolation.held));
    console.log(held, Deno.permissions.querySync({ name: "net" }).state);
    await fetch("http://127.0.0.1:9999/").catch((error) => console.log(error.name));`;
  const file = `${room.folder}/program.ts`;
  Deno.writeTextFileSync(file, program);
  const args = ["run", "--no-lock", "--no-check", "--no-prompt", "-A", file];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args, env: { NO_COLOR: "1" } }).output();
  equal(new TextDecoder().decode(stdout), "revoked prompt\nNotCapable\n");
});
