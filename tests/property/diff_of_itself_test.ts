/** A trace held against itself gives no difference, whatever it holds. */
import { deepEqual } from "node:assert/strict";
import fc from "fast-check";
import { compileDiffRules, tablesOnly, traceDifference } from "../../lib/diff/mod.ts";
import { defaultKeyRules, type Step } from "../../lib/step/mod.ts";
import { inMemory } from "../../bench/pairs/in_memory.ts";
import { stepLine } from "../support/trace_lines.ts";

const text = fc.oneof(fc.json(), fc.string(), fc.constantFrom('data: {"delta":"a"}\n\n', "[1,1,2]", "{", "a\nb\n"));
const type = fc.constantFrom("application/json", "text/event-stream", "application/x-ndjson", "text/html", "");
const header = fc.tuple(
  fc.constantFrom("Date", "x-a", "set-cookie", "cookie", "ETag"),
  fc.string({ unit: "grapheme-ascii" }),
);

const steps = fc.array(
  fc.record({
    key: fc.constantFrom("a".repeat(64), "b".repeat(64), "c".repeat(64)),
    status: fc.constantFrom(200, 404),
    type,
    headers: fc.array(header, { maxLength: 4 }),
    text,
  }),
  { maxLength: 6 },
);

type Made = typeof steps extends fc.Arbitrary<infer List> ? List : never;

function linesOf(made: Made): Step[] {
  return made.map(({ key, status, type, headers, text }, seq) => {
    const { response, ...step } = stepLine(seq, { key });
    const changes = { status, headers: [...headers, ["content-type", type] as const], body: { text } };
    return response === undefined ? step : { ...step, response: { ...response, ...changes } };
  });
}

Deno.test("diff of a trace and itself is empty, with and without rules", () => {
  const rules = [tablesOnly, compileDiffRules({ noise: ["#/a"], signal: ["date"] })];
  fc.assert(
    fc.property(steps, fc.constantFrom(...rules), (made, rules) => {
      const compared = inMemory(linesOf(made));
      const { counts, same, steps } = traceDifference(compared, compared, { rules, keyRules: defaultKeyRules });
      deepEqual([counts, same, steps], [{ signal: 0, noise: 0, removed: 0 }, made.length, []]);
    }),
    { numRuns: 300 },
  );
});

Deno.test("diff finds something between two traces exactly when it does the other way round", () => {
  fc.assert(
    fc.property(steps, steps, (first, second) => {
      const [a, b] = [inMemory(linesOf(first)), inMemory(linesOf(second))];
      const options = { rules: tablesOnly, keyRules: defaultKeyRules };
      deepEqual(traceDifference(a, b, options).steps.length === 0, traceDifference(b, a, options).steps.length === 0);
    }),
    { numRuns: 500 },
  );
});
