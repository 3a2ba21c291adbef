import { deepEqual, equal, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Http2Peer } from "../../tests/support/http2_peer.ts";
import {
  endHeaders,
  field,
  frame,
  get,
  kind,
  last,
  postHead,
  preface,
  requestBlock,
  settings,
  word,
} from "../../tests/support/raw_http2.ts";

const padded = 8;
const withPriority = 0x20;
const begin = [preface, settings()];
const block = requestBlock("/");

/** What the other side may not do: each ends the connection. */
const violations: Readonly<Record<string, readonly [code: number, ...frames: Buffer[]]>> = {
  "no preface": [1, Buffer.from("GET /")],
  "a preface that is wrong at its end": [1, Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\r")],
  "a ping before the settings": [1, preface, frame(kind.ping, 0, 0, "12345678")],
  "an acknowledgement before the settings": [1, preface, frame(kind.settings, last, 0)],
  "a frame of 16,385 bytes": [6, ...begin, frame(0xfa, 0, 0, Buffer.alloc(16_385))],
  "data of no stream": [1, ...begin, frame(kind.data, 0, 0, "x")],
  "data of a stream that was not begun": [1, ...begin, frame(kind.data, 0, 1, "x")],
  "headers of no stream": [1, ...begin, frame(kind.headers, endHeaders, 0, block)],
  "headers of a stream that is ours to begin": [1, ...begin, frame(kind.headers, endHeaders, 2, block)],
  "a reset of no stream": [1, ...begin, frame(kind.reset, 0, 0, word(8))],
  "a reset of a stream that was not begun": [1, ...begin, frame(kind.reset, 0, 1, word(8))],
  "a reset of 3 bytes": [6, ...begin, postHead(1, "/"), frame(kind.reset, 0, 1, "abc")],
  "settings of a stream": [1, ...begin, frame(kind.settings, 0, 1)],
  "settings of 5 bytes": [6, ...begin, frame(kind.settings, 0, 0, "abcde")],
  "an acknowledgement that says something": [6, ...begin, frame(kind.settings, last, 0, "abcdef")],
  "a setting for pushes of 2": [1, ...begin, settings([2, 2])],
  "a window of 2 GiB for every stream": [3, ...begin, settings([4, 2 ** 31])],
  "a frame size of 16,383": [1, ...begin, settings([5, 16_383])],
  "a frame size of 16 MiB": [1, ...begin, settings([5, 2 ** 24])],
  "a push": [1, ...begin, frame(kind.push, endHeaders, 1, Buffer.concat([word(2), block]))],
  "a ping of 7 bytes": [6, ...begin, frame(kind.ping, 0, 0, "1234567")],
  "a ping of a stream": [1, ...begin, frame(kind.ping, 0, 1, "12345678")],
  "a farewell of 7 bytes": [6, ...begin, frame(kind.goaway, 0, 0, "1234567")],
  "a farewell of a stream": [1, ...begin, frame(kind.goaway, 0, 1, "12345678")],
  "a window of 3 bytes": [6, ...begin, frame(kind.windowUpdate, 0, 0, "abc")],
  "a window that grows by nothing": [1, ...begin, frame(kind.windowUpdate, 0, 0, word(0))],
  "a window that grows beyond 2 GiB": [3, ...begin, frame(kind.windowUpdate, 0, 0, word(2 ** 31 - 1))],
  "a stream's window that grows beyond 2 GiB": [
    3,
    ...begin,
    postHead(1, "/"),
    frame(kind.windowUpdate, 0, 1, word(2 ** 31 - 1)),
  ],
  "a window of all streams that makes one grow beyond 2 GiB": [
    3,
    ...begin,
    postHead(1, "/"),
    frame(kind.windowUpdate, 0, 1, word(2 ** 31 - 1 - 65_535)),
    settings([4, 65_536]),
  ],
  "a window of a stream that was not begun": [1, ...begin, frame(kind.windowUpdate, 0, 1, word(1))],
  "a priority of no stream": [1, ...begin, frame(kind.priority, 0, 0, "\0\0\0\0\x01")],
  "a priority of 4 bytes": [6, ...begin, frame(kind.priority, 0, 1, "\0\0\0\0")],
  "a continuation of nothing": [1, ...begin, frame(kind.continuation, endHeaders, 1, block)],
  "a ping within a header block": [1, ...begin, frame(kind.headers, 0, 1, block), frame(kind.ping, 0, 0, "12345678")],
  "an unknown frame within a header block": [1, ...begin, frame(kind.headers, 0, 1, block), frame(0xfa, 0, 0)],
  "another stream's continuation": [
    1,
    ...begin,
    frame(kind.headers, 0, 1),
    frame(kind.continuation, endHeaders, 3, block),
  ],
  "data that is less than its padding": [1, ...begin, postHead(1, "/"), frame(kind.data, padded, 1, "\x03ab")],
  "headers that are less than their padding": [1, ...begin, frame(kind.headers, endHeaders | padded, 1, "\x7fab")],
  "padded headers of nothing": [6, ...begin, frame(kind.headers, endHeaders | padded, 1)],
  "headers without their priority": [6, ...begin, frame(kind.headers, endHeaders | withPriority, 1, "\0\0\0\0")],
  "headers whose padding takes their priority": [
    6,
    ...begin,
    frame(kind.headers, endHeaders | padded | withPriority, 1, "\x03\0\0\0\0\0"),
  ],
  "a header block that cannot be read": [9, ...begin, frame(kind.headers, endHeaders, 1, Buffer.from([0x80]))],
  "trailers that cannot be read, of a stream that is over": [
    9,
    ...begin,
    get(1, "/"),
    frame(kind.reset, 0, 1, word(8)),
    frame(kind.headers, endHeaders | last, 1, Buffer.from([0xff, 0xff])),
  ],
};

for (const [what, [code, ...frames]] of Object.entries(violations)) {
  Deno.test(`Http2Session ends a connection with ${code} for ${what}`, () => {
    const peer = new Http2Peer("server");
    peer.send(...frames);
    deepEqual([peer.complaints(), peer.events.at(-1), peer.session.openStreams], [
      [`GOAWAY ${code}`],
      `end: ${code}`,
      0,
    ]);
    peer.send(get(99, "/late"));
    deepEqual([peer.frames(), peer.events.at(-1)], [[], `end: ${code}`]);
  });
}

/** What costs a stream its life and no more. */
const offences: Readonly<Record<string, readonly [complaint: string, ...frames: Buffer[]]>> = {
  "data behind the end": ["RST_STREAM 1: 5", get(1, "/"), frame(kind.data, 0, 1, "x")],
  "headers behind the end": [
    "RST_STREAM 1: 5",
    get(1, "/"),
    frame(kind.headers, endHeaders | last, 1, field("a", "b")),
  ],
  "a window that grows by nothing": ["RST_STREAM 1: 1", postHead(1, "/"), frame(kind.windowUpdate, 0, 1, word(0))],
  "trailers that are too large": [
    "RST_STREAM 1: 11",
    postHead(1, "/"),
    frame(kind.headers, endHeaders | last, 1, Buffer.concat([kept("x", 4000), Buffer.alloc(100, 0xbe)])),
  ],
};

for (const [what, [complaint, ...frames]] of Object.entries(offences)) {
  Deno.test(`Http2Session breaks off a stream, and no other, for ${what}`, () => {
    const peer = Http2Peer.begun("server");
    peer.send(...frames, get(3, "/next"));
    deepEqual(peer.complaints(), [complaint]);
    ok(peer.events.includes(`1 reset ${complaint.slice(14)}`), peer.events.join("\n"));
    deepEqual([...peer.streams.values()].map(({ id, closed }) => [id, closed]), [[1, true], [3, false]]);
  });
}

Deno.test("Http2Session passes over frames of a stream that it has broken off itself, and counts their data", () => {
  const peer = Http2Peer.begun("server");
  peer.send(postHead(1, "/"));
  peer.streams.get(1)?.reset(8);
  const data = frame(kind.data, 0, 1, "x".repeat(16_000));
  peer.send(
    ...Array(600).fill(data),
    frame(kind.windowUpdate, 0, 1, word(1)),
    frame(kind.headers, endHeaders | last, 1),
  );
  const grants = peer.frames().filter((said) => said.kind === kind.windowUpdate).map((said) => said.streamId);
  deepEqual([peer.events.slice(1), grants], [[], [0]]);
});

Deno.test("Http2Session refuses a stream beyond the limit and takes another when one is over", () => {
  const peer = Http2Peer.begun("server", { streamLimit: 2 });
  peer.send(get(1, "/"), get(3, "/"), get(5, "/"));
  deepEqual(peer.complaints(), ["RST_STREAM 5: 7"]);
  peer.streams.get(1)?.end([]);
  peer.send(get(7, "/"));
  deepEqual([peer.complaints(), [...peer.streams.keys()]], [[], [1, 3, 7]]);
});

Deno.test("Http2Session calls a request too large whose fields are, and reads the next one against the same table", () => {
  const peer = Http2Peer.begun("server");
  const bomb = Buffer.concat([requestBlock("/"), kept("x", 4000), Buffer.alloc(10_000, 0xbe)]);
  peer.send(
    frame(kind.headers, endHeaders | last, 1, bomb),
    frame(kind.headers, endHeaders | last, 3, Buffer.from([0xbe])),
  );
  deepEqual(peer.events.map((event) => event.slice(0, 24)), [
    "1 begins too large: :met",
    `3 begins: x=${"v".repeat(12)}`,
  ]);
});

Deno.test("Http2Session answers a ping with its bytes, settings with an acknowledgement, and neither's answer", () => {
  const peer = Http2Peer.begun("server");
  peer.send(frame(kind.ping, 0, 0, "12345678"), settings([1, 0], [99, 7]), frame(kind.ping, last, 0, "12345678"));
  const said = peer.frames().map((frame) => [frame.kind, frame.flags, frame.payload.toString()]);
  deepEqual(said, [[kind.ping, last, "12345678"], [kind.settings, last, ""]]);
});

Deno.test("Http2Session passes over what it does not know, priorities, and reserved bits", () => {
  const peer = Http2Peer.begun("server");
  const reserved = get(1, "/");
  reserved[5] = 0x80;
  peer.send(frame(0xfa, 0xff, 5, "x"), frame(kind.priority, 0, 9, "\0\0\0\0\x01"), reserved);
  deepEqual(peer.events, ["1 begins: :method=GET :scheme=https :authority=a.test :path=/"]);
});

Deno.test("Http2Session takes padding off and gives it back to the windows", () => {
  const peer = Http2Peer.begun("server", { streamWindowBytes: 1000 });
  const head = Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 1]), block, Buffer.alloc(2)]);
  peer.send(frame(kind.headers, endHeaders | padded | withPriority, 1, head));
  for (let sent = 0; sent < 20; sent++) peer.send(frame(kind.data, padded, 1, `\xc8a${"\0".repeat(200)}`));
  deepEqual(peer.events.slice(1), [`1 data: ${"a".repeat(20)}`]);
  const granted = peer.frames().filter(({ streamId }) => streamId === 1).map(({ payload }) => payload.readUInt32BE(0));
  ok(granted.reduce((sum, bytes) => sum + bytes, 0) >= 20 * 202 - 500, granted.join());
});

