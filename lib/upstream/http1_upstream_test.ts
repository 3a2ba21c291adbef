import { Buffer } from "node:buffer";
import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { type LiveRequest, UpstreamError } from "../engine/mod.ts";
import type { Header } from "../step/mod.ts";
import { bodyOf } from "../../tests/support/raw_client.ts";
import { startSecure, worldTrust } from "../../tests/support/raw_tls.ts";
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
  await rejects(
    asked,
    (error: unknown) => error instanceof UpstreamError && error.code === "ERR_HTTP1_HEADER_OVERFLOW",
  );
});

/** Asks three times, with a pause in which the server ends its connection; gives the statuses. */
async function askPausing(upstream: Http1Upstream, url: string, ended: () => Promise<void>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < 3; index++) {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), 3000); // a request on an ended connection would wait for ever
    const response = await upstream.exchange(ask(url, [["Host", "a"]], ["body"]), silent, patience.signal);
    for await (const _ of response.body);
    clearTimeout(timer);
    statuses.push(response.status);
    await ended();
  }
  return statuses;
}

for (const scheme of ["http", "https"]) {
  Deno.test(`Http1Upstream sends a POST on a new connection when an idle one of ${scheme} was ended`, async () => {
    let ended = Promise.resolve();
    await using server = await (scheme === "http" ? startUpstream : startSecure)(async (connection) => {
      const closed = Promise.withResolvers<void>();
      ended = closed.promise;
      connection.socket.once("finish", () => closed.resolve()); // it has said that it ends
      await connection.request();
      connection.send(plain("ok"));
      connection.socket.end();
    });
    using upstream = new Http1Upstream({ trust: [worldTrust] });
    const settle = () => ended.then(() => new Promise<void>((resolve) => setTimeout(resolve, 10)));
    const url = `${scheme}://localhost:${server.port}/`;
    deepEqual(await askPausing(upstream, url, settle), [200, 200, 200]);
    equal(server.connections, 3);
  });
}

Deno.test("Http1Upstream gives up a TLS handshake that is never answered", async () => {
  await using server = await startUpstream(() => {});
  using upstream = new Http1Upstream({ connectLimitMs: 50 });
  const asked = upstream.exchange(ask(`https://localhost:${server.port}/`), silent, never);
  await rejects(asked, { phase: "tls", code: "ETIMEDOUT", message: "no connection after 0.05 s" });
});

for (const scheme of ["http", "https"]) {
  Deno.test(`Http1Upstream gives up a connection of ${scheme} that nobody accepts`, async () => {
    using full = await fullListener();
    using upstream = new Http1Upstream({ connectLimitMs: 50 });
    const asked = upstream.exchange(ask(`${scheme}://127.0.0.1:${full.port}/`), silent, never);
    await rejects(asked, { phase: "connect", code: "ETIMEDOUT" });
  });
}

Deno.test("Http1Upstream bounds the connection and never the answer", async () => {
  await using server = await startSecure(async (connection) => {
    await connection.request();
    await new Promise((resolve) => setTimeout(resolve, 300)); // thinks for longer than a connection may take
    connection.send(plain("thought"));
  });
  using upstream = new Http1Upstream({ trust: [worldTrust], connectLimitMs: 200 });
  const response = await upstream.exchange(ask(`https://localhost:${server.port}/`), silent, never);
  for await (const bytes of response.body) equal(Buffer.from(bytes).toString(), "thought");
});

Deno.test("Http1Upstream leaves nothing open when it is disposed of while it connects", async () => {
  await using server = await startUpstream(() => {});
  const upstream = new Http1Upstream();
  const asked = upstream.exchange(ask(`https://localhost:${server.port}/`), silent, never);
  const refused = rejects(asked, { phase: "tls", code: "ECANCELED" });
  while (server.connections === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await new Promise((resolve) => setTimeout(resolve, 10)); // until the handshake has begun
  upstream[Symbol.dispose]();
  await refused;
});

/** A port whose queue of connections is full: the system answers nobody any more. */
async function fullListener() {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0, tcpBacklog: 1 });
  const { port } = listener.addr;
  const waiting = await Promise.all([1, 2].map(() => Deno.connect({ hostname: "127.0.0.1", port })));
  return {
    port,
    [Symbol.dispose]() {
      for (const connection of waiting) connection.close();
      listener.close();
    },
  };
}
