import { deepEqual } from "node:assert/strict";
import fc from "fast-check";
import { parseEvents, parseJsonLines, reassemble } from "./event_stream.ts";

const noNoise = () => false;

Deno.test("parseEvents() reads event, id and data, several lines of it, and any line end", () => {
  const text =
    '\ufeffevent: a\r\nid: 7\r\ndata: {"x":1}\r\n\r\n: comment\n\ndata: one\ndata:two\n\ndata: [DONE]\n\nretry: 5';
  deepEqual(parseEvents(text), [
    { event: "a", id: "7", data: { x: 1 } },
    { data: "one\ntwo" },
    { data: "[DONE]" },
    { retry: "5", data: "" },
  ]);
});

Deno.test("parseJsonLines() gives a line that is no JSON as its text", () => {
  deepEqual(parseJsonLines('{"a":1}\r\n\nnone\n'), [{ a: 1 }, "none"]);
});

const chunk = (delta: unknown, finish: string | null = null) => ({
  data: { model: "m", choices: [{ index: 0, delta, finish_reason: finish }] },
});

Deno.test("reassemble() puts a text together however it was cut", () => {
  fc.assert(fc.property(fc.string(), fc.array(fc.nat(20), { maxLength: 8 }), (text, cuts) => {
    const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
    const pieces = places.slice(1).map((end, at) => text.slice(places[at], end));
    const events = [
      chunk({ role: "assistant", content: "" }),
      ...pieces.map((content) => chunk({ content })),
      chunk({}, "stop"),
    ];
    const whole = [chunk({ role: "assistant", content: "" }), chunk({ content: text }), chunk({}, "stop")];
    deepEqual(reassemble(events, noNoise), reassemble(whole, noNoise));
    deepEqual(reassemble(events, noNoise).streamed, { "choices/0/delta/content": text });
  }));
});

Deno.test("reassemble() keeps texts apart by the index that they name themselves", () => {
  const piece = (index: number, content: string) => ({ choices: [{ index, delta: { content } }] });
  const { streamed } = reassemble([piece(0, "a"), piece(1, "b"), piece(0, "c")], noNoise);
  deepEqual(streamed, { "choices/0/delta/content": "ac", "choices/1/delta/content": "b" });
});

Deno.test("reassemble() keeps an answer apart from a function's arguments (OpenAI Responses)", () => {
  const delta = (type: string, text: string) => ({ data: { type, output_index: 0, delta: text } });
  const { streamed } = reassemble([
    delta("response.output_text.delta", "a"),
    delta("response.function_call_arguments.delta", "{}"),
  ], noNoise);
  deepEqual(streamed, {
    "response.output_text.delta 0 delta": "a",
    "response.function_call_arguments.delta 0 delta": "{}",
  });
});

Deno.test("reassemble() keeps every event that carries no piece, repeated or not", () => {
  const events = [{ data: { progress: 1 } }, { data: { progress: 1 } }];
  deepEqual(reassemble(events, noNoise), { streamed: {}, events });
});

Deno.test("reassemble() looks past noise in telling whether an event says something new", () => {
  const events = ["a", "b"].map((content, at) => ({ response: content, created_at: at }));
  const { events: kept } = reassemble(events, (path) => path.at(-1) === "created_at");
  deepEqual(kept, []);
});
