import { deepEqual } from "node:assert/strict";
import { defaultKeyRules } from "../step/mod.ts";
import { type ComparedResponse, type ComparedStep, textBody } from "./compared.ts";
import { compileDiffRules, tablesOnly } from "./rules.ts";
import { stepDifference } from "./step_difference.ts";

const response: ComparedResponse = {
  status: 200,
  statusText: "OK",
  headers: [["content-type", "text/plain"], ["content-length", "5"]],
  body: textBody("hello"),
  trailers: [],
  end: "complete",
  frames: [],
};
const base: ComparedStep = {
  seq: 0,
  type: "HTTP",
  optional: false,
  beganMs: 0,
  latencyMs: 5,
  httpVersion: "1.1",
  method: "POST",
  url: "https://api.example.com/v1?a=1",
  request: { headers: [["user-agent", "x/1"]], body: textBody('{"q":"x"}') },
  response,
  error: null,
};
const options = { rules: tablesOnly, keyRules: defaultKeyRules, sameKey: false };

function changesOf(changes: Partial<ComparedStep>, sameKey = false): string[] {
  const deltas = stepDifference(base, { ...base, ...changes }, { ...options, sameKey });
  return deltas.map((each) => `${each.tier} ${each.part} ${each.field}: ${each.a} -> ${each.b}`);
}

const error = { phase: "connect", code: "ECONNREFUSED", message: "no" } as const;

const cases: readonly (readonly [what: string, changes: Partial<ComparedStep>, expected: string[]])[] = [
  ["nothing", {}, []],
  ["times", { latencyMs: 900, beganMs: 7 }, []],
  ["a status", { response: { ...response, status: 404, statusText: "Not Found" } }, [
    "signal response status: 200 OK -> 404 Not Found",
  ]],
  ["the words beside a status", { response: { ...response, statusText: "" } }, []],
  ["a trailer", { response: { ...response, trailers: [["grpc-status", "13"]] } }, [
    "signal response trailer grpc-status: null -> 13",
  ]],
  ["a body and its length", {
    response: {
      ...response,
      headers: [["content-type", "text/plain"], ["content-length", "6"]],
      body: textBody("hello!"),
    },
  }, ["noise response header content-length: 5 -> 6", "signal response body word 1: hello -> hello!"]],
  ["an end", { response: { ...response, end: "upstream_reset 8" } }, [
    "signal response end: complete -> upstream_reset 8",
  ]],
  ["a client that hung up when it had all", { response: { ...response, end: "client_closed" } }, [
    "noise response end: complete -> client_closed",
  ]],
  ["a failure", { response: null, error }, ["signal response error: 200 OK -> connect ECONNREFUSED"]],
  ["the protocol", { httpVersion: "2" }, ["noise response protocol: HTTP/1.1 -> HTTP/2"]],
  ["a header of the request", { request: { ...base.request, headers: [["user-agent", "x/2"]] } }, [
    "signal request header user-agent: x/1 -> x/2",
  ]],
  ["the query", { url: "https://api.example.com/v1?a=2&utm_source=b" }, [
    "signal request query a: 1 -> 2",
    "noise request query utm_source: null -> b",
  ]],
  ["what was asked", { request: { ...base.request, body: textBody('{"q":"y"}') } }, [
    'signal request body #/q: "x" -> "y"',
  ]],
];
for (const [what, changes, expected] of cases) {
  Deno.test(`stepDifference() names ${expected.length} fields when what differs is ${what}`, () => {
    deepEqual(changesOf(changes), expected);
  });
}

Deno.test("stepDifference() calls noise what the key looks past", () => {
  const asked = { ...base.request, body: textBody('{"q":"y"}') };
  deepEqual(changesOf({ request: asked }, true), ['noise request body #/q: "x" -> "y"']);
});

Deno.test("stepDifference() takes two failures of one code for the same, whatever the runtime said", () => {
  const a = { ...base, response: null, error };
  deepEqual(stepDifference(a, { ...a, error: { ...error, message: "other words" } }, options), []);
});

Deno.test("stepDifference() holds a user's rule for the answer to its request", () => {
  const rules = compileDiffRules({ noise: ["https://api.example.com/* #/n"], signal: [] });
  const answered = (text: string) => ({ ...base, response: { ...response, body: textBody(text) } });
  const [delta] = stepDifference(answered('{"n":1}'), answered('{"n":2}'), { ...options, rules });
  deepEqual([delta?.tier, delta?.why], ["noise", 'your rule "https://api.example.com/* #/n"']);
});
