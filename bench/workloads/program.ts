/** Makes a program of a workload: environment and arguments in, the result on stdout, timings on stderr. */

import process from "node:process";
import type { RunWorkload, WorkloadOptions } from "./workload.ts";

/**
 * Runs a workload as the main program.
 *
 * The world's origin is `AGREPL_WORLD`, the key `OPENAI_API_KEY`, the directory for files the first argument.
 * `AGREPL_RUNS` runs it as many times over the same connections; `AGREPL_TIMINGS=1` prints `{"workload", "run", "ms"}`
 * to stderr after each.
 *
 * @param name What the timings call it: `W1`.
 * @param run The workload.
 */
export async function runProgram(name: string, run: RunWorkload): Promise<void> {
  const base = process.env["AGREPL_WORLD"];
  if (!base) {
    console.error(`Cannot run ${name}: AGREPL_WORLD is not set, the origin of a world was expected`);
    process.exit(2);
  }
  const options = readOptions();
  for (let index = 0; index < Number(process.env["AGREPL_RUNS"] ?? 1); index++) {
    const startMs = performance.now();
    const result = await run(base, options);
    const ms = performance.now() - startMs;
    console.log(result);
    if (process.env["AGREPL_TIMINGS"] === "1") console.error(JSON.stringify({ workload: name, run: index, ms }));
  }
}

function readOptions(): WorkloadOptions {
  const apiKey = process.env["OPENAI_API_KEY"];
  const directory = process.argv[2];
  return { ...(apiKey ? { apiKey } : {}), ...(directory ? { directory } : {}) };
}
