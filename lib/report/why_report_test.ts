import { deepEqual, equal, throws } from "node:assert/strict";
import type { MissExplanation } from "../diff/mod.ts";
import { formatMiss, formatWholeMiss } from "./miss_report.ts";
import { plainPaint } from "./paint.ts";
import { type ReplayReport, toReplayReportJson } from "./replay_report.ts";
import { formatWhy, parseReplayReport } from "./why_report.ts";

const near = (seq: number, fields: readonly string[]) => ({
  seq,
  method: "GET",
  url: `http://a.test/${seq}`,
  changes: fields.map((field) => ({ field, recorded: "1", asked: null })),
});

const miss: MissExplanation = {
  key: "k",
  method: "GET",
  url: "http://a.test/",
  bodyBytes: 0,
  usedUp: 0,
  nearest: [near(4, ["path"]), near(2, ["path", "query a"]), near(9, [])],
  rule: "--ignore-query a",
  reason: "The nearest recorded step is 4; what differs: path",
};

const report: ReplayReport = {
  runId: "r1",
  mode: "fallback",
  steps: 4,
  hits: 2,
  misses: [{ miss, attempts: 2, optional: false }, { miss, attempts: 1, optional: true }],
  unused: [3],
  differences: new Map([[1, "status 500, recorded 200"]]),
  fidelity: 0.5,
  networkCalls: 0,
  isolation: { held: "proxy", why: "" },
  recordedMs: null,
  replayedMs: 1,
  exitCode: 0,
  recordedExitCode: null,
  allowUnused: false,
  warnings: [],
};

const stored = JSON.stringify(toReplayReportJson(report));

Deno.test("parseReplayReport() gives what toReplayReportJson() wrote", () => {
  const { runId, mode, misses, unused, differences, fidelity } = report;
  deepEqual(parseReplayReport(stored), { runId, mode, misses, unused, differences, fidelity, diverged: true });
});

Deno.test("parseReplayReport() refuses what is no report", () => {
  for (const text of ["", "[]", "null", "{}", stored.replace('"attempts":2', '"attempts":"2"')]) {
    throws(() => parseReplayReport(text), SyntaxError, text);
  }
});

Deno.test("formatWhy() tells misses, attempts, differences and what was never asked for", () => {
  const lines = formatWhy(parseReplayReport(stored), plainPaint).split("\n");
  equal(lines[0], "the last replay of r1 (fallback) diverged, F = 0.500; 2 misses");
  deepEqual(lines.filter((line) => /asked|differs:|no div/.test(line) && !line.startsWith("  The nearest")), [
    "  asked 2 times",
    "  of a package registry or an update check: no divergence",
    "step 1 differs: status 500, recorded 200",
    "recorded, and never asked for: 3",
  ]);
});

Deno.test("formatMiss() names the second and third nearest step, formatWholeMiss() tells them in full", () => {
  deepEqual(formatMiss(miss, plainPaint).split("\n").slice(2, -1), [
    "    path: 1 -> (absent)",
    "  also near: step 2 GET http://a.test/2, 2 fields differ",
    "  also near: step 9 GET http://a.test/9, bytes that are not text differ",
  ]);
  deepEqual(formatWholeMiss(miss, plainPaint).split("\n").slice(4, 7), [
    "  step 2 GET http://a.test/2",
    "    path: 1 -> (absent)",
    "    query a: 1 -> (absent)",
  ]);
});
