/** The table of the five workloads (paper, section VII-A and Table II). */

import { fileURLToPath } from "node:url";
import { run as runW1 } from "./w1_fetch.ts";
import { run as runW2 } from "./w2_rest_chain.ts";
import { run as runW3 } from "./w3_summary.ts";
import { run as runW4 } from "./w4_web_search.ts";
import { run as runW5 } from "./w5_codegen.ts";
import type { RunWorkload } from "./workload.ts";

/** One workload of the paper's evaluation. */
export interface Workload {
  /** The paper's: `W1` to `W5`. */
  readonly name: string;
  readonly title: string;
  /** The path of the program. */
  readonly file: string;
  /** How many exchanges one run makes. */
  readonly steps: number;
  /** What one run took in the paper, and takes against a world with delays. */
  readonly liveMs: number;
  /** The same workload inside this process. */
  readonly run: RunWorkload;
}

/** The five, in the paper's order. */
export const workloads: readonly Workload[] = [
  { name: "W1", title: "HTTP fetch", file: pathOf("w1_fetch.ts"), steps: 1, liveMs: 48, run: runW1 },
  { name: "W2", title: "REST chain", file: pathOf("w2_rest_chain.ts"), steps: 3, liveMs: 185, run: runW2 },
  { name: "W3", title: "LLM summary", file: pathOf("w3_summary.ts"), steps: 2, liveMs: 620, run: runW3 },
  { name: "W4", title: "Web search agent", file: pathOf("w4_web_search.ts"), steps: 4, liveMs: 340, run: runW4 },
  { name: "W5", title: "Code generation", file: pathOf("w5_codegen.ts"), steps: 1, liveMs: 510, run: runW5 },
];

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
