import { deepEqual, equal } from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { defaultKeyRules, encodeBody, type Header, type RecordedResponse, type Step } from "../step/mod.ts";
import { answerWords, isAnsweredAlike, questionWords } from "./_kept_step.ts";

const response: RecordedResponse = {
  httpVersion: "1.1",
  status: 200,
  statusText: "OK",
  headers: [["content-type", "application/json"]],
  body: null,
  chunks: [],
  trailers: [],
  end: "complete",
};

function step(answer: Partial<RecordedResponse> = {}, more: Partial<Step> = {}): Step {
  return {
    kind: "step",
    seq: 0,
    type: "LLM",
    key: "0".repeat(64),
    timestamp: "2026-11-20T00:00:00.000Z",
    latencyMs: 1,
    ttfbMs: 1,
    request: { httpVersion: "1.1", headers: [], method: "POST", url: "https://h/v1/chat", body: null },
    response: { ...response, ...answer },
    ...more,
  };
}

const alike = (a: Step, b: Step) => isAnsweredAlike(a, b, defaultKeyRules);
const json = (value: unknown) => encodeBody(new TextEncoder().encode(JSON.stringify(value)));

Deno.test("isAnsweredAlike() looks past what names one request, in headers and in JSON", () => {
  const answer = (n: number) =>
    step({
      headers: [...response.headers, ["x-request-id", `req-${n}`], ["cf-ray", `${n}abc-FRA`], ["date", `day ${n}`]],
      body: json({ id: `chatcmpl-${n}9Qx7Zk2Lm4Np6Rs8Tv0Wy`, created: 1_700_000_000 + n, choices: ["hello"] }),
    });
  equal(alike(answer(1), answer(2)), true);
});

Deno.test("isAnsweredAlike() sees an answer that says something else, compressed or not", () => {
  const packed = (text: string) => {
    const headers: Header[] = [...response.headers, ["Content-Encoding", "gzip"]];
    return step({ headers, body: encodeBody(gzipSync(JSON.stringify({ text }))) });
  };
  const plain = (text: string) => step({ body: json({ text }) });
  for (const make of [packed, plain]) {
    deepEqual([alike(make("a"), make("b")), alike(make("a"), make("a"))], [false, true]);
  }
});

Deno.test("isAnsweredAlike() looks past where a stream was cut, a step in several parts included", () => {
  const whole = step({ body: { text: "abcd" }, chunks: [[1, 4]] });
  const cut = step({ body: { parts: [{ text: "ab" }, { base64: "Y2Q=" }] }, chunks: [[1, 2], [2, 2]] });
  equal(alike(whole, cut), true);
});

Deno.test("isAnsweredAlike() sees what decides whether a replay serves the step", () => {
  const { request } = step();
  const others: Partial<Step>[] = [{ request: { ...request, httpVersion: "2" } }, { optional: true }, { type: "HTTP" }];
  deepEqual(others.map((more) => alike(step(), step({}, more))), [false, false, false]);
});

Deno.test("isAnsweredAlike() sees a WebSocket that said something else", () => {
  const socket = (text: string) => step({ status: 101, frames: [[1, "server", 1, { text }]] });
  deepEqual([alike(socket("a"), socket("b")), alike(socket("a"), socket("a"))], [false, true]);
});

Deno.test("answerWords() finds in an answer what questionWords() finds in a question that repeats it", () => {
  const words = answerWords(step({ headers: [["x-thread", "thread_1"]], body: json({ id: "resp_0123" }) }));
  deepEqual([...words].sort(), ["resp_0123", "thread_1"]);
  const { request } = step();
  const asking = { request: { ...request, url: "https://h/thread%5F1", body: json({ previous: "resp_0123" }) } };
  deepEqual(questionWords(step({}, asking)).filter((each) => words.has(each)), ["thread_1", "resp_0123"]);
});
