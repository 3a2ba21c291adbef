/** How the cost of a trace grows with its steps. */

import { join } from "node:path";
import type { OpenTraceResult } from "../support/open_trace.ts";
import { denoCommand, runSucceeding } from "../support/program.ts";
import { type Goal, ratioRow, type Row, valueRow } from "../support/row.ts";
import { inRounds, type SuiteOptions } from "../support/suite.ts";
import { writeTrace } from "../support/trace_maker.ts";

const sizes = [10, 1000, 10_000, 100_000] as const;
const rounds = 5;
const megabyte = 1_000_000;

type Measured = ReadonlyMap<number, readonly OpenTraceResult[]>;

/**
 * Measures opening and lookup in traces of 10 to 100,000 steps of 1 KiB, each in a fresh process.
 *
 * @param options The suite's folder and the seed of the order in which steps are asked for.
 * @returns Time, memory and lookups per size, and the lookups of the largest against those of the smallest.
 */
export async function measureTraceSize({ folder, seed, rounds: factor }: SuiteOptions): Promise<readonly Row[]> {
  for (const steps of sizes) {
    writeTrace(join(folder, `${steps}.ndjson`), { kind: { method: "GET", distinct: true }, steps });
  }
  const perRound = await inRounds(rounds * factor, () => measureSizes(folder, seed));
  const measured: Measured = new Map(sizes.map((steps, at) => [steps, perRound.map((round) => round[at] ?? none)]));
  return [...sizes.flatMap((steps) => rowsOf(steps, measured)), ratioOfLookups(measured)];
}

const none: OpenTraceResult = { openMs: NaN, growthBytes: NaN, lookupP50Us: NaN, readP50Us: NaN };

function measureSizes(folder: string, seed: number): Promise<OpenTraceResult[]> {
  return inRounds(sizes.length, async (at) => {
    const path = join(folder, `${sizes[at]}.ndjson`);
    const { stdout } = await runSucceeding(denoCommand("programs/open_trace.ts", [path, String(seed)]));
    return JSON.parse(stdout);
  });
}

function rowsOf(steps: number, measured: Measured): Row[] {
  const title = `${steps.toLocaleString("en")} steps`;
  const series = (pick: (result: OpenTraceResult) => number) => (measured.get(steps) ?? []).map(pick);
  const largest = steps === sizes.at(-1);
  const row = (name: string, values: number[], unit: string, goal: Goal) =>
    valueRow(`${title}: ${name}`, values, largest ? { unit, goal } : { unit });
  return [
    row("opening", series(({ openMs }) => openMs), "ms", { atMost: 1000 }),
    ...(steps < 1000 ? [] : [
      valueRow(`${title}: opening, per 1,000`, series(({ openMs }) => openMs / steps * 1000), {
        unit: "ms",
        goal: { atMost: 5 },
      }),
    ]),
    row("memory", series(({ growthBytes }) => growthBytes / megabyte), "MB", { atMost: 100 }),
    valueRow(`${title}: lookup p50`, series(({ lookupP50Us }) => lookupP50Us), { unit: "µs" }),
    valueRow(`${title}: reading the step p50`, series(({ readP50Us }) => readP50Us), { unit: "µs" }),
  ];
}

function ratioOfLookups(measured: Measured): Row {
  const total = ({ lookupP50Us, readP50Us }: OpenTraceResult) => lookupP50Us + readP50Us;
  return ratioRow("lookup and reading in 100,000 steps", {
    unit: "µs",
    ours: (measured.get(100_000) ?? []).map(total),
    besideName: "in 10 steps",
    beside: (measured.get(10) ?? []).map(total),
    goal: { atMost: 1.2 },
  });
}
