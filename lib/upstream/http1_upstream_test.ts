import { Buffer } from "node:buffer";
import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { type LiveRequest, UpstreamError } from "../engine/mod.ts";
import type { Header } from "../step/mod.ts";
import { bodyOf } from "../../tests/support/raw_client.ts";
import { answering, plain, startUpstream } from "../../tests/support/raw_upstream.ts";
import { Http1Upstream } from "./http1_upstream.ts";

const silent = { sendContinue() {}, sendInformation() {} };
const never = new AbortController().signal;

function ask(url: string, headers: readonly Header[] = [], pieces: readonly string[] | null = null): LiveRequest {
  const body = pieces === null ? null : (async function* () {
    for (const piece of pieces) yield Buffer.from(piece);
  })();
  const method = body === null ? "GET" : "POST";
  return { method, url, httpVersion: "1.1", headers, body, trailers: () => [], expectsContinue: false };
}

/** Sends one request to an upstream that echoes, and gives what it saw. */
async function seenOf(headers: readonly Header[], pieces: readonly string[] | null = null): Promise<string> {
  let seen = "";
  await using server = await startUpstream(answering((request) => {
    seen = request;
    return plain("ok");
  }));
  using upstream = new Http1Upstream();
  const response = await upstream.exchange(ask(`http://${server.host}/p`, headers, pieces), silent, never);
  for await (const _ of response.body);
  return seen.replaceAll(server.host, "HOST");
}

Deno.test("Http1Upstream adds a Host in front when the client sent none, and nothing else", async () => {
  const seen = await seenOf([["x-a", "1"]]);
  match(seen, /^GET \/p HTTP\/1\.1\r\nHost: HOST\r\nx-a: 1\r\n(?:connection: keep-alive\r\n)?\r\n$/i);
});

Deno.test("Http1Upstream leaves out what belongs to the client's connection, but for the wish for trailers", async () => {
  const seen = await seenOf([
    ["Host", "a"],
    ["Connection", "close, X-Hop"],
    ["X-Hop", "1"],
    ["Keep-Alive", "timeout=5"],
    ["TE", "gzip, trailers"],
    ["Upgrade", "h2c"],
  ]);
  ok(!/x-hop|timeout|gzip|h2c|close/i.test(seen), seen);
  match(seen, /\r\nTE: trailers\r\n/);
});

Deno.test("Http1Upstream sends a body of unknown length in chunks as it came, and one with a length as it is", async () => {
  equal(bodyOf(await seenOf([["Host", "a"]], ["one", "four"])), "3\r\none\r\n4\r\nfour\r\n0\r\n\r\n");
  equal(bodyOf(await seenOf([["Host", "a"], ["content-length", "7"]], ["one", "four"])), "onefour");
});

Deno.test("Http1Upstream gives up when its signal says so, before the head and in the body", async () => {
  await using server = await startUpstream(async (connection) => {
    if ((await connection.request()).startsWith("GET /body")) {
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n");
    }
  });
  using upstream = new Http1Upstream();
  const before = new AbortController();
  const waiting = upstream.exchange(ask(`http://${server.host}/head`), silent, before.signal);
  before.abort();
  await rejects(waiting, UpstreamError);
  const within = new AbortController();
  const response = await upstream.exchange(ask(`http://${server.host}/body`), silent, within.signal);
  const next = response.body[Symbol.asyncIterator]().next();
  within.abort();
  await rejects(next, (error: unknown) => error instanceof UpstreamError && error.phase === "read");
  equal(upstream.calls, 2);
});

Deno.test("Http1Upstream says dns when a name cannot be looked up", async () => {
  using upstream = new Http1Upstream();
  // The tests may reach loopback only, so the runtime refuses before anybody is asked.
  const asked = upstream.exchange(ask("http://api.invalid/"), silent, never);
  await rejects(asked, (error: unknown) => error instanceof UpstreamError && error.phase === "dns");
});

Deno.test("Http1Upstream reads a head of 200 KiB, and refuses one that is larger than 256", async () => {
  await using server = await startUpstream(
    answering((request) =>
      plain("ok", `HTTP/1.1 200 OK\r\nX-L: ${"a".repeat(Number(request.split(/[ /]/)[2]) * 1024)}\r\n`)
    ),
  );
  using upstream = new Http1Upstream();
  const response = await upstream.exchange(ask(`http://${server.host}/200`), silent, never);
  deepEqual([response.status, response.headers[0]?.[1].length], [200, 200 * 1024]);
  for await (const _ of response.body);
  const asked = upstream.exchange(ask(`http://${server.host}/300`), silent, never);
  await rejects(asked, (error: unknown) => error instanceof UpstreamError && error.code === "HPE_HEADER_OVERFLOW");
});
