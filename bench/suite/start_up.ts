/** What agrepl costs before and after the child's own time. */

import { join } from "node:path";
import { agreplCommand } from "../support/agrepl.ts";
import { denoCommand, runSucceeding } from "../support/program.ts";
import { addedRow, type Row, valueRow } from "../support/row.ts";
import { inRounds, type SuiteOptions } from "../support/suite.ts";
import { writeTrace } from "../support/trace_maker.ts";

const rounds = 15;

interface Round {
  readonly bare: number;
  readonly runtime: number;
  readonly help: number;
  readonly replay: number;
  readonly record: number;
}

/**
 * Measures the start of the command line, 15 rounds of fresh processes after one that warms the caches.
 *
 * @param options The suite's folder.
 * @returns Replaying and recording `true` above `true`, `--help`, and the runtime's own part.
 */
export async function measureStartUp(options: SuiteOptions): Promise<readonly Row[]> {
  const trace = join(options.folder, "empty.ndjson");
  writeTrace(trace, { kind: { method: "GET", distinct: true }, steps: 0 });
  await measure(trace, options.folder);
  const measured = await inRounds(rounds * options.rounds, () => measure(trace, options.folder));
  const series = (name: keyof Round) => measured.map((round) => round[name]);
  const beside = { unit: "ms", besideName: "bare `true`", beside: series("bare") };
  return [
    addedRow("`replay --isolation proxy RUN -- true`, added", {
      ...beside,
      ours: series("replay"),
      goal: { atMost: 100 },
    }),
    addedRow("`record -- true`, added", { ...beside, ours: series("record") }),
    valueRow("`--help`", series("help"), { unit: "ms", goal: { atMost: 60 } }),
    valueRow("an empty Deno program", series("runtime"), { unit: "ms" }),
  ];
}

async function measure(trace: string, folder: string): Promise<Round> {
  const wallMs = async (command: readonly string[]) =>
    (await runSucceeding(command, { cwd: folder, env: { AGREPL_DIR: join(folder, ".agrepl") } })).wallMs;
  return {
    bare: await wallMs(["true"]),
    runtime: await wallMs(denoCommand("programs/empty.ts")),
    help: await wallMs(agreplCommand(["--help"])),
    replay: await wallMs(agreplCommand(["replay", trace, "--isolation", "proxy", "--", "true"])),
    record: await wallMs(agreplCommand(["record", "--", "true"])),
  };
}
