/** The product under measurement: its command line, run as a user runs it, and its own report of how it went. */

import { join } from "node:path";
import { denoCommand, type Ended, runCommand } from "./program.ts";
import { WrongAnswerError } from "./wrong_answer_error.ts";

/** What a bench hands to agrepl. */
export interface AgreplOptions {
  /** The store and the report lie in here. */
  readonly folder: string;
  readonly command: readonly string[];
  /** More options: `["--timing", "recorded"]`. */
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What agrepl says of a run. */
export interface RunReport {
  readonly run_id: string;
  readonly steps: number;
  /** F; only a replay has it. */
  readonly fidelity?: number;
  readonly network_calls?: number;
  readonly diverged?: boolean;
}

/** A run under agrepl that did what it was to do. */
export interface AgreplRun extends Ended {
  readonly report: RunReport;
}

/**
 * The command line of agrepl itself.
 *
 * @param args Its arguments.
 */
export function agreplCommand(args: readonly string[]): readonly string[] {
  return denoCommand("../cli.ts", args);
}

/**
 * Records a command.
 *
 * @param options The command, and where the trace goes.
 * @returns The child's output and agrepl's report.
 * @throws {WrongAnswerError} when the child fails.
 */
export function recordCommand(options: AgreplOptions): Promise<AgreplRun> {
  return runReported("record", [], options);
}

/**
 * Replays a command, strictly.
 *
 * @param run The trace's file, or a run of the store.
 * @param options The command.
 * @returns The child's output and agrepl's report.
 * @throws {WrongAnswerError} when the child fails or anything at all diverged.
 */
export async function replayCommand(run: string, options: AgreplOptions): Promise<AgreplRun> {
  const ended = await runReported("replay", [run, "--isolation", "proxy"], options);
  const { fidelity, network_calls: calls, diverged } = ended.report;
  if (fidelity === 1 && calls === 0 && diverged === false) return ended;
  throw new WrongAnswerError(`a replay of ${run}`, `F = ${fidelity}, ${calls} network calls\n${ended.stderr}`);
}

async function runReported(
  verb: string,
  args: readonly string[],
  { folder, command, options = [], env = {} }: AgreplOptions,
): Promise<AgreplRun> {
  const path = join(folder, `report-${crypto.randomUUID()}.json`);
  const line = agreplCommand([verb, ...args, ...options, "--report", path, "--", ...command]);
  const ended = await runCommand(line, { cwd: folder, env: { ...env, AGREPL_DIR: join(folder, ".agrepl") } });
  if (ended.code !== 0) {
    throw new WrongAnswerError(`${verb} -- ${command.join(" ")}`, `exit code ${ended.code}\n${ended.stderr}`);
  }
  const report: RunReport = JSON.parse(Deno.readTextFileSync(path));
  Deno.removeSync(path);
  return { ...ended, report };
}
