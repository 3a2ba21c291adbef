import { deepEqual, equal, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { Http1Parser, type ParserEvent } from "./http1_parser.ts";

function eventsOf(parts: readonly string[]): ParserEvent[] {
  const parser = new Http1Parser();
  const events: ParserEvent[] = [];
  for (const part of parts) {
    parser.push(Buffer.from(part, "latin1"));
    for (let event = parser.next(); event !== null; event = parser.next()) events.push(event);
  }
  return events;
}

/** Events without their cuts: body pieces joined, heads as they are. */
function joined(events: readonly ParserEvent[]): unknown[] {
  const all: unknown[] = [];
  let body = "";
  for (const event of events) {
    if (event.kind === "body") body += Buffer.from(event.bytes).toString("latin1");
    else {
      if (body !== "") all.push(body);
      body = "";
      all.push(event);
    }
  }
  return all;
}

const post = "POST /a?b HTTP/1.1\r\nHost: h\r\nX-Twice: 1\r\nx-twice: 2\r\nContent-Length: 5\r\n\r\nhello";
const chunked =
  "PUT /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nT: 1\r\nt: 2\r\n\r\n";
const get = "GET http://h/ HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";

Deno.test("Http1Parser reads pipelined requests with lengths, chunks, trailers and none", () => {
  const [first, , , second] = joined(eventsOf([post + chunked + get])) as { head?: { method: string } }[];
  deepEqual([first?.head?.method, second?.head?.method], ["POST", "PUT"]);
  const kinds = eventsOf([post + chunked + get]).map((event) => event.kind).join(" ");
  equal(kinds, "head body end head body body end head end");
});

Deno.test("Http1Parser gives the same events at every split point", () => {
  const text = `\r\n${post}${chunked}${get}`;
  const whole = joined(eventsOf([text]));
  for (let cut = 0; cut <= text.length; cut++) {
    deepEqual(joined(eventsOf([text.slice(0, cut), text.slice(cut)])), whole, `cut at ${cut}`);
  }
  deepEqual(joined(eventsOf([...text])), whole);
});

Deno.test("Http1Parser keeps headers in order and case, and trims around values", () => {
  const [event] = eventsOf(["GET / HTTP/1.1\r\nB:  x \r\na:\r\nb: y\xff\r\n\r\n"]);
  deepEqual(event?.kind === "head" && event.head.headers, [["B", "x"], ["a", ""], ["b", "y\xff"]]);
});

Deno.test("Http1Parser gives trailers in order and case", () => {
  const end = eventsOf([chunked]).at(-1);
  deepEqual(end?.kind === "end" && end.trailers, [["T", "1"], ["t", "2"]]);
});

Deno.test("Http1Parser tells whether a connection is to be kept", () => {
  const keeps = (version: string, header: string) => {
    const [event] = eventsOf([`GET / HTTP/${version}\r\n${header}\r\n\r\n`]);
    return event?.kind === "head" && event.head.keepAlive;
  };
  deepEqual([keeps("1.1", "A: b"), keeps("1.0", "A: b"), keeps("1.0", "Connection: x, Keep-Alive")], [
    true,
    false,
    true,
  ]);
  deepEqual([keeps("1.1", "Connection: Close"), keeps("1.1", "Connection: closer")], [false, true]);
  equal(keeps("1.1", "Connection: keep-alive\r\nconnection: close"), false);
  equal(keeps("1.1", "Connection: x\r\nProxy-Connection: close"), true);
});

Deno.test("Http1Parser leaves what comes behind a head to whoever takes it", () => {
  const parser = new Http1Parser();
  parser.push(Buffer.from("CONNECT h:443 HTTP/1.1\r\n\r\n\x16\x03\x01"));
  equal(parser.next()?.kind, "head");
  deepEqual([...parser.takeRest()], [0x16, 3, 1]);
});

const refused: readonly (readonly [name: string, bytes: string, status: number])[] = [
  ["both a length and chunks", "POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", 400],
  ["two lengths", "POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\n", 400],
  ["a list of lengths", "POST / HTTP/1.1\r\nContent-Length: 3, 3\r\n\r\n", 400],
  ["a signed length", "POST / HTTP/1.1\r\nContent-Length: +3\r\n\r\n", 400],
  ["another coding before chunked", "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501],
  ["chunked twice", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 501],
  ["chunks in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400],
  ["a folded header", "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", 400],
  ["a space before the colon", "GET / HTTP/1.1\r\nA : b\r\n\r\n", 400],
  ["a header without a name", "GET / HTTP/1.1\r\n: b\r\n\r\n", 400],
  ["a bare line feed", "GET / HTTP/1.1\nHost: h\n\n", 400],
  ["a bare line feed in a value", "GET / HTTP/1.1\r\nA: b\nC: d\r\n\r\n", 400],
  ["a bare carriage return", "GET / HTTP/1.1\r\nA: b\rC: d\r\n\r\n", 400],
  ["a NUL in a value", "GET / HTTP/1.1\r\nA: b\0\r\n\r\n", 400],
  ["two hosts", "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", 400],
  ["HTTP/2's preface", "PRI * HTTP/2.0\r\n\r\n", 400],
  ["a space too many", "GET  / HTTP/1.1\r\n\r\n", 400],
  ["a chunk size that is none", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0x3\r\n", 400],
  [
    "a chunk size beyond all numbers",
    `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${"f".repeat(16)}\r\n`,
    400,
  ],
  ["a chunk longer than its size", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", 400],
  ["a chunk extension without end", `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;${"x".repeat(5000)}`, 400],
  ["a head without end", `GET / HTTP/1.1\r\nA: ${"x".repeat(300 * 1024)}`, 431],
];

for (const [name, bytes, status] of refused) {
  Deno.test(`Http1Parser refuses ${name} with ${status}, and says nothing after`, () => {
    const events = eventsOf([bytes, "GET / HTTP/1.1\r\n\r\n"]);
    const last = events.at(-1);
    equal(last?.kind === "error" && last.status, status);
    equal(
      events.filter((event) => event.kind === "head").length,
      bytes.includes("\r\n\r\n") && /0x3|;x|abc|fff/.test(bytes) ? 1 : 0,
    );
  });
}

Deno.test("Http1Parser never throws and never gives more body than it was fed", () => {
  const mutated = fc.tuple(
    fc.constantFrom(post, chunked, get),
    fc.nat(120),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  fc.assert(
    fc.property(mutated, ([text, at, noise]) => {
      const bytes = text.slice(0, at) + noise + text.slice(at + noise.length);
      const body = eventsOf([bytes]).reduce((sum, event) => sum + (event.kind === "body" ? event.bytes.length : 0), 0);
      return body <= bytes.length;
    }),
    { numRuns: 2000 },
  );
});

Deno.test("Http1Parser reads a head of 200 KiB that comes byte by byte in a time that its length explains", () => {
  const text = `GET / HTTP/1.1\r\nA: ${"x".repeat(200 * 1024)}\r\n\r\n`;
  const parser = new Http1Parser();
  const startMs = performance.now();
  let heads = 0;
  for (let at = 0; at < text.length; at++) {
    parser.push(Buffer.from(text.slice(at, at + 1)));
    if (parser.next()?.kind === "head") heads++;
  }
  equal(heads, 1);
  ok(performance.now() - startMs < 2_500); // copied for each byte, it would be 20 GB
});

Deno.test("Http1Parser does not change what it has given away when more bytes come", () => {
  const parser = new Http1Parser();
  parser.push(Buffer.from("POST / HTTP/1.1\r\nContent-Length: 6\r\n"));
  parser.push(Buffer.from("\r\nabc"));
  parser.next();
  const first = parser.next();
  parser.push(Buffer.from("defGET / HTTP/1.1"));
  parser.push(Buffer.from("\r\n\r\n"));
  const second = parser.next();
  const texts = [first, second].map((event) => event?.kind === "body" && Buffer.from(event.bytes).toString());
  deepEqual(texts, ["abc", "def"]);
});

Deno.test("Http1Parser gives the same for mutated requests at every split point, and holds no more than its limits", () => {
  const noise = fc.array(
    fc.tuple(fc.nat(130), fc.constantFrom(...["\r", "\n", "\0", ":", ";", " ", "0", "f", "\xff"])),
    {
      maxLength: 4,
    },
  );
  fc.assert(
    fc.property(fc.constantFrom(post + get, chunked + get), noise, (text, changes) => {
      let bytes = text;
      for (const [at, by] of changes) bytes = bytes.slice(0, at) + by + bytes.slice(at + 1);
      const whole = endingOf([bytes]);
      for (let cut = 1; cut < bytes.length; cut++) {
        deepEqual(endingOf([bytes.slice(0, cut), bytes.slice(cut)]), whole, JSON.stringify([bytes, cut]));
      }
    }),
    { numRuns: 150 },
  );
});

/** Events, but for the words of a refusal: which of two faults is seen first depends on where the bytes were cut. */
function endingOf(parts: readonly string[]): unknown[] {
  return joined(eventsOf(parts)).map((event) =>
    typeof event === "object" && event !== null && "reason" in event ? "refused" : event
  );
}
