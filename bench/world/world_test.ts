import assert from "node:assert/strict";
import { createAuthority } from "../../lib/proxy/mod.ts";
import { everyEndpoint, type ExampleRequest, exampleRequest } from "./every_endpoint.ts";
import { startWorld, type World, type WorldOptions } from "./world.ts";

interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

function startPlain(options: Partial<WorldOptions> = {}): Promise<World> {
  return startWorld({ key: "", cert: "", plain: true, ...options });
}

async function ask(world: World, { path, init }: ExampleRequest): Promise<Seen> {
  const response = await fetch(world.origin + path, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function askFor(name: string): Promise<Seen> {
  await using world = await startPlain();
  return await ask(world, exampleRequest(name));
}

async function askForJson(name: string) {
  const seen = await askFor(name);
  assert.equal(seen.status, 200);
  assert.match(seen.headers.get("content-type") ?? "", /^application\/json/);
  return JSON.parse(seen.text);
}

async function askForEvents(name: string) {
  const seen = await askFor(name);
  assert.match(seen.headers.get("content-type") ?? "", /^text\/event-stream/);
  const events = seen.text.split("\n\n").filter(Boolean).map((event) => event.replace(/^data: /, ""));
  assert.equal(events.pop(), "[DONE]");
  return events.map((event) => JSON.parse(event));
}

function seenAs({ status, headers, text }: Seen): string {
  return JSON.stringify([status, [...headers], text]);
}

for (const example of everyEndpoint) {
  Deno.test(`startWorld() answers "${example.name}" otherwise when asked again`, async () => {
    await using world = await startPlain();
    const [first, second] = [await ask(world, example), await ask(world, example)];
    assert.equal(first.status, 200, first.text);
    assert.equal(second.status, 200);
    assert.notEqual(first.text, second.text);
    assert.notEqual(first.headers.get("date"), second.headers.get("date"));
  });
}

Deno.test("startWorld() answers alike when the seed and the requests are alike", async () => {
  await using one = await startPlain({ seed: 7 });
  await using other = await startPlain({ seed: 7 });
  for (const example of everyEndpoint) {
    assert.equal(seenAs(await ask(one, example)), seenAs(await ask(other, example)), example.name);
  }
});

Deno.test("startWorld() answers otherwise when the seed is another", async () => {
  await using one = await startPlain({ seed: 7 });
  await using other = await startPlain({ seed: 8 });
  assert.notEqual(
    (await ask(one, exampleRequest("bulletin"))).text,
    (await ask(other, exampleRequest("bulletin"))).text,
  );
});

Deno.test("startWorld() shows the certificate when it is not plain", async () => {
  const authority = createAuthority();
  const { keyPem, certPem } = authority.leafFor("localhost");
  await using world = await startWorld({ key: keyPem, cert: certPem });
  using client = Deno.createHttpClient({ caCerts: [authority.certificatePem] });
  const response = await fetch(`${world.origin}/fetch`, { client });
  assert.match(world.origin, /^https:\/\/localhost:\d+$/);
  assert.match(await response.text(), /^Bulletin \d{6}: /);
});

Deno.test("World.requests() counts every request when some have no answer", async () => {
  await using world = await startPlain();
  assert.equal(world.requests(), 0);
  await ask(world, exampleRequest("bulletin"));
  assert.equal((await ask(world, { name: "nothing", path: "/nothing" })).status, 404);
  assert.equal((await ask(world, { name: "delete", path: "/fetch", init: { method: "DELETE" } })).status, 405);
  assert.equal(world.requests(), 3);
});

Deno.test("startWorld() takes its time when there are delays", async () => {
  await using world = await startPlain({ delays: { fetch: 60 } });
  const startMs = performance.now();
  await ask(world, exampleRequest("bulletin"));
  // Jitter takes 2 % at most; a timer may be a millisecond early. There is no upper bound on a busy machine.
  assert.ok(performance.now() - startMs > 57);
});

Deno.test("startWorld() sends a stream in several reads when there are delays", async () => {
  await using world = await startPlain({ delays: { completion: 200 } });
  const { path, init } = exampleRequest("chat stream");
  const { body } = await fetch(world.origin + path, init);
  const reads = await Array.fromAsync(body ?? []);
  assert.ok(reads.length > 3, `${reads.length} reads`);
});

Deno.test("World disposal cuts a stream when it is under way", async () => {
  const world = await startPlain({ delays: { completion: 60_000 } });
  const { path, init } = exampleRequest("chat stream");
  const answer = fetch(world.origin + path, init).then((response) => response.text());
  const cut = assert.rejects(answer, TypeError);
  while (world.requests() === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await world[Symbol.asyncDispose]();
  await cut;
});

Deno.test("World survives a client that leaves when a stream is under way", async () => {
  await using world = await startPlain({ delays: { completion: 100 } });
  const { path, init } = exampleRequest("chat stream");
  const { body } = await fetch(world.origin + path, init);
  await body?.cancel();
  assert.equal((await ask(world, exampleRequest("bulletin"))).status, 200);
});

Deno.test("/v1/chat/completions answers 401 when there is no bearer token", async () => {
  await using world = await startPlain();
  const { path, init } = exampleRequest("chat");
  const { status, text } = await ask(world, { name: "no key", path, init: { ...init, headers: {} } });
  assert.equal(status, 401);
  assert.equal(JSON.parse(text).error.code, "invalid_api_key");
});

Deno.test("/v1/chat/completions answers 400 when there are no messages", async () => {
  await using world = await startPlain();
  const { path, init } = exampleRequest("chat");
  const { status, text } = await ask(world, { name: "no JSON", path, init: { ...init, body: "{" } });
  assert.equal(status, 400);
  assert.equal(JSON.parse(text).error.type, "invalid_request_error");
});

Deno.test("/v1/chat/completions answers text when there are no tools", async () => {
  const { id, object, model, choices: [{ message, finish_reason }], usage } = await askForJson("chat");
  assert.match(id, /^chatcmpl-\w{29}$/);
  assert.deepEqual([object, model, finish_reason], ["chat.completion", "gpt-5-mini", "stop"]);
  assert.match(message.content, /% sure\./);
  assert.equal(usage.total_tokens, usage.prompt_tokens + usage.completion_tokens);
});

Deno.test("/v1/chat/completions calls the tool when one is offered", async () => {
  const { choices: [{ message, finish_reason }] } = await askForJson("chat tool call");
  const [{ id, function: called }] = message.tool_calls;
  assert.match(id, /^call_\w{24}$/);
  assert.deepEqual([finish_reason, message.content, called.name], ["tool_calls", null, "search"]);
  const { query, count } = JSON.parse(called.arguments);
  assert.match(query, /^tides/);
  assert.ok(Number.isInteger(count));
});

Deno.test("/v1/chat/completions tells what the tool brought when the tool spoke last", async () => {
  const { choices: [{ message }] } = await askForJson("chat after a tool");
  assert.match(message.content, /The tide comes twice a day, as a rule\./);
});

Deno.test("/v1/chat/completions streams text and usage when asked to", async () => {
  const events = await askForEvents("chat stream after a tool");
  const text = events.map((event) => event.choices[0]?.delta.content ?? "").join("");
  assert.match(text, /The tide comes twice a day, as a rule\./);
  assert.ok(Array.from(text).some((character) => character > "\x7f"), "no multi-byte character");
  assert.equal(events.at(-2).choices[0].finish_reason, "stop");
  assert.ok(events.at(-1).usage.completion_tokens > 0);
  assert.equal(new Set(events.map((event) => event.id)).size, 1);
});

Deno.test("/v1/chat/completions streams a tool call's arguments when a tool is offered", async () => {
  const events = await askForEvents("chat stream tool call");
  const calls = events.flatMap((event) => event.choices[0]?.delta.tool_calls ?? []);
  assert.equal(calls[0].function.name, "search");
  assert.match(JSON.parse(calls.map((call) => call.function.arguments).join("")).query, /^tides/);
  assert.equal(events.at(-2).choices[0].finish_reason, "tool_calls");
});

Deno.test(":generateContent calls the function when one is declared", async () => {
  const { candidates: [{ content: { parts: [part], role } }], modelVersion } = await askForJson("gemini function call");
  assert.deepEqual([role, modelVersion, part.functionCall.name], ["model", "gemini-2.5-flash", "search"]);
  assert.match(part.functionCall.args.query, /^tides/);
});

Deno.test(":generateContent tells what the function brought when it spoke last", async () => {
  const { candidates: [{ content }], usageMetadata } = await askForJson("gemini after a function");
  assert.match(content.parts[0].text, /The tide comes twice a day, as a rule\./);
  assert.ok(usageMetadata.totalTokenCount > usageMetadata.promptTokenCount);
});

Deno.test(":generateContent answers 403 when there is no key", async () => {
  await using world = await startPlain();
  const { path, init } = exampleRequest("gemini");
  const { status, text } = await ask(world, { name: "no key", path, init: { ...init, headers: {} } });
  assert.equal(status, 403);
  assert.equal(JSON.parse(text).error.status, "PERMISSION_DENIED");
});

Deno.test("/api names the next request when it answers one", async () => {
  await using world = await startPlain();
  const get = async (path: string) => JSON.parse((await ask(world, { name: path, path })).text);
  const user = await get("/api/users/u-9");
  const { orders } = await get(user.orders_url);
  const order = await get(orders[0].url);
  assert.deepEqual([user.id, orders.length, order.id], ["u-9", 3, String(orders[0].id)]);
});

Deno.test("/api counts and tags its answers when it gives them", async () => {
  const { headers } = await askFor("user");
  assert.match(headers.get("etag") ?? "", /^W\/"[0-9a-f]{32}"$/);
  assert.match(headers.get("x-request-id") ?? "", /^req_[0-9a-f]{32}$/);
  assert.ok(Number(headers.get("x-ratelimit-remaining")) < Number(headers.get("x-ratelimit-limit")));
});

Deno.test("/search leads to pages, and they to a search, when links are followed", async () => {
  await using world = await startPlain();
  const get = async (path: string) => (await ask(world, { name: path, path })).text;
  const [, result = ""] = /<a href="(\/pages\/\d+)"/.exec(await get("/search?q=tides")) ?? [];
  const [, related = ""] = /class="related" href="([^"]+)"/.exec(await get(result)) ?? [];
  assert.match(await get(related), /<li class="result">/);
});

Deno.test("/search escapes its query when that has HTML in it", async () => {
  await using world = await startPlain();
  const { text } = await ask(world, { name: "HTML", path: "/search?q=%3Cb%3E%22" });
  assert.match(text, /<h1>Search: &lt;b&gt;&quot;<\/h1>/);
  assert.doesNotMatch(text, /<b>/);
});

Deno.test("/search compresses when gzip is accepted, and only then", async () => {
  await using world = await startPlain();
  const [zipped, bare] = await Promise.all(
    ["gzip, br", "identity"].map((coding) =>
      ask(world, { name: coding, path: "/search?q=tides", init: { headers: { "accept-encoding": coding } } })
    ),
  );
  assert.equal(zipped?.headers.get("content-encoding"), "gzip");
  assert.equal(bare?.headers.get("content-encoding"), null);
  assert.match(zipped?.text ?? "", /<h1>Search: tides<\/h1>/);
});

Deno.test("/search stamps what an edge stamps when it answers", async () => {
  const { headers } = await askFor("search");
  const edge = ["x-cache", "age", "via", "x-served-by", "x-timer", "x-fastly-request-id", "cf-ray"];
  assert.deepEqual(edge.filter((name) => !headers.has(name)), []);
  assert.equal(headers.getSetCookie().length, 2);
});

Deno.test("/static/about differs in noise alone when it is asked for again", async () => {
  await using world = await startPlain({ seed: 1 });
  const about = { name: "about", path: "/static/about" };
  const [first, second] = [await ask(world, about), await ask(world, about)];
  const differing = [...first.headers.keys()].filter((name) => first.headers.get(name) !== second.headers.get(name));
  assert.equal(first.text, second.text);
  assert.deepEqual(differing.sort(), [
    "age",
    "date",
    "via",
    "x-fastly-request-id",
    "x-request-id",
    "x-served-by",
    "x-timer",
  ]);
});
