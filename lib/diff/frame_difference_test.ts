import { deepEqual } from "node:assert/strict";
import { type ComparedFrame, textBody } from "./compared.ts";
import { frameDifference } from "./frame_difference.ts";
import { memberVerdict, tablesOnly } from "./rules.ts";

const verdict = memberVerdict({ method: "GET", url: "wss://api.example.com/" }, tablesOnly);

function bytes(...all: number[]): ComparedFrame["body"] {
  return { bytes: all.length, text: null, pieces: () => [Uint8Array.from(all)] };
}

function server(text: string, opcode = 1): ComparedFrame {
  return { from: "server", opcode, body: textBody(text) };
}

function client(text: string): ComparedFrame {
  return { from: "client", opcode: 1, body: textBody(text) };
}

function changesOf(a: readonly ComparedFrame[], b: readonly ComparedFrame[]): string[] {
  return frameDifference(a, b, verdict).map((each) => `${each.part} ${each.field}: ${each.a} -> ${each.b}`);
}

const close = (code: number): ComparedFrame => ({ from: "server", opcode: 8, body: bytes(code >> 8, code & 255) });
const ping: ComparedFrame = { from: "server", opcode: 9, body: textBody("p") };

const cases: readonly (readonly [what: string, a: ComparedFrame[], b: ComparedFrame[], expected: string[]])[] = [
  ["who spoke first", [client("a"), server("b")], [server("b"), client("a")], []],
  ["pings", [server("a"), ping], [server("a")], []],
  ["how a message was cut into frames", [server("ab"), server("cd", 0)], [server("abcd")], []],
  ["a message", [client("one"), client("two")], [client("one"), client("2")], [
    "request client message 1 word 1: two -> 2",
  ]],
  ["a message more", [server("one")], [server("one"), server("two")], ["response server message 1: null -> two"]],
  ["a member of a message", [server('{"a":1}')], [server('{"a":2}')], ["response server event 0 #/a: 1 -> 2"]],
  ["bytes", [{ ...server(""), opcode: 2, body: bytes(1) }], [{ ...server(""), opcode: 2, body: bytes(1) }], []],
  ["the kind of a message", [server("x")], [{ ...server(""), opcode: 2, body: bytes(1) }], [
    "response server message 0: x -> 1 bytes",
  ]],
  ["how it was closed", [close(1000)], [close(1011)], ["response server close: 1000 -> 1011"]],
];
for (const [what, a, b, expected] of cases) {
  Deno.test(`frameDifference() gives ${expected.length} changes when what differs is ${what}`, () => {
    deepEqual(changesOf(a, b), expected);
  });
}

Deno.test("frameDifference() puts the pieces of a realtime answer together", () => {
  const piece = (delta: string, event: string) =>
    server(JSON.stringify({ type: "response.text.delta", event_id: event, output_index: 0, delta }));
  const a = [piece("Hel", "event_Ab12Cd34Ef56"), piece("lo", "event_Bb12Cd34Ef56")];
  const b = [piece("H", "event_Cb12Cd34Ef56"), piece("ello", "event_Db12Cd34Ef56")];
  deepEqual(frameDifference(a, b, verdict).filter(({ tier }) => tier === "signal"), []);
});
