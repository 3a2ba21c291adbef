/** What recording adds to a step, against the origin itself and against a proxy that records nothing. */

import type { Announced } from "../support/announce.ts";
import { recordCommand } from "../support/agrepl.ts";
import { type ExchangeKind, kindName } from "../support/exchange.ts";
import { denoCommand, startServer } from "../support/program.ts";
import { addedRow, type Goal, type Row } from "../support/row.ts";
import {
  runStepClient,
  stepClientCommand,
  type StepClientOptions,
  type StepClientResult,
} from "../support/step_client.ts";
import { inRounds, type SuiteOptions } from "../support/suite.ts";
import { WrongAnswerError } from "../support/wrong_answer_error.ts";

const requests = 3000;
const warmUp = 1000;
const rounds = 5;

const kinds: readonly ExchangeKind[] = [{ method: "GET", distinct: true }, { method: "POST", distinct: true }];

interface Round {
  readonly direct: StepClientResult;
  readonly relayed: StepClientResult;
  readonly recorded: StepClientResult;
}

/**
 * Measures recorded steps.
 *
 * @param options The suite's folder.
 * @returns Per kind: what recording adds to p50 and p99, and how much of that is the bare relay's part.
 */
export async function measureRecordStep(options: SuiteOptions): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const kind of kinds) {
    rows.push(...toRows(kindName(kind), await inRounds(rounds * options.rounds, () => measure(kind, options))));
  }
  return rows;
}

async function measure(kind: ExchangeKind, { folder }: SuiteOptions): Promise<Round> {
  await using origin = await startServer<Announced>(denoCommand("programs/origin.ts"));
  const { port, ca } = origin.announced;
  const client: StepClientOptions = { kind, authority: `localhost:${port}`, requests, warmUp, connections: 1 };
  const direct = await runStepClient(client, { ca });
  const relayed = await runRelayed(client, ca);
  return { direct, relayed, recorded: await runRecorded(client, ca, folder) };
}

async function runRelayed(client: StepClientOptions, upstreamCa: string): Promise<StepClientResult> {
  await using relay = await startServer<Announced>(denoCommand("programs/bare_relay.ts", [upstreamCa]));
  const { port: proxyPort, ca } = relay.announced;
  return await runStepClient(client, { proxyPort, ca });
}

async function runRecorded(client: StepClientOptions, upstreamCa: string, folder: string): Promise<StepClientResult> {
  const command = stepClientCommand(client);
  const { stdout, report } = await recordCommand({ folder, command, options: ["--upstream-ca", upstreamCa] });
  if (report.steps === client.requests) return JSON.parse(stdout);
  throw new WrongAnswerError("a recording", `it holds ${report.steps} steps, expected ${client.requests}`);
}

function toRows(name: string, measured: readonly Round[]): Row[] {
  const series = (route: keyof Round, share: "p50Us" | "p99Us") => measured.map((round) => round[route][share]);
  const added = (
    what: string,
    pair: { ours: keyof Round; beside: keyof Round; share: "p50Us" | "p99Us" },
    goal?: Goal,
  ) =>
    addedRow(`${name}: ${what}`, {
      unit: "µs",
      ours: series(pair.ours, pair.share),
      beside: series(pair.beside, pair.share),
      besideName: pair.beside === "direct" ? "direct" : "bare relay",
      ...(goal === undefined ? {} : { goal }),
    });
  return [
    added("p50 added", { ours: "recorded", beside: "direct", share: "p50Us" }, { atMost: 300 }),
    added("p50 that the bare relay adds", { ours: "relayed", beside: "direct", share: "p50Us" }),
    added("p50 added to the bare relay's", { ours: "recorded", beside: "relayed", share: "p50Us" }),
    added("p99 added", { ours: "recorded", beside: "direct", share: "p99Us" }),
  ];
}
