import { deepEqual, equal, match } from "node:assert/strict";
import { bodyDifference } from "./body_difference.ts";
import { type ComparedBody, textBody } from "./compared.ts";
import { memberVerdict, tablesOnly } from "./rules.ts";

const verdict = memberVerdict({ method: "GET", url: "https://api.example.com/" }, tablesOnly);

function difference(a: ComparedBody, b: ComparedBody, type = "application/json", otherType = type) {
  const message = (body: ComparedBody, contentType: string) =>
    ({ headers: [["content-type", contentType]], body }) as const;
  return bodyDifference(message(a, type), message(b, otherType), { part: "response", name: "body", verdict });
}

function changesOf(a: string, b: string, ...types: readonly string[]): string[] {
  return difference(textBody(a), textBody(b), ...types).map((each) =>
    `${each.tier} ${each.field}: ${each.a} -> ${each.b}`
  );
}

const cases: readonly (readonly [what: string, a: string, b: string, type: string, expected: string[]])[] = [
  ["blanks in JSON", '{"a":1}', '{ "a": 1 }', "application/json", []],
  ["a member", '{"a":{"b/c":1}}', '{"a":{"b/c":2}}', "application/json", ["signal body #/a/b~1c: 1 -> 2"]],
  ["JSON that nobody calls so", '{"a":1}', '{"a":2}', "text/plain", ["signal body #/a: 1 -> 2"]],
  ["an id", '{"id":"msg_01XyZw4567890a"}', '{"id":"msg_01QrSt4567890b"}', "application/json", [
    'noise body #/id: "msg_01XyZw4567890a" -> "msg_01QrSt4567890b"',
  ]],
  ["an id for none", '{"id":"msg_01XyZw4567890a"}', '{"id":null}', "application/json", [
    'noise body #/id: "msg_01XyZw4567890a" -> null',
  ]],
  ["an id for a name", '{"id":"msg_01XyZw4567890a"}', '{"id":"main"}', "application/json", [
    'signal body #/id: "msg_01XyZw4567890a" -> "main"',
  ]],
  [
    "the id of a JSON-RPC call",
    '{"jsonrpc":"2.0","id":1,"result":{"id":1}}',
    '{"jsonrpc":"2.0","id":2,"result":{"id":2}}',
    "application/json",
    [
      "noise body #/id: 1 -> 2",
      "signal body #/result/id: 1 -> 2",
    ],
  ],
  [
    "a number that no double carries",
    '{"n":9007199254740993,"x":1}',
    '{"n":9007199254740992,"x":1}',
    "application/json",
    [
      'signal body #/n: "9007199254740993" -> "9007199254740992"',
    ],
  ],
  ["a member that stands twice", '{"a":1,"a":2}', '{"a":3,"a":2}', "application/json", [
    'signal body word 1: {"a":1,"a":2} -> {"a":3,"a":2}',
  ]],
  ["JSON that is none", '{"a":', '{"b":', "application/json", ['signal body word 1: {"a": -> {"b":']],
  ["text", "one two", "one three", "text/plain", ["signal body word 2: two -> three"]],
  ["which secret was replaced", '{"k":"[redacted-1]"}', '{"k":"[redacted-2***]"}', "application/json", []],
  ["lines of JSON", '{"response":"a"}\n{"response":"b"}\n', '{"response":"ab"}\n', "application/x-ndjson", []],
];
for (const [what, a, b, type, expected] of cases) {
  Deno.test(`bodyDifference() gives ${expected.length} changes when what differs is ${what}`, () => {
    deepEqual(changesOf(a, b, type), expected);
  });
}

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;

Deno.test("bodyDifference() reads a stream as what was said, however it was cut", () => {
  const piece = (content: string) => event({ choices: [{ index: 0, delta: { content } }] });
  const type = "text/event-stream; charset=utf-8";
  deepEqual(changesOf(piece("Hel") + piece("lo"), piece("He") + piece("l") + piece("lo"), type), []);
  deepEqual(changesOf(piece("Hel") + piece("lo"), piece("He") + piece("lp"), type), [
    'signal body streamed choices/0/delta/content: "Hello" -> "Help"',
  ]);
});

Deno.test("bodyDifference() names the event and its member when a stream says something else", () => {
  const a = event({ step: 1 }) + event({ step: 2, at: { x: 1 } });
  const b = event({ step: 1 }) + event({ step: 2, at: { x: 5 } });
  deepEqual(changesOf(a, b, "text/event-stream"), ["signal body event 1 #/data/at/x: 1 -> 5"]);
});

Deno.test("bodyDifference() looks past a multipart boundary", () => {
  const part = (boundary: string, text: string) => `--${boundary}\r\n\r\n${text}\r\n--${boundary}--\r\n`;
  const types = ["multipart/form-data; boundary=aXb1", "multipart/form-data; boundary=cYd2"];
  deepEqual(changesOf(part("aXb1", "same"), part("cYd2", "same"), ...types), []);
});

Deno.test("bodyDifference() tells size, hash and first offset of bytes", () => {
  const bytes = (...all: number[]): ComparedBody => ({
    bytes: all.length,
    text: null,
    pieces: () => [Uint8Array.from(all.slice(0, 2)), Uint8Array.from(all.slice(2))],
  });
  deepEqual(difference(bytes(1, 2, 255, 4), bytes(1, 2, 255, 4)), []);
  const [change] = difference(bytes(1, 2, 255, 4), bytes(1, 2, 255, 9, 9));
  match(change?.b ?? "", /^5 bytes, sha256 [0-9a-f]{12}…$/);
  equal(change?.why, "bytes that are not the same, from offset 3");
});

Deno.test("bodyDifference() does not read bodies that are known to be the same", () => {
  const unread = (): ComparedBody => ({
    bytes: 1,
    text: null,
    identity: "sha256:1",
    pieces: () => {
      throw new RangeError("Cannot read: it was not to be read");
    },
  });
  deepEqual(difference(unread(), unread()), []);
});

Deno.test("bodyDifference() ends a long list of changes with how many more there are", () => {
  const list = (from: number) => JSON.stringify(Array.from({ length: 300 }, (_, index) => index * 2 + from));
  const changes = difference(textBody(list(0)), textBody(list(1)));
  deepEqual([changes.length, changes.at(-1)?.b], [201, "100 more places"]);
});

Deno.test("bodyDifference() compares JSON as text when it is deeper than a stack", () => {
  const deep = (leaf: string) => "[".repeat(20_000) + leaf + "]".repeat(20_000);
  deepEqual(difference(textBody(deep("1")), textBody(deep("2"))).map(({ field }) => field), ["body word 1"]);
});
