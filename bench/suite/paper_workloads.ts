/** The paper's five workloads: live, then replayed with the world gone. */

import { join } from "node:path";
import { Store } from "../../lib/store/mod.ts";
import type { Announced } from "../support/announce.ts";
import { type AgreplRun, recordCommand, replayCommand } from "../support/agrepl.ts";
import { denoCommand, type Ended, runSucceeding, startServer } from "../support/program.ts";
import { type Goal, ratioRow, type Row, valueRow } from "../support/row.ts";
import { spreadOf } from "../support/statistics.ts";
import { routeEnvironment } from "../support/step_client.ts";
import { inRounds, type SuiteOptions } from "../support/suite.ts";
import { WrongAnswerError } from "../support/wrong_answer_error.ts";
import { type Workload, workloads } from "../workloads/mod.ts";

/** How often a workload runs live, each time in a process of its own. */
const liveRuns = 3;
/** How often it runs over one connection; the first ones, which connect and compile, are left out. */
const keptRuns = 300;
const warmUpRuns = 100;

/** The paper's own replay times (Table II), in milliseconds; half of each is the goal. */
const paperReplayMs: Readonly<Record<string, number>> = { W1: 0.3, W2: 0.9, W3: 1.1, W4: 0.8, W5: 1.0 };

interface World {
  readonly origin: string;
  readonly ca: string;
}

interface LiveWorkload {
  readonly workload: Workload;
  /** What the program needs to know, at replay as it did live. */
  readonly env: Readonly<Record<string, string>>;
  readonly live: readonly Ended[];
  readonly recorded: AgreplRun;
}

/**
 * Measures the workloads: recorded once, replayed as often as the options say, the world switched off.
 *
 * @param options Folder, seed of the world, number of replays.
 * @returns Per workload: replay against live, time over a kept connection, whole processes; F over all replays.
 */
export async function measureWorkloads(options: SuiteOptions): Promise<readonly Row[]> {
  const recorded = await recordAll(options);
  const rows: Row[] = [];
  for (const each of recorded) rows.push(...await measureReplays(each, options));
  const replays = options.replays * workloads.length;
  // a replay with another F, or another text, has thrown by now
  return [
    ...rows,
    valueRow(`F over ${replays} replays, stdout equal in each`, [1], { unit: "", goal: { atLeast: 1 } }),
  ];
}

async function recordAll(options: SuiteOptions): Promise<LiveWorkload[]> {
  await using world = await startServer<World>(denoCommand("world/main.ts", [`--seed=${options.seed}`]));
  const all: LiveWorkload[] = [];
  for (const workload of workloads) all.push(await recordOne(workload, world.announced, options.folder));
  return all;
}

async function recordOne(workload: Workload, { origin, ca }: World, parent: string): Promise<LiveWorkload> {
  const folder = join(parent, workload.name);
  Deno.mkdirSync(folder);
  const command = commandOf(workload);
  const env = { AGREPL_WORLD: origin, AGREPL_TIMINGS: "1", OPENAI_API_KEY: "sk-bench-0000000000000000000000000000" };
  const trusting = { env: { ...env, DENO_CERT: ca }, cwd: folder };
  const live = await inRounds(liveRuns, () => runSucceeding(command, trusting));
  const recorded = await recordCommand({ folder, command, env, options: ["--upstream-ca", ca] });
  return { workload, env, live, recorded };
}

async function measureReplays({ workload, env, live, recorded }: LiveWorkload, options: SuiteOptions): Promise<Row[]> {
  const folder = join(options.folder, workload.name);
  const run = recorded.report.run_id;
  const request = { folder, command: commandOf(workload), env };
  const replays = await inRounds(options.replays, async () => {
    const replay = await replayCommand(run, request);
    checkOutput(workload, replay, recorded.stdout);
    return replay;
  });
  const kept = await replayCommand(run, {
    ...request,
    options: ["--on-exhausted", "cycle"],
    env: { ...env, AGREPL_RUNS: String(keptRuns) },
  });
  checkOutput(workload, kept, recorded.stdout.repeat(keptRuns));
  const bareMs = await playBack(workload, { env: { ...env, AGREPL_RUNS: String(keptRuns) }, folder, run }, recorded);
  return toRows(workload, { live, replays, keptMs: timings(kept).slice(warmUpRuns), bareMs });
}

interface PlayBack {
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly run: string;
}

/** The same client, the same answers, and a server that does not look at what it is asked. */
async function playBack(workload: Workload, { env, folder, run }: PlayBack, recorded: AgreplRun): Promise<number[]> {
  const { path } = new Store(join(folder, ".agrepl")).find(run);
  await using server = await startServer<Announced>(denoCommand("programs/playback.ts", [path]));
  const { ca, port: proxyPort } = server.announced;
  const surroundings = { env: { ...env, ...routeEnvironment({ ca, proxyPort }) }, cwd: folder };
  const ended = await runSucceeding(commandOf(workload), surroundings);
  checkOutput(workload, ended, recorded.stdout.repeat(keptRuns));
  return timings(ended).slice(warmUpRuns);
}

interface Times {
  readonly live: readonly Ended[];
  readonly replays: readonly AgreplRun[];
  readonly keptMs: readonly number[];
  readonly bareMs: readonly number[];
}

function toRows({ name, title, steps }: Workload, { live, replays, keptMs, bareMs }: Times): Row[] {
  const half = (paperReplayMs[name] ?? NaN) / 2;
  const liveMs = live.flatMap(timings);
  const keptMedianMs = spreadOf(keptMs).median;
  const besideLive = (ours: number) => ({ ours: liveMs.map(() => ours), besideName: "live", beside: liveMs });
  const goal: Goal = { atMost: 0.006 };
  const label = `${name} ${title} (${steps === 1 ? "1 step" : `${steps} steps`})`;
  return [
    valueRow(`${label}: replay, connection kept`, keptMs, { unit: "ms", goal: { atMost: half } }),
    ratioRow(`${label}: the same, against a bare playback`, {
      unit: "ms",
      ours: [keptMedianMs],
      besideName: "bare",
      beside: [spreadOf(bareMs).median],
    }),
    ratioRow(`${label}: replay, connection kept, of live`, { unit: "ms", ...besideLive(keptMedianMs), goal }),
    valueRow(`${label}: replay, new connection`, replays.flatMap(timings), { unit: "ms" }),
    valueRow(`${label}: whole process, replay`, replays.map(({ wallMs }) => wallMs), { unit: "ms" }),
    valueRow(`${label}: whole process, live`, live.map(({ wallMs }) => wallMs), { unit: "ms" }),
  ];
}

function commandOf({ file }: Workload): readonly string[] {
  return [Deno.execPath(), "run", "-A", "--quiet", file];
}

function timings({ stderr }: Ended): number[] {
  return [...stderr.matchAll(/^\{"workload":.*"ms":([\d.]+)\}$/gm)].map(([, ms]) => Number(ms));
}

function checkOutput({ name }: Workload, { stdout }: Ended, expected: string): void {
  if (stdout === expected) return;
  throw new WrongAnswerError(`a replay of ${name}`, `stdout is\n${stdout}\nexpected\n${expected}`);
}
