import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { Buffer } from "node:buffer";
import {
  endHeaders,
  field,
  frame,
  get,
  kind,
  last,
  postHead,
  preface,
  RawHttp2,
  requestBlock,
  settings,
  word,
} from "../../tests/support/raw_http2.ts";
import { SocketPair } from "../../tests/support/socket_pair.ts";
import type { LiveRequest, ResponseSink } from "../engine/mod.ts";
import type { Header } from "../step/mod.ts";
import { Http2Session } from "../wire/mod.ts";
import { Http2Connection } from "./_http2_connection.ts";

interface Served extends AsyncDisposable {
  readonly client: RawHttp2;
  readonly refused: string[];
  readonly failed: unknown[];
}

type Answer = (request: LiveRequest, sink: ResponseSink) => Promise<void>;

async function serve(exchange: Answer, patienceMs = 60_000): Promise<Served> {
  const pair = await SocketPair.open();
  const [refused, failed]: [string[], unknown[]] = [[], []];
  new Http2Connection(pair.near, {
    target: (path) => path === "*" ? { kind: "refused" } : { kind: "exchange", url: `https://a.test:443${path}` },
    origin: { scheme: "https", host: "a.test", port: 443 },
    exchange,
    onRefused: (reason) => void refused.push(reason),
    onFailed: (error) => void failed.push(error),
    patienceMs,
  });
  const client = new RawHttp2(pair.far);
  client.send(preface, settings());
  return { client, refused, failed, [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose]() };
}

/** Answers at once. */
function answering(headers: readonly Header[], body: string, { status = 200, trailers = [] as Header[] } = {}): Answer {
  return (_request, sink) => {
    sink.sendHead({ status, statusText: "", httpVersion: "2", headers });
    void sink.write(Buffer.from(body));
    sink.end(trailers);
    return Promise.resolve();
  };
}

/** What comes on a stream until it ends: heads, data, and `.` behind a head that ends it, `end` where none does. */
async function told({ client }: Served, streamId: number): Promise<string[]> {
  const lines: string[] = [];
  const reader = readerOf(streamId, lines);
  while (!/\.$|^end$|^reset/.test(lines.at(-1) ?? "")) {
    reader.receive(await client.raw.take((bytes) => bytes.length === 0 ? null : bytes.length), 0);
  }
  return lines;
}

/** A client's session that only listens, to one stream. */
function readerOf(streamId: number, lines: string[]): Http2Session {
  const ignored = { write() {}, onStream() {}, onEnd() {} };
  const reader = new Http2Session({ role: "client", streamLimit: 0, streamWindowBytes: 65_535, ...ignored });
  reader.receive(settings(), 0); // those of the connection may have been read before
  let stream = reader.open();
  while (stream.id < streamId) stream = reader.open();
  const note = (line: string) => void lines.push(line);
  stream.listen({
    headers: (headers, ended) => note(headers.map((pair) => pair.join("=")).join(" ") + (ended ? "." : "")),
    data: (bytes) => note(`data ${Buffer.from(bytes)}`),
    end: () => lines.at(-1)?.endsWith(".") === true ? undefined : note("end"),
    reset: (code) => note(`reset ${code}`),
  });
  return reader;
}

const answers: Readonly<Record<string, readonly [answer: Answer, told: string[], method?: string]>> = {
  "a body": [answering([["X-A", "b"]], "hi"), [":status=200 x-a=b", "data hi", "end"]],
  "no body": [answering([], ""), [":status=200."]],
  "trailers": [
    answering([], "hi", { trailers: [["T", "u"]] }),
    [":status=200", "data hi", "t=u."],
  ],
  "trailers and no body": [answering([], "", { trailers: [["T", "u"]] }), [":status=200", "t=u."]],
  "a 204 that has a body all the same": [answering([], "hi", { status: 204 }), [":status=204."]],
  "a body to HEAD": [answering([["content-length", "2"]], "hi"), [":status=200 content-length=2."], "HEAD"],
  "headers that only one connection may be told": [
    answering([["Connection", "x-b"], ["X-B", "c"], ["Keep-Alive", "1"], ["Transfer-Encoding", "chunked"]], ""),
    [":status=200."],
  ],
  "a break in the midst": [
    (_request, sink) => {
      sink.sendHead({ status: 200, statusText: "", httpVersion: "2", headers: [] });
      void sink.write(Buffer.from("hi"));
      sink.abort();
      return Promise.resolve();
    },
    [":status=200", "data hi", "reset 2"],
  ],
};

