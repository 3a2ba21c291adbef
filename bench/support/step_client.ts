/** The step client as seen from outside: what it is told, what it gives back. */

import type { ExchangeKind } from "./exchange.ts";
import { denoCommand, runSucceeding } from "./program.ts";

/** What the client is to do. */
export interface StepClientOptions {
  readonly kind: ExchangeKind;
  /** `host:port`, or a host alone for 443. */
  readonly authority: string;
  readonly requests: number;
  /** How many of the first requests are not timed. */
  readonly warmUp: number;
  /** How many connections share the requests, each with one under way at a time. */
  readonly connections: number;
  /** @default {"1.1"} */
  readonly httpVersion?: "1.1" | "2";
}

/** What it measured. */
export interface StepClientResult {
  readonly p50Us: number;
  readonly p99Us: number;
  /** Over all requests and connections. */
  readonly perSecond: number;
}

/** Where a client goes when agrepl does not tell it. */
export interface Route {
  readonly ca: string;
  /** The port of a proxy; without it the client goes straight to the origin. */
  readonly proxyPort?: number;
}

/** The client's command line, for agrepl to run. */
export function stepClientCommand(options: StepClientOptions): readonly string[] {
  return denoCommand("programs/step_client.ts", [JSON.stringify(options)]);
}

/** The variables that send a client along a route. */
export function routeEnvironment({ ca, proxyPort }: Route): Record<string, string> {
  const trust = { NODE_EXTRA_CA_CERTS: ca, DENO_CERT: ca };
  return proxyPort === undefined ? trust : { ...trust, HTTPS_PROXY: `http://127.0.0.1:${proxyPort}` };
}

/** Runs the client along a route of the bench's own. */
export async function runStepClient(options: StepClientOptions, route: Route): Promise<StepClientResult> {
  const { stdout } = await runSucceeding(stepClientCommand(options), { env: routeEnvironment(route) });
  return JSON.parse(stdout);
}
