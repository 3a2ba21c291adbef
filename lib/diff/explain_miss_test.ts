import { deepEqual, equal } from "node:assert/strict";
import { type Candidate, explainMiss } from "./explain_miss.ts";
import type { ComparedRequest } from "./request_difference.ts";

const chat = "https://api.example.com/v1/chat";

function request(text: string, url = chat, method = "POST"): ComparedRequest {
  return { method, url, text, bodyBytes: text.length };
}

function candidates(...requests: readonly ComparedRequest[]): Candidate[] {
  return requests.map((each, seq) => ({ ...each, seq }));
}

function explain(asked: ComparedRequest, recorded: readonly Candidate[], usedUp = 0) {
  return explainMiss(asked, { key: "k", usedUp }, recorded);
}

const reasons: readonly (readonly [what: string, recorded: readonly Candidate[], usedUp: number, reason: string])[] = [
  ["the trace is empty", [], 0, "The trace holds no step"],
  [
    "no host and no path is alike",
    candidates(request("", "https://other.org/x")),
    0,
    "No recorded step goes to that host or path",
  ],
  ["a field differs", candidates(request('{"a":1}')), 0, "The nearest recorded step is 0; what differs: body #/a"],
  [
    "many fields differ",
    candidates(request('{"a":1,"b":1,"c":1,"d":1,"e":1}')),
    0,
    "The nearest recorded step is 0; what differs: body #/a, body #/b, body #/c and 2 more",
  ],
  [
    "the bodies are bytes of the same number",
    candidates({ ...request("x"), text: null, bodyBytes: 7 }),
    0,
    "The nearest recorded step is 0; what differs: body",
  ],
  [
    "the equal step is used up",
    candidates(request('{"a":2}')),
    1,
    "The same request was recorded once and has been served as often: --on-exhausted last repeats the last answer",
  ],
  [
    "all equal steps are used up",
    candidates(request('{"a":2}')),
    3,
    "The same request was recorded 3 times and has been served as often: --on-exhausted last repeats the last answer",
  ],
];
for (const [what, recorded, usedUp, reason] of reasons) {
  Deno.test(`explainMiss() gives the reason when ${what}`, () => {
    equal(explain(request('{"a":2}'), recorded, usedUp).reason, reason);
  });
}

Deno.test("explainMiss() says that bytes differ when nothing else can be told", () => {
  const bytes = { ...request("x"), text: null, bodyBytes: 7 };
  equal(
    explain(bytes, candidates(bytes)).reason,
    "The nearest recorded step is 0; what differs: bytes that are not text",
  );
});

const rules:
  readonly (readonly [what: string, recorded: ComparedRequest, asked: ComparedRequest, rule: string | null])[] = [
    ["a query parameter", request("", `${chat}?t=1`), request("", `${chat}?t=2`), "--ignore-query t"],
    ["a parameter with a blank", request("", `${chat}?a%20b=1`), request("", chat), "--ignore-query 'a b'"],
    ["a parameter with a quote", request("", `${chat}?a'b=1`), request("", chat), "--ignore-query 'a'\\''b'"],
    ["a JSON member", request('{"id":{"n":1}}'), request('{"id":{"n":2}}'), "--ignore-json '#/id/n'"],
    [
      "one of each",
      request('{"id":1}', `${chat}?t=1`),
      request('{"id":2}', `${chat}?t=2`),
      "--ignore-query t --ignore-json '#/id'",
    ],
    [
      "more than four members",
      request('{"a":1,"b":1,"c":1,"d":1,"e":1}'),
      request('{"a":2,"b":2,"c":2,"d":2,"e":2}'),
      null,
    ],
    ["the method", request("", chat, "GET"), request("", chat), null],
    ["the path", request("", `${chat}/1`), request("", `${chat}/2`), null],
    ["free text", request("good morning"), request("good night"), null],
    ["all of a JSON body", request("{}"), request("[]"), null],
  ];
for (const [what, recorded, asked, rule] of rules) {
  Deno.test(`explainMiss() suggests ${rule ?? "no rule"} when ${what} differs`, () => {
    equal(explain(asked, candidates(recorded)).rule, rule);
  });
}

Deno.test("explainMiss() suggests no rule when equal steps are used up", () => {
  equal(explain(request('{"a":2}'), candidates(request('{"a":1}')), 1).rule, null);
});

Deno.test("explainMiss() ranks host before path before method before body, and shows three", () => {
  const recorded = candidates(
    request('{"a":1,"b":2}', "https://other.org/v1/chat"),
    request('{"a":1,"b":2}', "https://api.example.com/v1/models"),
    request('{"a":1,"b":2}', chat, "GET"),
    request('{"x":1}'),
    request('{"a":1,"b":3}'),
    request('{"a":1,"b":2}', "https://other.org/elsewhere"),
  );
  deepEqual(explain(request('{"a":1,"b":2}'), recorded).nearest.map((near) => near.seq), [4, 3, 2]);
  const far = recorded.slice(0, 2).concat(recorded.slice(5));
  deepEqual(explain(request('{"a":1,"b":2}'), far).nearest.map((near) => near.seq), [1, 0]);
});

Deno.test("explainMiss() takes another path of the host for nearer than the path on another host", () => {
  const recorded = candidates(
    request("", "https://other.org/v1/chat"),
    request("", "https://api.example.com/x", "GET"),
  );
  deepEqual(explain(request(""), recorded).nearest.map((near) => near.seq), [1, 0]);
});

Deno.test("explainMiss() keeps the order of recording among steps that are equally near", () => {
  const recorded = candidates(request('{"a":1}'), request('{"a":2}'), request('{"a":3}'));
  deepEqual(explain(request('{"a":9}'), recorded).nearest.map((near) => near.seq), [0, 1, 2]);
});

Deno.test("explainMiss() carries what was asked and what each near step differs in", () => {
  const { reason: _reason, ...rest } = explain(request('{"a":2}'), candidates(request('{"a":1}')));
  deepEqual(rest, {
    ...{ key: "k", method: "POST", url: chat, bodyBytes: 7, usedUp: 0, rule: "--ignore-json '#/a'" },
    nearest: [
      { seq: 0, method: "POST", url: chat, changes: [{ field: "body #/a", recorded: "1", asked: "2" }] },
    ],
  });
});