Deno.test("Http2Session ends a connection with 3 when a stream brings more than its window", () => {
  const peer = Http2Peer.begun("server", { streamWindowBytes: 100 });
  peer.send(postHead(1, "/"));
  peer.streams.get(1)?.listen({ headers() {}, data() {}, end() {}, reset() {} }); // who uses nothing up
  peer.send(frame(kind.data, 0, 1, "x".repeat(100)));
  deepEqual(peer.complaints(), []);
  peer.send(frame(kind.data, 0, 1, "x"));
  deepEqual(peer.complaints(), ["GOAWAY 3"]);
});

Deno.test("Http2Session sends no more of all streams together than the connection's window, and goes on when it grows", () => {
  const peer = Http2Peer.begun("server");
  const grow = (streamId: number, bytes: number) => frame(kind.windowUpdate, 0, streamId, word(bytes));
  peer.send(get(1, "/"), get(3, "/"), grow(1, 1e6), grow(3, 1e6));
  for (const stream of peer.streams.values()) void stream.sendData(Buffer.alloc(60_000));
  deepEqual(dataBytes(peer), { 1: 60_000, 3: 5535 });
  peer.send(grow(0, 1000), grow(0, 10));
  deepEqual(dataBytes(peer), { 3: 1010 });
  peer.send(grow(0, 1e6));
  deepEqual(dataBytes(peer), { 3: 60_000 - 5535 - 1010 });
});

