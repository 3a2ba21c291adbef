import { deepEqual, equal, ok } from "node:assert/strict";
import { defaultKeyRules } from "../step/mod.ts";
import { type ComparedStep, type ComparedTrace, textBody } from "./compared.ts";
import { tablesOnly } from "./rules.ts";
import { traceDifference } from "./trace_difference.ts";

interface MadeStep extends Partial<ComparedStep> {
  /** The key, and what is asked. */
  readonly key: string;
  readonly ask?: string;
}

function trace(...made: readonly MadeStep[]): ComparedTrace {
  return { keys: made.map(({ key }) => key), step: (index) => stepOf(made[index], index) };
}

function stepOf({ ask = "", ...changes }: Partial<MadeStep> = {}, index: number): ComparedStep {
  const body = textBody("ok");
  return {
    seq: index,
    type: "HTTP",
    optional: false,
    beganMs: index * 100,
    latencyMs: 50,
    httpVersion: "1.1",
    method: "GET",
    url: `https://api.example.com/${changes.key}`,
    request: { headers: [], body: textBody(ask) },
    response: { status: 200, statusText: "OK", headers: [], body, trailers: [], end: "complete", frames: [] },
    error: null,
    ...changes,
  };
}

/** Each step that differs: how, where, and the fields. */
function told(a: ComparedTrace, b: ComparedTrace): string[] {
  const { steps } = traceDifference(a, b, { rules: tablesOnly, keyRules: defaultKeyRules });
  return steps.map(({ relation, a: first, b: second, moved, place, deltas }) => {
    const seqs = `${first?.seq ?? "-"}/${second?.seq ?? "-"}`;
    const tier = place === null ? "" : ` ${place.tier}`;
    return `${relation} ${seqs}${moved ? " moved" : ""}${tier}${deltas.map(({ field }) => ` ${field}`).join("")}`;
  });
}

const [x, y, z] = [{ key: "x" }, { key: "y" }, { key: "z" }];
const failed = { key: "y", response: null, error: { phase: "dns", code: "ENOTFOUND", message: "" } } as const;
const prompt = (key: string, ask: string) => ({ key, url: "https://api.example.com/chat", method: "POST", ask });

/** The same question each time. */
function poll(answer: string): MadeStep {
  const body = textBody(answer);
  return {
    key: "poll",
    response: { status: 200, statusText: "", headers: [], body, trailers: [], end: "complete", frames: [] },
  };
}

const cases: readonly (readonly [what: string, a: ComparedTrace, b: ComparedTrace, expected: string[]])[] = [
  ["nothing differs", trace(x, y), trace(x, y), []],
  ["both are empty", trace(), trace(), []],
  ["a step failed", trace(x, y), trace(x, failed), ["matched 1/1 error"]],
  ["a step is gone", trace(x, y, z), trace(x, z), ["only_a 1/- signal"]],
  ["a step is new", trace(x, z), trace(x, y, z), ["only_b -/1 signal"]],
  ["an optional step is new", trace(x), trace({ key: "y", optional: true }, x), ["only_b -/0 noise"]],
  ["two changed places", trace(x, y), trace(y, x), ["matched 0/1 moved signal"]],
  [
    "a question is asked otherwise",
    trace(x, prompt("p", '{"m":"x","q":"tides of May"}')),
    trace(
      x,
      prompt("q", '{"m":"x","q":"clocks of June"}'),
    ),
    ["changed_request 1/1 body #/q"],
  ],
  ["another question is asked at one place", trace(prompt("p", '{"a":1}')), trace(prompt("q", '["b"]')), [
    "only_b -/0 signal",
    "only_a 0/- signal",
  ]],
  ["a key comes once less", trace(x, x, y), trace(x, y), ["only_a 1/- signal"]],
  ["the first of three polls is not made", trace(poll("a"), poll("b"), poll("c")), trace(poll("b"), poll("c")), [
    "only_a 0/- signal",
  ]],
  [
    "a poll more is made, and one is answered otherwise",
    trace(poll("a"), poll("c")),
    trace(poll("a"), poll("b"), poll("d")),
    [
      "matched 1/1 body word 1",
      "only_b -/2 signal",
    ],
  ],
];
for (const [what, a, b, expected] of cases) {
  Deno.test(`traceDifference() tells it when ${what}`, () => deepEqual(told(a, b), expected));
}

Deno.test("traceDifference() calls it noise when steps changed places that were under way at once", () => {
  const slow = { latencyMs: 150 };
  deepEqual(told(trace({ ...x, ...slow }, { ...y, ...slow }), trace({ ...y, ...slow }, { ...x, ...slow })), [
    "matched 0/1 moved noise",
  ]);
});

Deno.test("traceDifference() calls it noise what an optional step was answered", () => {
  const optional = (answer: string) => trace({ ...poll(answer), optional: true });
  const { counts } = traceDifference(optional("1.0.0"), optional("1.0.1"), {
    rules: tablesOnly,
    keyRules: defaultKeyRules,
  });
  deepEqual(counts, { signal: 0, noise: 1, removed: 0 });
});

Deno.test("traceDifference() keeps signal alone when that is asked for, and counts all", () => {
  const [before, after] = ["1", "2"].map((version) => trace({ ...poll(version), optional: true }, x));
  ok(before && after);
  const options = { rules: tablesOnly, keyRules: defaultKeyRules, signalOnly: true };
  const { counts, steps, same } = traceDifference(before, after, options);
  deepEqual([counts, steps, same], [{ signal: 0, noise: 1, removed: 0 }, [], 1]);
  equal(traceDifference(trace(x, y), trace(x, failed), options).steps[0]?.deltas.length, 1);
});

Deno.test("traceDifference() counts by tier, and how many steps are the same", () => {
  const { counts, matched, same } = traceDifference(trace(x, y, z), trace(x, failed), {
    rules: tablesOnly,
    keyRules: defaultKeyRules,
  });
  deepEqual([counts, matched, same], [{ signal: 2, noise: 0, removed: 0 }, 2, 1]);
});

Deno.test("traceDifference() takes seconds for 100,000 questions that are all asked otherwise", () => {
  const all = (word: string): ComparedTrace => ({
    keys: Array.from({ length: 100_000 }, (_, index) => `${word} ${index}`),
    step: (index) =>
      stepOf(prompt("", `{"model":"m","n":${index},"prompt":"${word} ${index * 7919 % 99_991}"}`), index),
  });
  const begun = performance.now();
  const { steps } = traceDifference(all("old"), all("new"), { rules: tablesOnly, keyRules: defaultKeyRules });
  ok(steps.every(({ relation, a, b }) => relation === "changed_request" && a?.seq === b?.seq));
  equal(steps.length, 100_000);
  ok(performance.now() - begun < 60_000, "quadratic");
});
