import { equal, match } from "node:assert/strict";
import { type BenchResults, formatLost, formatSuite, mergeResults, type SuiteResult } from "./results.ts";
import { ratioRow, valueRow } from "./row.ts";

const lost = valueRow("start", [101, 130, 99], { unit: "ms", goal: { atMost: 100 } });
const won = ratioRow("step", { unit: "µs", ours: [12], besideName: "bare", beside: [10], goal: { atMost: 1.3 } });

function suite(name: string, seconds: number): SuiteResult {
  return {
    name,
    title: name.toUpperCase(),
    about: "About it.",
    timestamp: "2026-11-20T09:00:00Z",
    seconds,
    rows: [lost, won],
  };
}

function results(...suites: SuiteResult[]): BenchResults {
  return { machine: { cores: 2, cpu: "c", os: "o", deno: "d", v8: "v" }, command: "bench", suites };
}

Deno.test("formatSuite() shows figure, spread, goal and verdict when a row has a goal", () => {
  const text = formatSuite(suite("a", 3));
  match(text, /^\| start \| {2}\| {2}\| 101 ms \(99\.0–130, n = 3\) \| ≤ 100 \| \*\*missed\*\* \|$/m);
  match(text, /^\| step \| 12\.0 µs \| bare: 10\.0 µs \| 1\.20 × \| ≤ 1\.3 \| reached \|$/m);
});

Deno.test("formatLost() names the rows that miss their goal and no other", () => {
  equal(formatLost([suite("a", 3)]), "- A: start is 101 ms, the goal is ≤ 100\n");
  equal(formatLost([]), "None.\n");
});

Deno.test("mergeResults() keeps what did not run again when a part ran", () => {
  const merged = mergeResults(results(suite("a", 1), suite("b", 1)), results(suite("b", 2)), ["a", "b"]);
  equal(merged.suites.map(({ name, seconds }) => `${name}${seconds}`).join(), "a1,b2");
});
