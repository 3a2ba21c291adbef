import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import type { Delta, StepDifference, TraceDifference } from "../diff/mod.ts";
import { formatDiffMarkdown } from "./diff_markdown.ts";
import { byTier, type DiffReport, formatDiffReport, formatField, isUnrelated } from "./diff_report.ts";
import { plainPaint, terminalPaint } from "./paint.ts";

const trace = {
  runId: "20261120-091233-k3f9",
  name: null,
  command: [],
  timestamp: "",
  status: "completed",
  exitCode: 0,
};
const named = { seq: 0, type: "HTTP", method: "GET", url: "https://api.example.com/a", latencyMs: 12, optional: false };
const view = { verbose: false, timing: false };

function delta(changes: Partial<Delta>): Delta {
  return { part: "response", field: "status", a: "200 OK", b: "404", tier: "signal", why: "", ...changes };
}

function step(changes: Partial<StepDifference>): StepDifference {
  return { relation: "matched", a: named, b: named, moved: false, place: null, deltas: [], ...changes };
}

function report(steps: readonly StepDifference[], changes: Partial<TraceDifference> = {}): DiffReport {
  const counts = { signal: steps.length, noise: 0, removed: 0 };
  const difference = { stepsA: 3, stepsB: 3, matched: 3, same: 0, changed: 0, steps, counts, ...changes };
  return { a: trace, b: trace, notes: [], run: [], difference };
}

function linesOf(shown: DiffReport, changes: Partial<typeof view> = {}): string[] {
  return formatDiffReport(shown, { ...view, ...changes }, plainPaint).split("\n").slice(2);
}

const place = { tier: "signal", why: "" } as const;

const heads: readonly (readonly [what: string, step: StepDifference, head: string])[] = [
  [
    "a matched one",
    step({ b: { ...named, seq: 2 }, deltas: [delta({})] }),
    "step 0 -> 2  HTTP  GET https://api.example.com/a",
  ],
  ["one that moved", step({ moved: true, place }), "step 0  HTTP  GET https://api.example.com/a  moved"],
  [
    "one that is gone",
    step({ relation: "only_a", b: null, place }),
    "step 0  HTTP  GET https://api.example.com/a  only in E1",
  ],
  [
    "one asked otherwise",
    step({ relation: "changed_request", deltas: [delta({ part: "request" })] }),
    "step 0  HTTP  GET https://api.example.com/a  asked otherwise",
  ],
  [
    "one asked alike, but for noise",
    step({ relation: "changed_request", deltas: [delta({})] }),
    "step 0  HTTP  GET https://api.example.com/a",
  ],
];
for (const [what, shown, head] of heads) {
  Deno.test(`formatDiffReport() names a step: ${what}`, () => equal(linesOf(report([shown]))[0], head));
}

Deno.test("formatDiffReport() shows times when they are asked for", () => {
  match(linesOf(report([step({ deltas: [delta({})] })]), { timing: true })[0] ?? "", / {2}\(12 ms -> 12 ms\)$/);
});

Deno.test("formatDiffReport() folds long values around the change", () => {
  const long = (end: string) => `${"x".repeat(100)}${end}${"y".repeat(100)}`;
  const [, , row = ""] = linesOf(report([step({ deltas: [delta({ field: "body", a: long("1"), b: long("2") })] })]));
  match(row, /^ {2}Body {3}…x{10}1y{29}… {2}…x{10}2y{29}… {2}Signal {2}✓$/);
});

Deno.test("formatDiffReport() says what it hides, and steps that differ in noise only are not named", () => {
  const quiet = step({ deltas: [delta({ tier: "noise" })] });
  deepEqual(linesOf(report([quiet], { counts: { signal: 0, noise: 1, removed: 2 } })), [
    "the same: 3 steps, 3 of one key, 0 differ; hidden: 1 noise, 2 removed (--verbose)",
  ]);
});

Deno.test("formatDiffReport() ends a long list with how much more there is", () => {
  const steps = Array.from({ length: 45 }, () => step({ deltas: Array.from({ length: 30 }, () => delta({})) }));
  const text = linesOf(report(steps)).join("\n");
  match(text, /^ {2}… and 5 more$/m);
  match(text, /^… and 5 steps more$/m);
});

Deno.test("formatDiffReport() says in a few lines that two runs have nothing in common", () => {
  const lone = (seq: number) => step({ relation: "only_a", b: null, place, a: { ...named, seq } });
  const unrelated = report(Array.from({ length: 6 }, (_, seq) => lone(seq)), { matched: 0 });
  equal(isUnrelated(unrelated.difference), true);
  const lines = linesOf(unrelated);
  match(lines[0] ?? "", /^nothing aligns/);
  equal(lines.length, 3);
  match(formatDiffMarkdown(unrelated, view), /^Nothing aligns/m);
});

Deno.test("formatDiffReport() prints no control character that a trace holds", () => {
  const evil = "a\x1b[2Jb\nc\u202e";
  const shown = report([
    step({ a: { ...named, url: evil }, deltas: [delta({ field: `header ${evil}`, a: evil, b: evil })] }),
  ]);
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  doesNotMatch(formatDiffReport({ ...shown, notes: [evil] }, view, plainPaint), /[\x00-\x09\x0b-\x1f\u202e]/);
});

Deno.test("formatDiffReport() sets colours on a terminal", () => {
  const text = formatDiffReport(report([step({ deltas: [delta({})] })]), view, terminalPaint);
  ok(text.includes(terminalPaint.bad("1 difference of signal")));
});

const fields: readonly (readonly [field: string, part: Delta["part"], name: string])[] = [
  ["status", "response", "HTTP Status"],
  ["header x-github-request-id", "response", "X-Github-Request-Id"],
  ["header set-cookie/NID", "response", "Set-Cookie/NID"],
  ["header user-agent", "request", "Request User-Agent"],
  ["trailer grpc-status", "response", "Trailer Grpc-Status"],
  ["body #/a", "response", "Body #/a"],
];
for (const [field, part, name] of fields) {
  Deno.test(`formatField() calls ${field} ${name}`, () => equal(formatField(delta({ field, part })), name));
}

Deno.test("byTier() sorts signal, equal, noise, removed, and keeps their order", () => {
  const tiers = (["removed", "noise", "signal", "equal"] as const).map((tier) => delta({ tier }));
  deepEqual(byTier(tiers).map(({ tier }) => tier), ["signal", "equal", "noise", "removed"]);
});

Deno.test("formatDiffMarkdown() escapes what a trace holds: no markup, no mention, no new row", () => {
  const evil = "| <b>@me</b> [x](y) `z` #7\n";
  const text = formatDiffMarkdown(report([step({ deltas: [delta({ a: evil, b: null })] })]), view);
  const row = text.split("\n").at(-1) ?? "";
  equal(row.split("|").length, 6);
  doesNotMatch(row, /[<>@[\]`]/);
  match(row, /\*\(absent\)\* \| signal \|$/);
});

Deno.test("formatDiffMarkdown() shows signal alone, unless all is asked for", () => {
  const mixed = report([step({ deltas: [delta({}), delta({ field: "header date", tier: "noise" })] })]);
  doesNotMatch(formatDiffMarkdown(mixed, view), /\| Date/);
  match(formatDiffMarkdown(mixed, { ...view, verbose: true }), /\| Date/);
});
