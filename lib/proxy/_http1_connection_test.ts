import { deepEqual, equal, match, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { SocketPair } from "../../tests/support/socket_pair.ts";
import type { LiveRequest, ResponseSink } from "../engine/mod.ts";
import type { Header } from "../step/mod.ts";
import { type ConnectionOptions, Http1Connection } from "./_http1_connection.ts";

interface Served extends AsyncDisposable {
  readonly pair: SocketPair;
  readonly refused: string[];
  readonly failed: unknown[];
}

type Answer = (request: LiveRequest, sink: ResponseSink) => Promise<void>;

async function serve(exchange: Answer, options: Partial<ConnectionOptions> = {}): Promise<Served> {
  const pair = await SocketPair.open();
  const refused: string[] = [];
  const failed: unknown[] = [];
  new Http1Connection(pair.near, {
    target: ({ target }) => ({ kind: "exchange", url: target }),
    exchange,
    onRefused: (reason) => void refused.push(reason),
    onFailed: (error) => void failed.push(error),
    patienceMs: 60_000,
    ...options,
  });
  return { pair, refused, failed, [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose]() };
}

function send(sink: ResponseSink, text: string): void {
  sink.sendHead({
    status: 200,
    statusText: "OK",
    httpVersion: "1.1",
    headers: [["Content-Length", String(text.length)]],
  });
  sink.write(Buffer.from(text, "latin1"));
  sink.end([]);
}

/** Answers with what it was asked. */
const echo: Answer = async (request, sink) => {
  let text = "";
  for await (const piece of request.body ?? []) text += Buffer.from(piece).toString("latin1");
  send(sink, `${request.method} ${request.url} ${text} ${request.trailers().length}`);
};

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const chunkedPost = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

Deno.test("Http1Connection answers pipelined requests one after the other", async () => {
  const underWay: string[] = [];
  await using served = await serve(async (request, sink) => {
    underWay.push(`begin ${request.url}`);
    await new Promise((resolve) => setImmediate(resolve));
    underWay.push(`end ${request.url}`);
    send(sink, request.url);
  });
  served.pair.far.send(get("/1") + get("/2"));
  match(await served.pair.far.response() + await served.pair.far.response(), /\/1HTTP[^]*\/2$/);
  deepEqual(underWay, ["begin /1", "end /1", "begin /2", "end /2"]);
});

Deno.test("Http1Connection reads trailers of 100 KiB, which are more than it lets wait", async () => {
  await using served = await serve(echo);
  const trailers = `T: ${"x".repeat(1000)}\r\n`.repeat(100);
  served.pair.far.send(`${chunkedPost}2\r\nhi\r\n0\r\n${trailers}\r\n`);
  match(await served.pair.far.response(), /POST \/ hi 100$/);
});

Deno.test("Http1Connection stops reading when a client pipelines more than it waits for", async () => {
  await using served = await serve(() => new Promise(() => {}));
  served.pair.far.send(get("/") + get("/more").repeat(500_000));
  while (!served.pair.near.isPaused()) await new Promise((resolve) => setTimeout(resolve, 1));
  ok(served.pair.near.bytesRead < 1024 * 1024, String(served.pair.near.bytesRead));
});

Deno.test("Http1Connection stops reading when a body comes in tiny chunks and nobody takes them", async () => {
  await using served = await serve(() => new Promise(() => {}));
  served.pair.far.send(chunkedPost + `1;${"x".repeat(4000)}\r\na\r\n`.repeat(5000));
  while (!served.pair.near.isPaused()) await new Promise((resolve) => setTimeout(resolve, 1));
  ok(served.pair.near.bytesRead < 3 * 1024 * 1024, String(served.pair.near.bytesRead));
});

Deno.test("Http1Connection answers 400 when a body's framing breaks before its answer has begun", async () => {
  await using served = await serve(echo);
  served.pair.far.send(`${chunkedPost}2\r\nhi\r\nzz\r\n`);
  match(await served.pair.far.rest(), /^HTTP\/1\.1 400 Bad Request\r\nx-agrepl: refused\r\n/);
  deepEqual([served.refused.length, served.failed], [1, []]);
});

Deno.test("Http1Connection puts nothing into an answer when a body's framing breaks in the midst of it", async () => {
  await using served = await serve(async (request, sink) => {
    sink.sendHead({ status: 200, statusText: "OK", httpVersion: "1.1", headers: [] });
    sink.write(Buffer.from("part"));
    for await (const _piece of request.body ?? []);
  });
  served.pair.far.send(`${chunkedPost}zz\r\n`);
  match(await served.pair.far.rest(), /\r\n\r\n4\r\npart\r\n$/);
});

Deno.test("Http1Connection begins no further request behind a break", async () => {
  const begun: string[] = [];
  await using served = await serve((request, sink) => {
    begun.push(request.url);
    sink.sendHead({ status: 200, statusText: "OK", httpVersion: "1.1", headers: [] });
    sink.write(Buffer.from("part"));
    sink.abort();
    return Promise.resolve();
  });
  served.pair.far.send(get("/1") + get("/2"));
  match(await served.pair.far.rest(), /\r\n\r\n4\r\npart\r\n$/);
  deepEqual(begun, ["/1"]);
});

Deno.test("Http1Connection reads past a body that an early answer did not want", async () => {
  await using served = await serve((request, sink) => Promise.resolve(send(sink, request.url)));
  const body = "x".repeat(500_000);
  served.pair.far.send(`POST /1 HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n${body}${get("/2")}`);
  match(await served.pair.far.response(), /\/1$/);
  match(await served.pair.far.response(), /\/2$/);
});

Deno.test("Http1Connection answers 408 when a head takes longer than its patience", async () => {
  await using served = await serve(echo, { patienceMs: 20 });
  served.pair.far.send("GET / HTTP/1.1\r\n");
  match(await served.pair.far.rest(), /^HTTP\/1\.1 408 Request Timeout\r\n/);
});

Deno.test("Http1Connection hands a CONNECT over with the bytes behind it, and listens no more", async () => {
  const taken = Promise.withResolvers<string>();
  const connect = (_head: unknown, rest: Uint8Array) => taken.resolve(Buffer.from(rest).toString());
  await using served = await serve(echo, { connect });
  served.pair.far.send("CONNECT a:1 HTTP/1.1\r\n\r\nhello");
  equal(await taken.promise, "hello");
  deepEqual(["data", "end"].map((event) => served.pair.near.listeners(event).length), [0, 1]); // the end is node's own
});

for (const how of ["end", "destroy", "resetAndDestroy"] as const) {
  Deno.test(`Http1Connection tells an answer under way that its client is gone after ${how}()`, async () => {
    const begun = Promise.withResolvers<ResponseSink>();
    await using served = await serve(async (request, sink) => {
      begun.resolve(sink);
      for await (const _piece of request.body ?? []);
    });
    served.pair.far.send("POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc");
    const sink = await begun.promise;
    served.pair.far.socket[how]();
    await new Promise((resolve) => served.pair.near.once("close", resolve));
    deepEqual([sink.closed, served.refused, served.failed], [true, [], []]);
  });
}

const offer = "GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: Shout\r\n\r\n";

/** Switches, and says everything back in capitals. */
const shout: Answer = async (request, sink) => {
  const headers: Header[] = [["Upgrade", "Shout"], ["Connection", "Upgrade"], ["X-Asked", request.upgrade ?? ""]];
  const channel = sink.upgrade?.({ status: 101, statusText: "Go on", httpVersion: "1.1", headers });
  for await (const bytes of channel?.incoming ?? []) {
    await channel?.write(Buffer.from(Buffer.from(bytes).toString("latin1").toUpperCase()));
  }
  channel?.end();
};

Deno.test("Http1Connection becomes a channel with a 101, what came behind the request first", async () => {
  await using served = await serve(shout);
  const { far } = served.pair;
  far.send(`${offer}GET /this is no HTTP `);
  equal(
    await far.response({ head: true }),
    "HTTP/1.1 101 Go on\r\nUpgrade: Shout\r\nConnection: Upgrade\r\nX-Asked: shout\r\n\r\n",
  );
  far.send("any more");
  far.socket.end();
  equal(await far.rest(), "GET /THIS IS NO HTTP ANY MORE");
  deepEqual([served.refused, served.failed], [[], []]);
});

Deno.test("Http1Connection stays busy while it is a channel", async () => {
  const pair = await SocketPair.open();
  await using _pair = pair;
  const connection = new Http1Connection(pair.near, {
    target: ({ target }) => ({ kind: "exchange", url: target }),
    exchange: shout,
    onRefused: () => {},
    onFailed: () => {},
    patienceMs: 60_000,
  });
  pair.far.send(offer);
  await pair.far.response({ head: true });
  equal(connection.busy, true);
});

Deno.test("Http1Connection answers an upgrade with anything else on the same connection", async () => {
  await using served = await serve(echo);
  const { far } = served.pair;
  far.send(offer + get("/next"));
  match(await far.response() + await far.response(), /GET \/ws {2}0HTTP[^]*GET \/next {2}0$/);
});

for (
  const [what, request] of [
    ["HTTP/1.0", offer.replace("1.1", "1.0")],
    ["an offer of h2c", offer.replace("Shout", "h2c")],
    ["a request with a body", offer.replace("\r\n\r\n", "\r\nContent-Length: 1\r\n\r\nx")],
  ]
) {
  Deno.test(`Http1Connection takes ${what} for plain HTTP, whatever it wants to switch to`, async () => {
    let asked: unknown = "nothing";
    await using served = await serve((request, sink) => {
      asked = [request.upgrade, sink.upgrade];
      return echo(request, sink);
    });
    served.pair.far.send(request ?? "");
    match(await served.pair.far.response(), /^HTTP\/1\.1 200 /);
    deepEqual(asked, [undefined, undefined]);
  });
}
