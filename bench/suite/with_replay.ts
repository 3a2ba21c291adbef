/** What the library costs inside the process whose requests it answers. */

import { join } from "node:path";
import type { InProcessResult } from "../support/in_process.ts";
import { denoCommand, runSucceeding } from "../support/program.ts";
import { type Row, valueRow } from "../support/row.ts";
import { inRounds, type SuiteOptions } from "../support/suite.ts";
import { writeTrace } from "../support/trace_maker.ts";

const requests = 4000;
const rounds = 7;

/**
 * Measures the library, each round in a fresh process.
 *
 * @param options The suite's folder.
 * @returns Importing it, the first call, opening 1,000 steps, and one replayed request over `fetch` and `node:https`.
 */
export async function measureWithReplay({ folder, rounds: factor }: SuiteOptions): Promise<readonly Row[]> {
  const cassettes = [1, 1000, requests].map((steps) => {
    const path = join(folder, `${steps}.ndjson`);
    writeTrace(path, { kind: { method: "GET", distinct: true }, steps });
    return path;
  });
  const command = denoCommand("programs/in_process.ts", [...cassettes, String(requests)]);
  await runSucceeding(command); // what is compiled once is in the cache from here on
  const measured = await inRounds(rounds * factor, async (): Promise<InProcessResult> => {
    const { stdout } = await runSucceeding(command);
    return JSON.parse(stdout);
  });
  const series = (name: keyof InProcessResult) => measured.map((round) => round[name]);
  return [
    valueRow("importing `mod.ts`", series("importMs"), { unit: "ms", goal: { atMost: 30 } }),
    valueRow("the first `withReplay` of a process", series("firstMs"), { unit: "ms" }),
    valueRow("opening a cassette of 1,000 steps", series("openMs"), { unit: "ms", goal: { atMost: 5 } }),
    valueRow("a call of `withReplay` with 1,000 steps, to its function", series("callMs"), { unit: "ms" }),
    valueRow("a replayed `fetch`: p50", series("fetchP50Us"), { unit: "µs", goal: { atMost: 40 } }),
    valueRow("a replayed `https.get`: p50", series("nodeP50Us"), { unit: "µs" }),
  ];
}
