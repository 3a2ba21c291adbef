import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { replayOn } from "../../lib/inprocess/mod.ts";
import { errorOf } from "./node_client.ts";
import { CassetteRoom, Loopback, openHost } from "./room.ts";

/** An address that nobody listens at. */
async function deserted(): Promise<string> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/`;
}

/** How a fetch fails: the class, the message, and the code of the cause. */
async function failureOf(sent: Promise<unknown>): Promise<readonly unknown[]> {
  const error = await sent.then(() => null, (error: TypeError) => error);
  const cause = error?.cause;
  return [error?.name, error?.message, typeof cause === "object" && cause !== null && "code" in cause && cause.code];
}

Deno.test("withReplay() rejects a fetch whose upstream fails, in a replay as in the recording", async () => {
  using room = new CassetteRoom();
  const url = await deserted();
  const run = () => failureOf(fetch(url));
  const recorded = await room.record(run);
  match(String(recorded[1]), /^error sending request for url \(http:\/\/127\.0\.0\.1:\d+\/\): .*ECONNREFUSED/);
  deepEqual([recorded[0], recorded[2]], ["TypeError", "ECONNREFUSED"]);
  deepEqual(await room.replay(run), recorded);
  const [step] = room.steps();
  deepEqual([step?.error?.phase, step?.error?.code, step?.response], ["connect", "ECONNREFUSED", undefined]);
});

Deno.test("withReplay() lets a program ask again that the network failed", async () => {
  using room = new CassetteRoom();
  const url = await deserted();
  const run = async () => [await failureOf(fetch(url)), await failureOf(fetch(url))];
  const recorded = await room.record(run);
  deepEqual(await room.replay(run), recorded);
  equal(room.steps().length, 2);
});

Deno.test("withReplay() gives Node's client the code that its network would", async () => {
  using room = new CassetteRoom();
  const url = await deserted();
  const send = (method: string) => {
    const request = http.request(url, { method });
    request.end(method === "POST" ? "a body" : undefined);
    return errorOf(request);
  };
  const run = async () => [await send("GET"), await send("POST"), await errorOf(http.get("http://nowhere.invalid/"))];
  const recorded = await room.record(run);
  deepEqual(recorded.slice(0, 2), ["ECONNREFUSED", "ECONNREFUSED"]);
  deepEqual(await room.replay(run), recorded);
});

Deno.test("withReplay() tells a WebSocket that its server is not there", async () => {
  using room = new CassetteRoom();
  const url = (await deserted()).replace("http", "ws");
  const run = () =>
    new Promise((resolve) => {
      const socket = new WebSocket(url);
      const seen: string[] = [];
      socket.onerror = (event) => seen.push(event instanceof ErrorEvent ? event.message : "");
      socket.onclose = ({ code }) => resolve([...seen, code]);
    });
  const recorded = await room.record(run);
  match(String(recorded), /ECONNREFUSED.*1006/);
  deepEqual(await room.replay(run), recorded);
});

Deno.test("withReplay() rejects what fails on the way past a cassette, and answers a miss with a 502", async () => {
  using room = new CassetteRoom();
  await room.record((t) => t.system("a", () => 1));
  const url = await deserted();
  const options = { path: room.path, mode: "fallback", allowUnused: true } as const;
  const seen: unknown[] = [];
  await rejects(replayOn(openHost, options, async () => seen.push((await failureOf(fetch(url)))[2])), /1 miss/);
  await rejects(room.replay(async () => seen.push((await fetch(url)).status), { allowUnused: true }), /1 miss/);
  deepEqual(seen, ["ECONNREFUSED", 502]);
});

Deno.test("withReplay() keeps an answer that broke off half way as it was", async () => {
  using room = new CassetteRoom();
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const run = async () => {
    const response = await fetch(url);
    return [response.status, (await response.text().catch((error) => error)) instanceof TypeError];
  };
  deepEqual(await room.record(run), [200, true]);
  await new Promise((resolve) => server.close(resolve));
  deepEqual(await room.replay(run), [200, true]);
});

async function* late(piece: unknown): AsyncGenerator<unknown> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  yield piece;
}

const strange: Readonly<Record<string, () => ReadableStream>> = {
  "strings": () => ReadableStream.from(["a", "b"]),
  "numbers": () => ReadableStream.from([1]),
  "strings, in a while": () => ReadableStream.from(late("a string")),
  "bytes and then strings": () => ReadableStream.from([new Uint8Array(3), "b"]),
};

for (const [what, make] of Object.entries(strange)) {
  Deno.test(`withReplay() refuses a body that is a stream of ${what}, and records nothing of it`, async () => {
    await using server = new Loopback(async (request) => new Response(await request.text().catch(() => "")));
    using room = new CassetteRoom();
    const run = async () => {
      const init = (): RequestInit => ({ method: "POST", body: make() });
      await rejects(fetch(server.url("/"), init()), TypeError);
      await rejects(fetch(new Request(server.url("/"), init())), TypeError);
      return await (await fetch(server.url("/"), { method: "POST", body: "next" })).text();
    };
    equal(await room.record(run), "next");
    deepEqual(room.steps().map((step) => step.request.body), [{ text: "next" }]);
    equal(await room.replay(run), "next");
  });
}

Deno.test("withReplay() has nothing left over of a request whose body failed half way", async () => {
  await using server = new Loopback(async (request) => new Response(await request.text().catch(() => "")));
  using room = new CassetteRoom();
  const run = async () => {
    const failing = (async function* () {
      yield new Uint8Array(10);
      await new Promise((resolve) => setTimeout(resolve, 5));
      throw new RangeError("out of paper");
    })();
    await rejects(fetch(server.url("/"), { method: "POST", body: ReadableStream.from(failing) }), TypeError);
    return await (await fetch(server.url("/next"))).text();
  };
  ok(await room.record(run) === "" && await room.replay(run) === "");
});
