/** Streams while they are recorded, and replayed at the pace they were recorded with. */

import { join } from "node:path";
import { Store } from "../../lib/store/mod.ts";
import type { Announced } from "../support/announce.ts";
import { recordCommand, replayCommand } from "../support/agrepl.ts";
import { chunkBytes } from "../support/origin_answers.ts";
import { denoCommand, runSucceeding, startServer } from "../support/program.ts";
import { addedRow, type Goal, type Row, valueRow } from "../support/row.ts";
import { quantile } from "../support/statistics.ts";
import { routeEnvironment } from "../support/step_client.ts";
import type { StreamResult } from "../support/stream_client.ts";
import { inRounds, type SuiteOptions } from "../support/suite.ts";
import { WrongAnswerError } from "../support/wrong_answer_error.ts";

const chunks = 500;
const shortStreams = 40;
const rounds = 3;

interface Round {
  readonly direct: StreamResult;
  readonly relayed: StreamResult;
  readonly recorded: StreamResult;
  /** Per chunk: how far off its recorded time it came, milliseconds. */
  readonly errorsMs: readonly number[];
}

/**
 * Measures streams of 500 chunks, one every 2 ms.
 *
 * @param options The suite's folder.
 * @returns What recording adds to the first byte and to each chunk, and how far off the recorded pace a replay is.
 */
export async function measureStreaming(options: SuiteOptions): Promise<readonly Row[]> {
  const measured = await inRounds(rounds * options.rounds, () => measure(options));
  const added = (name: string, values: keyof StreamResult, share: number, goal?: Goal) => {
    const series = (route: "direct" | "relayed" | "recorded") =>
      measured.map((at) => quantile(at[route][values], share));
    const pair = { unit: "ms", ours: series("recorded"), beside: series("direct"), besideName: "direct" };
    const relay = { unit: "ms", ours: series("relayed"), beside: series("direct"), besideName: "direct" };
    return [
      addedRow(`recording: ${name} added`, goal === undefined ? pair : { ...pair, goal }),
      addedRow(`the bare relay: ${name} added`, relay),
    ];
  };
  const errors = (share: number) => measured.map(({ errorsMs }) => quantile(errorsMs, share));
  return [
    ...added("first byte p50", "firstBytesMs", 0.5, { atMost: 0.3 }),
    ...added("each chunk p50", "delaysMs", 0.5, { atMost: 0.3 }),
    ...added("each chunk p99", "delaysMs", 0.99),
    valueRow("replay at recorded pace: error p50", errors(0.5), { unit: "ms", goal: { atMost: 1 } }),
    valueRow("replay at recorded pace: error p99", errors(0.99), { unit: "ms", goal: { atMost: 4 } }),
  ];
}

async function measure({ folder }: SuiteOptions): Promise<Round> {
  await using origin = await startServer<Announced>(denoCommand("programs/origin.ts"));
  const { port, ca } = origin.announced;
  const command = denoCommand("programs/stream_client.ts", [`localhost:${port}`, String(chunks), String(shortStreams)]);
  const direct = await runSucceeding(command, { env: routeEnvironment({ ca }) });
  const relayed = await runRelayed(command, ca);
  const recorded = await recordCommand({ folder, command, options: ["--upstream-ca", ca] });
  const replayed = await replayCommand(recorded.report.run_id, { folder, command, options: ["--timing", "recorded"] });
  const paced: StreamResult = JSON.parse(replayed.stdout);
  return {
    direct: JSON.parse(direct.stdout),
    relayed,
    recorded: JSON.parse(recorded.stdout),
    errorsMs: errorsOf(recordedTimes(folder, recorded.report.run_id), paced.arrivalsMs),
  };
}

async function runRelayed(command: readonly string[], upstreamCa: string): Promise<StreamResult> {
  await using relay = await startServer<Announced>(denoCommand("programs/bare_relay.ts", [upstreamCa]));
  const { port: proxyPort, ca } = relay.announced;
  return JSON.parse((await runSucceeding(command, { env: routeEnvironment({ ca, proxyPort }) })).stdout);
}

/** When the recorder read each chunk of the last stream, which is the long one. */
function recordedTimes(folder: string, run: string): number[] {
  const store = new Store(join(folder, ".agrepl"));
  using trace = store.open(store.find(run));
  const entry = trace.entries.at(-1);
  const reads = entry === undefined ? [] : trace.step(entry).response?.chunks ?? [];
  const times: number[] = [];
  let bytes = 0;
  for (const [atMs, length] of reads) {
    bytes += length;
    while (bytes >= (times.length + 1) * chunkBytes) times.push(atMs);
  }
  if (times.length === chunks) return times;
  throw new WrongAnswerError("a recorded stream", `it holds ${times.length} chunks, expected ${chunks}`);
}

function errorsOf(recordedMs: readonly number[], arrivedMs: readonly number[]): number[] {
  return arrivedMs.map((atMs, index) => Math.abs(atMs - (recordedMs[index] ?? NaN)));
}
