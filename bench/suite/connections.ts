/** 64 connections at once: how many answers a second, and whether each was the right one. */

import { join } from "node:path";
import type { Announced } from "../support/announce.ts";
import { replayCommand } from "../support/agrepl.ts";
import { denoCommand, startServer } from "../support/program.ts";
import { ratioRow, type Row, valueRow } from "../support/row.ts";
import {
  runStepClient,
  stepClientCommand,
  type StepClientOptions,
  type StepClientResult,
} from "../support/step_client.ts";
import { inRounds, type SuiteOptions } from "../support/suite.ts";
import { madeUpAuthority, writeTrace } from "../support/trace_maker.ts";

const requests = 6400;
const rounds = 5;

const client: StepClientOptions = {
  kind: { method: "GET", distinct: true },
  authority: madeUpAuthority,
  requests,
  warmUp: 1280,
  connections: 64,
};

/**
 * Measures 64 connections; the client fails on the first answer that is not the one it asked for.
 *
 * @param options The suite's folder.
 * @returns Throughput against the bare server, and as it is.
 */
export async function measureConnections(options: SuiteOptions): Promise<readonly Row[]> {
  const trace = join(options.folder, "steps.ndjson");
  writeTrace(trace, { kind: client.kind, steps: requests });
  const measured = await inRounds(rounds * options.rounds, async () => {
    const bare = await runBare();
    const { stdout } = await replayCommand(trace, { folder: options.folder, command: stepClientCommand(client) });
    const ours: StepClientResult = JSON.parse(stdout);
    return { bare: bare.perSecond, ours: ours.perSecond };
  });
  const ours = measured.map((round) => round.ours);
  const beside = measured.map((round) => round.bare);
  return [
    ratioRow("throughput", { unit: "answers/s", ours, besideName: "bare server", beside }),
    // The client has failed, and with it the bench, if there was one.
    valueRow("wrong answers", [0], { unit: `of ${requests * ours.length}`, goal: { atMost: 0 } }),
  ];
}

async function runBare(): Promise<StepClientResult> {
  await using server = await startServer<Announced>(denoCommand("programs/bare_server.ts", [madeUpAuthority]));
  const { port: proxyPort, ca } = server.announced;
  return await runStepClient(client, { proxyPort, ca });
}