Deno.test("Http2Session sends nothing while a window is below nothing, and goes on when it is not", () => {
  const peer = Http2Peer.begun("server");
  peer.send(get(1, "/"));
  void peer.streams.get(1)?.sendData(Buffer.alloc(70_000));
  peer.send(frame(kind.windowUpdate, 0, 0, word(1e6)), settings([4, 10])); // 65,525 less than none
  peer.send(frame(kind.windowUpdate, 0, 1, word(65_525)));
  deepEqual(dataBytes(peer), { 1: 65_535 });
  peer.send(frame(kind.windowUpdate, 0, 1, word(7)), settings([4, 13]));
  deepEqual(dataBytes(peer), { 1: 10 });
});

Deno.test("Http2Stream.sendData() makes its caller wait until the windows have taken it, or the stream is over", async () => {
  const peer = Http2Peer.begun("server");
  peer.send(get(1, "/"), get(3, "/"), frame(kind.windowUpdate, 0, 0, word(1e6)));
  const [first, second] = [peer.streams.get(1), peer.streams.get(3)];
  equal(first?.sendData(Buffer.alloc(65_535)), undefined);
  const waits = [first?.sendData(Buffer.alloc(1)), second?.sendData(Buffer.alloc(70_000))];
  ok(waits.every((wait) => wait instanceof Promise));
  peer.send(frame(kind.windowUpdate, 0, 1, word(1)), frame(kind.reset, 0, 3, word(8)));
  await Promise.all(waits);
});

