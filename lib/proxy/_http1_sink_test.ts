import { Buffer } from "node:buffer";
import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { SocketPair } from "../../tests/support/socket_pair.ts";
import { chunkSizes } from "../../tests/support/raw_socket.ts";
import { EmissionMeter } from "../engine/mod.ts";
import type { Header, ResponseHead } from "../step/mod.ts";
import { BodyReader } from "../store/mod.ts";
import type { ParsedHead } from "../wire/mod.ts";
import { type AfterAnswer, Http1Sink } from "./_http1_sink.ts";

const get: ParsedHead = {
  method: "GET",
  target: "/",
  version: "1.1",
  headers: [],
  framing: { kind: "none" },
  keepAlive: true,
};

interface Sending extends AsyncDisposable {
  readonly pair: SocketPair;
  readonly sink: Http1Sink;
  readonly after: AfterAnswer[];
  /** Ends the connection; gives all that came of it. */
  readonly sent: () => Promise<string>;
}

async function sending(request: Partial<ParsedHead> = {}, expectsContinue = false): Promise<Sending> {
  const pair = await SocketPair.open();
  pair.near.on("error", () => {});
  const after: AfterAnswer[] = [];
  const onEnd = (what: AfterAnswer) => void after.push(what);
  const sink = new Http1Sink({ socket: pair.near, request: { ...get, ...request }, expectsContinue, onEnd });
  const sent = () => {
    pair.near.destroySoon();
    return pair.far.rest();
  };
  return { pair, sink, after, sent, [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose]() };
}

function ok200(...headers: Header[]): ResponseHead {
  return { status: 200, statusText: "OK", httpVersion: "1.1", headers };
}

const bytes = (text: string) => Buffer.from(text, "latin1");

Deno.test("Http1Sink frames 10,000 short pieces one by one, and hands those of a turn on together", async () => {
  await using answer = await sending();
  const { near } = answer.pair;
  let writes = 0;
  const write = near.write.bind(near);
  near.write = ((piece: Uint8Array) => (writes++, write(piece))) as typeof near.write;
  answer.sink.sendHead(ok200());
  const sizes = Array.from({ length: 10_000 }, (_, index) => 1 + index % 9);
  for (const size of sizes) {
    const waiting = answer.sink.write(bytes("x".repeat(size)));
    if (waiting !== undefined) await waiting;
  }
  answer.sink.end([]);
  deepEqual(chunkSizes(await answer.sent()), sizes);
  ok(writes < 12, String(writes)); // 100 KB with their framing
});

Deno.test("Http1Sink sends no byte beyond a content-length, meters what it sent, and closes", async () => {
  await using answer = await sending();
  const meter = new EmissionMeter(new BodyReader(bytes("hello")));
  answer.sink.meter = meter;
  answer.sink.sendHead(ok200(["Content-Length", "3"]));
  answer.sink.write(bytes("hello"));
  answer.sink.end([]);
  ok((await answer.sent()).endsWith("\r\n\r\nhel"));
  deepEqual([meter.emission().bodyBytes, answer.after], [3, ["close"]]);
});

Deno.test("Http1Sink closes when a body is shorter than its content-length", async () => {
  await using answer = await sending();
  answer.sink.sendHead(ok200(["Content-Length", "9"]));
  answer.sink.write(bytes("short"));
  answer.sink.end([]);
  deepEqual(answer.after, ["close"]);
});

for (const lengths of [["x"], ["-1"], ["3, 3"], ["3", "4"]]) {
  Deno.test(`Http1Sink lets the close end a body whose content-length says ${lengths.join(" and ")}`, async () => {
    await using answer = await sending();
    answer.sink.sendHead(ok200(...lengths.map((length): Header => ["Content-Length", length])));
    answer.sink.write(bytes("hello"));
    answer.sink.end([]);
    const text = await answer.sent();
    ok(text.includes("\r\nConnection: close\r\n") && text.endsWith("\r\n\r\nhello"), text);
    deepEqual(answer.after, ["close"]);
  });
}

for (const text of ["a\r\nb", "a\nb", "a\0b", "\u20ac"]) {
  Deno.test(`Http1Sink throws and sends nothing when a head holds ${JSON.stringify(text)}`, async () => {
    await using answer = await sending();
    throws(() => answer.sink.sendHead({ ...ok200(), statusText: text }), TypeError);
    await using other = await sending();
    throws(() => other.sink.sendHead(ok200(["X-A", text])), TypeError);
    deepEqual([await answer.sent(), await other.sent()], ["", ""]);
  });
}

Deno.test("Http1Sink asks its engine to wait when small pieces pile up, and to go on when the client has read", async () => {
  await using answer = await sending();
  const { near, far } = answer.pair;
  far.socket.pause();
  answer.sink.sendHead(ok200());
  let waiting: Promise<void> | undefined;
  for (let count = 0; count < 10_000 && waiting === undefined; count++) {
    waiting = answer.sink.write(Buffer.alloc(8 * 1024));
    await Promise.resolve(); // what was gathered goes out, without the engine being asked
  }
  ok(waiting !== undefined && near.writableLength < 1024 * 1024, String(near.writableLength));
  far.socket.resume();
  await waiting;
  equal(near.listenerCount("drain"), 0);
});

Deno.test("Http1Sink does not wait for a client that is gone", async () => {
  await using answer = await sending();
  answer.pair.far.socket.pause();
  answer.sink.sendHead(ok200());
  let waiting: Promise<void> | undefined;
  while (waiting === undefined) waiting = answer.sink.write(Buffer.alloc(64 * 1024));
  answer.pair.near.destroy();
  await waiting;
  await new Promise((resolve) => setImmediate(resolve)); // its "close" is over
  equal(answer.sink.write(bytes("more")), undefined);
});

Deno.test("Http1Sink delivers what came before a break, and nothing that comes after", async () => {
  await using answer = await sending();
  answer.sink.sendHead(ok200());
  answer.sink.write(bytes("before"));
  answer.sink.abort();
  answer.sink.write(bytes("after"));
  answer.sink.end([["X", "1"]]);
  ok((await answer.sent()).endsWith("\r\n\r\n6\r\nbefore\r\n"));
  deepEqual(answer.after, ["break"]);
});

Deno.test("Http1Sink sends nothing interim behind a head, and one head only", async () => {
  await using answer = await sending({}, true);
  answer.sink.sendHead(ok200(["Content-Length", "0"]));
  answer.sink.sendContinue();
  answer.sink.sendInformation(103, []);
  answer.sink.sendHead(ok200());
  answer.sink.end([]);
  equal(await answer.sent(), "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
});

Deno.test("Http1Sink sends trailers behind chunks only", async () => {
  const ends: string[] = [];
  for (const [version, length] of [["1.1", null], ["1.1", "2"], ["1.0", null]] as const) {
    await using answer = await sending({ version });
    answer.sink.sendHead(ok200(...(length === null ? [] : [["Content-Length", length] as const])));
    answer.sink.write(bytes("ok"));
    answer.sink.end([["X-Sum", "1"]]);
    ends.push((await answer.sent()).split("\r\n\r\n").slice(1).join("|"));
  }
  deepEqual(ends, ["2\r\nok\r\n0\r\nX-Sum: 1|", "ok", "ok"]);
});

Deno.test("Http1Sink closes behind a 1xx that stands for an answer", async () => {
  await using answer = await sending();
  answer.sink.sendHead({ ...ok200(), status: 101, statusText: "Switching" });
  answer.sink.end([]);
  deepEqual(answer.after, ["close"]);
});
