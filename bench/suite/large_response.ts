/** A response of 500 MB while it is recorded: what it costs in memory and in speed. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { Store } from "../../lib/store/mod.ts";
import type { Announced } from "../support/announce.ts";
import { recordCommand } from "../support/agrepl.ts";
import { largeBlock } from "../support/origin_answers.ts";
import { denoCommand, runSucceeding, startServer } from "../support/program.ts";
import { ratioRow, type Row, valueRow } from "../support/row.ts";
import { routeEnvironment } from "../support/step_client.ts";
import { inRounds, type SuiteOptions } from "../support/suite.ts";
import { WrongAnswerError } from "../support/wrong_answer_error.ts";

const bodyBytes = 500_000_000;
const rounds = 3;
const megabyte = 1_000_000;

interface LargeResult {
  readonly perSecond: number;
  readonly parentGrowthBytes: number;
}

interface Round {
  readonly direct: LargeResult;
  readonly relayed: LargeResult;
  readonly recorded: LargeResult;
}

/**
 * Measures large responses; the blob that was recorded must be what the origin sent.
 *
 * @param options The suite's folder.
 * @returns Peak memory, and throughput against the origin and against the bare relay.
 */
export async function measureLargeResponse(options: SuiteOptions): Promise<readonly Row[]> {
  const digest = expectedDigest();
  const measured = await inRounds(rounds * options.rounds, () => measure(options, digest));
  const throughput = (route: keyof Round) => measured.map((round) => round[route].perSecond / megabyte);
  const growth = measured.map(({ recorded }) => recorded.parentGrowthBytes / megabyte);
  const ours = { unit: "MB/s", ours: throughput("recorded") };
  return [
    valueRow("agrepl's memory: growth of its peak", growth, { unit: "MB", goal: { atMost: 64 } }),
    ratioRow("throughput", { ...ours, besideName: "direct", beside: throughput("direct"), goal: { atLeast: 0.3 } }),
    ratioRow("throughput against a relay", { ...ours, besideName: "bare relay", beside: throughput("relayed") }),
  ];
}

async function measure({ folder }: SuiteOptions, digest: string): Promise<Round> {
  await using origin = await startServer<Announced>(denoCommand("programs/origin.ts"));
  const { port, ca } = origin.announced;
  const command = denoCommand("programs/large_client.ts", [`localhost:${port}`, String(bodyBytes)]);
  const direct = await runSucceeding(command, { env: routeEnvironment({ ca }) });
  const relayed = await runRelayed(command, ca);
  const recorded = await recordCommand({ folder, command, options: ["--upstream-ca", ca] });
  checkRecorded(folder, recorded.report.run_id, digest);
  Deno.removeSync(join(folder, ".agrepl"), { recursive: true });
  return { direct: JSON.parse(direct.stdout), relayed, recorded: JSON.parse(recorded.stdout) };
}

async function runRelayed(command: readonly string[], upstreamCa: string): Promise<LargeResult> {
  await using relay = await startServer<Announced>(denoCommand("programs/bare_relay.ts", [upstreamCa]));
  const { port: proxyPort, ca } = relay.announced;
  return JSON.parse((await runSucceeding(command, { env: routeEnvironment({ ca, proxyPort }) })).stdout);
}

function expectedDigest(): string {
  const hash = createHash("sha256");
  for (let at = 0; at < bodyBytes; at += largeBlock.length) hash.update(largeBlock.subarray(0, bodyBytes - at));
  return `sha256:${hash.digest("hex")}`;
}

/** The blob's bytes are hashed again, rather than its name believed. */
function checkRecorded(folder: string, run: string, digest: string): void {
  const store = new Store(join(folder, ".agrepl"));
  using trace = store.open(store.find(run));
  const [entry] = trace.entries;
  const hash = createHash("sha256");
  if (entry !== undefined) {
    using body = trace.openBody(trace.step(entry).response?.body ?? null, entry);
    while (body.rest > 0) hash.update(body.read(largeBlock.length));
  }
  const found = `sha256:${hash.digest("hex")}`;
  if (found !== digest) throw new WrongAnswerError("a large response", `the blob is ${found}, expected ${digest}`);
}
