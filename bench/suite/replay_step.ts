/** A replayed step against the least that a server can do over the same path. */

import { join } from "node:path";
import type { Announced } from "../support/announce.ts";
import { replayCommand } from "../support/agrepl.ts";
import { type ExchangeKind, kindName } from "../support/exchange.ts";
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

const requests = 4000;
const warmUp = 1000;
const rounds = 5;

const kinds: readonly ExchangeKind[] = [
  { method: "GET", distinct: true },
  { method: "GET", distinct: false },
  { method: "POST", distinct: true },
  { method: "POST", distinct: false },
];

interface Round {
  readonly ours: StepClientResult;
  readonly bare: StepClientResult;
}

/**
 * Measures replayed steps of every kind.
 *
 * @param options The suite's folder.
 * @returns p50 against the bare server, p50 as it is, p99 against the bare server; per kind.
 */
export async function measureReplayStep(options: SuiteOptions): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const kind of kinds) {
    const trace = join(options.folder, "steps.ndjson");
    writeTrace(trace, { kind, steps: requests });
    rows.push(...toRows(kindName(kind), await inRounds(rounds * options.rounds, () => measure(kind, trace, options))));
  }
  return [...rows, ...await measureHttp2(options)];
}

/** The same client, trace and bodies over both versions, side by side. */
async function measureHttp2(options: SuiteOptions): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const kind of kinds.filter(({ distinct }) => distinct)) {
    const traces = { "1.1": join(options.folder, "1.ndjson"), "2": join(options.folder, "2.ndjson") } as const;
    writeTrace(traces["1.1"], { kind, steps: requests });
    writeTrace(traces["2"], { kind, steps: requests, httpVersion: "2" });
    const measured = await inRounds(rounds * options.rounds, async () => ({
      http1: await replayOver("1.1", kind, traces["1.1"], options),
      http2: await replayOver("2", kind, traces["2"], options),
    }));
    rows.push(ratioRow(`${kindName(kind)}: p50 over HTTP/2`, {
      unit: "µs",
      ours: measured.map(({ http2 }) => http2.p50Us),
      besideName: "over HTTP/1.1",
      beside: measured.map(({ http1 }) => http1.p50Us),
      goal: { atMost: 1.5 },
    }));
  }
  return rows;
}

async function replayOver(
  httpVersion: "1.1" | "2",
  kind: ExchangeKind,
  trace: string,
  { folder }: SuiteOptions,
): Promise<StepClientResult> {
  const client = { kind, authority: madeUpAuthority, requests, warmUp, connections: 1, httpVersion };
  const { stdout } = await replayCommand(trace, { folder, command: stepClientCommand(client) });
  return JSON.parse(stdout);
}

async function measure(kind: ExchangeKind, trace: string, { folder }: SuiteOptions): Promise<Round> {
  const client: StepClientOptions = { kind, authority: madeUpAuthority, requests, warmUp, connections: 1 };
  const bare = await runBare(client);
  const { stdout } = await replayCommand(trace, { folder, command: stepClientCommand(client) });
  return { bare, ours: JSON.parse(stdout) };
}

async function runBare(client: StepClientOptions): Promise<StepClientResult> {
  await using server = await startServer<Announced>(denoCommand("programs/bare_server.ts", [madeUpAuthority]));
  const { port: proxyPort, ca } = server.announced;
  return await runStepClient(client, { proxyPort, ca });
}

function toRows(name: string, measured: readonly Round[]): Row[] {
  const p50 = measured.map(({ ours }) => ours.p50Us);
  const pair = (share: "p50Us" | "p99Us") => ({
    unit: "µs",
    ours: measured.map(({ ours }) => ours[share]),
    besideName: "bare server",
    beside: measured.map(({ bare }) => bare[share]),
  });
  return [
    ratioRow(`${name}: p50`, { ...pair("p50Us"), goal: { atMost: 1.3 } }),
    valueRow(`${name}: p50 itself`, p50, { unit: "µs", goal: { atMost: 150 } }),
    ratioRow(`${name}: p99`, pair("p99Us")),
  ];
}
