/** W1: one HTTP fetch. */

import { runProgram } from "./program.ts";
import { getText, type WorkloadOptions } from "./workload.ts";

/** Fetches the bulletin of the day; see {@linkcode RunWorkload}. */
export async function run(base: string, options: WorkloadOptions): Promise<string> {
  const bulletin = await getText(`${base}/fetch`, options);
  return bulletin.trim();
}

if (import.meta.main) await runProgram("W1", run);