Deno.test("Http2Session tells a client's streams behind a farewell that nobody looked at them, and lets the others end", () => {
  const peer = Http2Peer.begun("client");
  const [first] = [peer.open(), peer.open(), peer.open()];
  peer.send(frame(kind.goaway, 0, 0, Buffer.concat([word(1), word(0)])));
  deepEqual(peer.events, ["3 reset 7", "5 reset 7"]);
  deepEqual([peer.session.hasRoom, peer.session.draining, first?.closed], [false, true, false]);
  peer.send(frame(kind.headers, endHeaders | last, 1, Buffer.from([0x88])));
  deepEqual(peer.events.slice(2), ["1 headers last: :status=200", "end: null", "1 end"]);
});

Deno.test("Http2Session says farewell once, ends its streams, takes no other, and ends", () => {
  const peer = Http2Peer.begun("server");
  peer.send(get(1, "/"));
  peer.session.drain();
  peer.session.drain();
  peer.send(get(3, "/late"));
  deepEqual([peer.complaints(), peer.session.openStreams], [["GOAWAY 0"], 1]);
  peer.streams.get(1)?.sendHeaders([[":status", "200"]], true);
  deepEqual([peer.events.at(-1), peer.session.openStreams], ["end: null", 0]);
});

const serverViolations: Readonly<Record<string, Buffer>> = {
  "a push": frame(kind.push, endHeaders, 1, Buffer.concat([word(2), block])),
  "an answer to nothing": frame(kind.headers, endHeaders, 3, Buffer.from([0x88])),
  "a stream of the server's own": frame(kind.headers, endHeaders, 2, Buffer.from([0x88])),
  "a setting that allows pushes": settings([2, 1]),
};