for (const [what, [answer, expected, method = "GET"]] of Object.entries(answers)) {
  Deno.test(`Http2Connection sends an answer with ${what}`, async () => {
    await using served = await serve(answer);
    served.client.send(frame(kind.headers, endHeaders | last, 1, requestBlock("/", method)));
    deepEqual(await told(served, 1), expected);
    deepEqual([served.refused, served.failed], [[], []]);
  });
}

Deno.test("Http2Connection sends what comes before the answer, and nothing of it behind the head", async () => {
  await using served = await serve((_request, sink) => {
    sink.sendContinue();
    sink.sendInformation(103, [["Link", "</a>"]]);
    sink.sendHead({ status: 200, statusText: "", httpVersion: "2", headers: [] });
    sink.sendInformation(103, []);
    sink.end([]);
    return Promise.resolve();
  });
  served.client.send(get(1, "/"));
  deepEqual(await told(served, 1), [":status=100", ":status=103 link=</a>", ":status=200."]);
});

const authorities: Readonly<Record<string, readonly [authority: string, more: Buffer[], headers: Header[]]>> = {
  "its own": ["a.test", [], []],
  "its own with its port": ["A.test:443", [], []],
  "another": ["b.test", [], [["host", "b.test"]]],
  "another, and a host": ["b.test", [field("host", "c.test")], [["host", "c.test"]]],
};

for (const [what, [authority, more, headers]] of Object.entries(authorities)) {
  Deno.test(`Http2Connection hands on a request whose authority is ${what}`, async () => {
    const seen: LiveRequest[] = [];
    await using served = await serve((request, sink) => {
      seen.push(request);
      return answering([], "")(request, sink);
    });
    const block = [
      field(":method", "GET"),
      field(":scheme", "https"),
      field(":authority", authority),
      field(":path", "/a"),
    ];
    served.client.send(frame(kind.headers, endHeaders | last, 1, Buffer.concat([...block, ...more])));
    await told(served, 1);
    deepEqual(seen.map(({ url, headers }) => [url, headers]), [["https://a.test:443/a", headers]]);
    deepEqual([seen[0]?.httpVersion, seen[0]?.body], ["2", null]);
  });
}

Deno.test("Http2Connection hands on a body as it comes, and the trailers behind it", async () => {
  const seen: unknown[] = [];
  await using served = await serve(async (request, sink) => {
    for await (const piece of request.body ?? []) seen.push(Buffer.from(piece).toString());
    seen.push(request.trailers(), request.expectsContinue);
    await answering([], "")(request, sink);
  });
  const head = requestBlock("/", "POST", field("expect", "100-continue"));
  const trailers = frame(kind.headers, endHeaders | last, 1, field("t", "u"));
  served.client.send(
    frame(kind.headers, endHeaders, 1, head),
    frame(kind.data, 0, 1, "a"),
    frame(kind.data, 0, 1, "b"),
  );
  served.client.send(trailers);
  await told(served, 1);
  deepEqual(seen, ["a", "b", [["t", "u"]], true]);
});

Deno.test("Http2Connection lets an exchange know when its client gives it up, and answers others", async () => {
  const given = Promise.withResolvers<void>();
  await using served = await serve(async (request, sink) => {
    if (request.url.endsWith("/other")) return await answering([], "")(request, sink);
    const reading = (async () => {
      for await (const _piece of request.body ?? []);
    })();
    await rejects(reading, { name: "ClientGoneError" });
    equal(sink.closed, true);
    given.resolve();
    await reading;
  });
  served.client.send(postHead(1, "/"), frame(kind.reset, 0, 1, word(8)), get(3, "/other"));
  await given.promise;
  deepEqual(await told(served, 3), [":status=200."]);
  deepEqual(served.failed, []);
});

Deno.test("Http2Connection breaks a stream off, and no other, when a bug of ours answers it", async () => {
  await using served = await serve((request, sink) =>
    request.url.endsWith("/bug") ? Promise.reject(new RangeError("a bug")) : answering([], "")(request, sink)
  );
  served.client.send(get(1, "/bug"));
  deepEqual(await told(served, 1), ["reset 2"]);
  served.client.send(get(3, "/"));
  deepEqual(await told(served, 3), [":status=200."]);
  match(String(served.failed), /a bug/);
});

Deno.test("Http2Connection answers 400 where nothing can be asked for", async () => {
  await using served = await serve(() => Promise.reject(new RangeError("asked")));
  served.client.send(frame(kind.headers, endHeaders | last, 1, requestBlock("*", "OPTIONS")));
  match((await told(served, 1)).join(), /^:status=400 .*x-agrepl=refused/);
  match(served.refused.join(), /wants a path/);
});
