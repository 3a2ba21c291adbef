/**
 * Runs the benchmarks and keeps what they came to.
 *
 *     deno task bench [--only NAME]… [--full] [--seed NUMBER] [--json] [--dry]
 *
 * `--full` makes 50 replays of each workload and doubles the rounds; `--json` prints the results and no tables; `--dry`
 * writes neither `bench/results/` nor `bench/README.md`.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { suites } from "./suite/suites.ts";
import { replacePart } from "./support/readme.ts";
import {
  type BenchResults,
  describeMachine,
  formatLost,
  formatSuite,
  mergeResults,
  type SuiteResult,
} from "./support/results.ts";
import type { Suite, SuiteOptions } from "./support/suite.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    full: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
    dry: { type: "boolean", default: false },
  },
});

const names = suites.map(({ name }) => name);
const unknown = values.only.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no suite "${unknown.join('", "')}". The suites are ${names.join(", ")}`);
  Deno.exit(2);
}

const chosen = suites.filter(({ name }) => values.only.length === 0 || values.only.includes(name));
const done: SuiteResult[] = [];
for (const suite of chosen) done.push(await runSuite(suite));
const results: BenchResults = { machine: describeMachine(), command: commandLine(), suites: done };
if (values.json) console.log(JSON.stringify(results, null, 2));
if (!values.dry) keep(results);

async function runSuite({ name, title, about, run }: Suite): Promise<SuiteResult> {
  const folder = Deno.makeTempDirSync({ prefix: "agrepl-bench-" });
  const options: SuiteOptions = {
    folder,
    seed: Number(values.seed),
    replays: values.full ? 50 : 10,
    rounds: values.full ? 2 : 1,
  };
  const startMs = performance.now();
  try {
    const rows = await run(options);
    const seconds = Math.round((performance.now() - startMs) / 100) / 10;
    const result = { name, title, about, timestamp: new Date().toISOString(), seconds, rows };
    if (!values.json) console.log(formatSuite(result));
    return result;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function commandLine(): string {
  return ["deno task bench", ...Deno.args].join(" ");
}

function keep(now: BenchResults): void {
  const path = pathOf(`results/${new Date().toISOString().slice(0, 10)}.json`);
  const merged = mergeResults(readResults(path), now, names);
  Deno.mkdirSync(pathOf("results"), { recursive: true });
  Deno.writeTextFileSync(path, `${JSON.stringify(merged, null, 2)}\n`);
  const { cores, cpu, os, deno, v8 } = merged.machine;
  const machine = `${cores} cores, ${cpu}, ${os}; Deno ${deno}, V8 ${v8}; the last run was \`${merged.command}\`.`;
  const parts = {
    machine,
    lost: formatLost(merged.suites),
    figures: merged.suites.map(formatSuite).join("\n"),
  };
  const page = Deno.readTextFileSync(pathOf("README.md"));
  const filled = Object.entries(parts).reduce((text, [name, part]) => replacePart(text, name, part), page);
  Deno.writeTextFileSync(pathOf("README.md"), filled);
}

function readResults(path: string): BenchResults | null {
  try {
    return JSON.parse(Deno.readTextFileSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