for (const [what, bytes] of Object.entries(serverViolations)) {
  Deno.test(`Http2Session ends a client's connection with 1 for ${what}`, () => {
    const peer = Http2Peer.begun("client");
    peer.open();
    peer.send(bytes);
    deepEqual([peer.complaints(), peer.events], [["GOAWAY 1"], ["1 reset null", "end: 1"]]);
  });
}

Deno.test("Http2Session begins 100 streams of a server that has not said how many it takes, then as many as it says", () => {
  const peer = new Http2Peer("client");
  const fill = () => {
    while (peer.session.hasRoom && peer.session.openStreams < 500) peer.open();
    return peer.session.openStreams;
  };
  equal(fill(), 100);
  peer.send(settings());
  equal(fill(), 500);
  peer.send(settings([3, 10]));
  equal(peer.session.hasRoom, false);
});

Deno.test("Http2Session begins its first header block with a table of nothing, and no other", () => {
  const peer = Http2Peer.begun("client");
  peer.open();
  peer.open();
  deepEqual(peer.frames().map(({ payload }) => payload.toString("hex")), ["2082", "82"]);
});

Deno.test("Http2Session cuts a header block of 40,000 bytes into frames that everybody takes", () => {
  const peer = Http2Peer.begun("client");
  peer.session.open().sendHeaders([["x", "v".repeat(40_000)]], true);
  const said = peer.frames().map((frame) => [frame.kind, frame.flags, frame.payload.length]);
  deepEqual(said.slice(0, 2), [[kind.headers, last, 16_384], [kind.continuation, 0, 16_384]]);
  deepEqual([said.length, said[2]?.[1]], [3, endHeaders]);
});

Deno.test("Http2Session knows a head that has begun from one that is whole, and each from the next", () => {
  const peer = Http2Peer.begun("server");
  const half = get(1, "/").subarray(0, 20);
  equal(peer.session.midHead, null);
  peer.send(half);
  const first = peer.session.midHead;
  peer.send(get(1, "/").subarray(20), frame(kind.headers, 0, 3, block));
  ok(first !== null && peer.session.midHead !== null && peer.session.midHead !== first);
  peer.send(frame(kind.continuation, endHeaders, 3), frame(kind.data, 0, 3, "half of it").subarray(0, 12));
  equal(peer.session.midHead, null);
});

const floods: Readonly<Record<string, Buffer>> = {
  pings: frame(kind.ping, 0, 0, "12345678"),
  settings: settings(),
  "frames of nothing": frame(kind.data, 0, 1),
};

for (const [what, one] of Object.entries(floods)) {
  Deno.test(`Http2Session takes 99 ${what} a second for an hour, and ends a connection with 11 for 1,100 at once`, () => {
    const peer = Http2Peer.begun("server");
    peer.send(postHead(1, "/"));
    for (let second = 0; second < 3600; second += 10, peer.later(10_000)) peer.send(...Array(990).fill(one));
    deepEqual(peer.complaints(), []);
    peer.send(...Array(1100).fill(one));
    deepEqual(peer.complaints(), ["GOAWAY 11"]);
  });
}

Deno.test("Http2Session takes a ping for each piece that it sends: that is how gRPC measures a line", () => {
  const peer = Http2Peer.begun("server");
  peer.send(get(1, "/"), frame(kind.windowUpdate, 0, 0, word(1e6)), frame(kind.windowUpdate, 0, 1, word(1e6)));
  for (let sent = 0; sent < 5000; sent++) {
    void peer.streams.get(1)?.sendData(Buffer.from("x"));
    peer.send(frame(kind.ping, 0, 0, "12345678"));
  }
  deepEqual(peer.complaints(), []);
});

/** How much data of each stream a session has said, taken from its frames. */
function dataBytes(peer: Http2Peer): Record<number, number> {
  const bytes: Record<number, number> = {};
  for (const { kind: type, streamId, payload } of peer.frames()) {
    if (type === kind.data) bytes[streamId] = (bytes[streamId] ?? 0) + payload.length;
  }
  return bytes;
}

/** A field that the other side is to keep, with a value of so many `v`. */
function kept(name: string, length: number): Buffer {
  const literal = field(name, "v".repeat(length));
  literal[0] = 0x40;
  return literal;
}
