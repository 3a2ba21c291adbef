import { deepEqual, equal, match } from "node:assert/strict";
import { formatLearnReport, type LearnReport, toLearnJson } from "./learn_report.ts";
import { plainPaint } from "./paint.ts";

const evidence = { seq: 3, field: "header x-build", a: "a81f3c9d77", b: "77c0d1e2f3" };
const report: LearnReport = {
  runIds: ["a", "b", "c"],
  learned: {
    proposals: [{ kind: "noise", rule: "#/meta/*/id", pairs: 2, evidence: [evidence, evidence] }],
    unproposed: [{ ...evidence, field: "status", a: "200", b: "500", why: "it may carry meaning" }],
  },
  before: 3,
  after: 1,
  written: null,
};

Deno.test("formatLearnReport() shows each rule as an option, with its evidence, and what stays", () => {
  deepEqual(formatLearnReport(report, plainPaint).split("\n"), [
    "agrepl learn 3 runs, 2 pairs: 3 differences of signal",
    "",
    "  --noise '#/meta/*/id'  in 2 of 2 pairs, 2 places",
    "    step 3 header x-build: a81f3c9d77 -> 77c0d1e2f3",
    "",
    "no rule for these:",
    "  step 3 status: 200 -> 500  (it may carry meaning)",
    "",
    "with this rule 1 difference of signal remains",
    "nothing is written; --write puts the rules into the store's config.json",
  ]);
});

const nothing = { proposals: [], unproposed: [] };

Deno.test("formatLearnReport() says that the runs are equal when there is nothing to learn", () => {
  equal(
    formatLearnReport({ ...report, learned: nothing, before: 0, after: 0 }, plainPaint).split("\n").at(-1),
    "the runs are equal as it is",
  );
});

Deno.test("formatLearnReport() says where the rules were written", () => {
  match(formatLearnReport({ ...report, written: "/x/config.json" }, plainPaint), /\nwritten to \/x\/config\.json$/);
});

Deno.test("toLearnJson() gives all of it in snake_case", () => {
  deepEqual(toLearnJson({ ...report, learned: nothing }), {
    kind: "learn",
    version: 1,
    runs: ["a", "b", "c"],
    before: 3,
    after: 1,
    written: null,
    ...nothing,
  });
});
