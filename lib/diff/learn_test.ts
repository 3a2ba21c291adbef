import { deepEqual, ok } from "node:assert/strict";
import { learnRules } from "./learn.ts";
import type { Delta } from "./tier.ts";
import type { StepDifference, TraceDifference } from "./trace_difference.ts";

const context = { cwd: "/work/agent", home: "/home/me" };
const chat = "https://api.example.com/v1/chat";

function step(url: string, ...deltas: Partial<Delta>[]): StepDifference {
  const named = { seq: 0, type: "HTTP", method: "POST", url, latencyMs: 1, optional: false };
  const blank = { part: "response", field: "", a: null, b: null, tier: "signal", why: "" } as const;
  const whole = deltas.map((delta) => ({ ...blank, ...delta }));
  return { relation: "matched", a: named, b: named, moved: false, place: null, deltas: whole };
}

function learn(...pairs: readonly (readonly StepDifference[])[]) {
  const counts = { signal: 0, noise: 0, removed: 0 };
  const differences = pairs.map((steps): TraceDifference => {
    return { stepsA: 1, stepsB: 1, matched: 1, same: 0, changed: 0, steps, counts };
  });
  const { proposals, unproposed } = learnRules(differences, context);
  return {
    rules: proposals.map(({ kind, rule, pairs }) => `${kind} ${rule} (${pairs})`),
    left: unproposed.map(({ field }) => field),
  };
}

const drawn = { a: "a81f3c9d77", b: "77c0d1e2f3" };
const quoted = { a: '"a81f3c9d77"', b: '"77c0d1e2f3"' };

const proposed: readonly (readonly [what: string, delta: Partial<Delta>, rule: string])[] = [
  ["a header of drawn values", { field: "header x-build", ...drawn }, "noise x-build (1)"],
  ["a cookie", { field: "header set-cookie/visitor", ...drawn }, "noise set-cookie/visitor (1)"],
  ["a member of an answer", { field: "body #/meta/trace", ...quoted }, `noise POST ${chat} #/meta/trace (1)`],
  ["a member of an event", { field: "body event 3 #/data/shard", ...quoted }, `noise POST ${chat} #/shard (1)`],
  ["a member named data", { field: "body #/data/shard", ...quoted }, `noise POST ${chat} #/data/shard (1)`],
  [
    "a member of a question",
    { part: "request", field: "body #/user", ...quoted },
    `ignore_json POST ${chat} #/user (1)`,
  ],
  ["a parameter", { part: "request", field: "query nonce", ...drawn }, "ignore_query nonce (1)"],
  ["a date within a prompt", {
    part: "request",
    field: "body #/messages/0/content",
    a: '"Today is 2026-04-18."',
    b: '"Today is 2026-04-19."',
  }, "ignore_text date (1)"],
];
for (const [what, delta, rule] of proposed) {
  Deno.test(`learnRules() proposes a rule for ${what}`, () =>
    deepEqual(learn([step(chat, delta)]), { rules: [rule], left: [] }));
}

const left: readonly (readonly [what: string, delta: Partial<Delta>])[] = [
  ["a header that is listed as signal", { field: "header x-cache", ...drawn }],
  ["a header that says something", { field: "header x-plan", a: "free", b: "paid" }],
  ["a header that only one run has", { field: "header x-build", a: "a81f3c9d77" }],
  ["a status", { field: "status", a: "200", b: "500" }],
  ["the words of an answer", { field: "body #/choices/0/message/content", ...quoted }],
  ["a tool's argument", { field: "body #/choices/0/message/tool_calls/0/function/arguments", ...quoted }],
  ["a streamed answer", { field: "body streamed choices/0/delta/content", ...quoted }],
  ["a prompt", { part: "request", field: "body #/messages/0/content", a: '"what of tides?"', b: '"what of clocks?"' }],
  ["a prompt that is one drawn value", { part: "request", field: "body #/prompt", ...quoted }],
  ["a model's name", { part: "request", field: "body #/model", a: '"20260418000"', b: '"20260419000"' }],
  ["a search", { part: "request", field: "query q", a: "tides", b: "clocks" }],
  ["a word of a page", { field: "body line 3", a: "one", b: "two" }],
  ["a small number", { field: "body #/count", a: "1", b: "2" }],
];
for (const [what, delta] of left) {
  Deno.test(`learnRules() proposes nothing for ${what}`, () => {
    const { rules, left } = learn([step(chat, delta)]);
    deepEqual([rules, left], [[], [delta.field]]);
  });
}

Deno.test("learnRules() makes one rule of indices that vary, and of places that vary", () => {
  const item = (index: number) => ({ field: `body #/items/${index}/shard`, ...quoted });
  deepEqual(learn([step(chat, item(0), item(2))]).rules, [`noise POST ${chat} #/items/*/shard (1)`]);
  deepEqual(learn([step(chat, item(1))], [step(`${chat}/2`, item(1))]).rules, [
    "noise POST https://api.example.com/* #/items/1/shard (2)",
  ]);
  deepEqual(learn([step(chat, item(1)), step("https://b.example/x", item(1))]).rules, ["noise #/items/1/shard (1)"]);
});

Deno.test("learnRules() says why steps of one run only have to stay", () => {
  const lone = { ...step(chat), relation: "only_b", a: null, place: { tier: "signal", why: "not asked" } } as const;
  const counts = { signal: 1, noise: 0, removed: 0 };
  const difference = { stepsA: 0, stepsB: 1, matched: 0, same: 0, changed: 0, steps: [lone], counts };
  const [found] = learnRules([difference], context).unproposed;
  ok(found?.why === "not asked" && found.a === `POST ${chat}`);
});
