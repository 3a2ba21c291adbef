/**
 * A function that replays offline what it once did live.
 *
 * @module
 */
import type { CassetteOptions } from "./cassette_options.ts";
import { type Host, processHost } from "./host.ts";
import type { ReplayScope } from "./replay_scope.ts";

/**
 * Runs a function whose requests are recorded into a cassette the first time, and answered from it ever after.
 *
 * Replaying wants no permission but to read the cassette: `deno test --no-prompt --ignore-env --deny-net
 * --allow-read=.`. A cassette is recorded where the network is granted and `CI` is not set, anew with
 * `AGREPL_MODE=record`, and not when the function fails.
 *
 * @param cassette A path, a file URL, the context of a test (the file is named after it), or options.
 * @param fn What is recorded or replayed; `fetch`, `node:http`, `node:https`, `WebSocket` and `EventSource` are captured
 * in it and in all that it awaits.
 * @returns What the function gives.
 * @throws {ReplayDivergenceError} when a request found no recorded step, or a step no request.
 * @throws {CassetteNotFoundError} when there is no cassette, and none may be recorded.
 * @throws {RequestsLeftRunningError} when the function ends while requests of its still run.
 * @throws {CassetteInUseError} when two use one cassette at once and one of them records, or both record it in turn.
 * @throws {TraceFormatError} when the cassette is damaged.
 * @throws {TypeError} when an option is none, nothing was there to be recorded, or JSON cannot carry a tool's value.
 * @throws {Deno.errors.NotCapable} when a cassette is to be recorded that may not be written.
 *
 * @example A tool is called once, and remembered
 * ```ts
 * import { withReplay } from "@agrepl/core";
 * import { equal } from "node:assert/strict";
 *
 * Deno.env.delete("CI"); // where it is set nothing is recorded
 * const path = `${Deno.makeTempDirSync()}/dice.ndjson`;
 * let throws = 0;
 * const roll = (mode: "record" | "replay") =>
 *   withReplay({ path, mode }, (t) => t.tool("dice", { sides: 6 }, () => ++throws));
 *
 * equal(await roll("record"), 1);
 * equal(await roll("replay"), 1);
 * equal(throws, 1);
 * ```
 */
export function withReplay<Value>(
  cassette: string | URL | Deno.TestContext | CassetteOptions,
  fn: (t: ReplayScope) => Value | Promise<Value>,
): Promise<Value> {
  return replayOn(processHost, cassette, fn);
}

/**
 * The same in a process that is known otherwise: tests bring their own host.
 *
 * The engine is loaded only now, and before anything is given up: a test file that replays nothing pays nothing for it.
 */
export async function replayOn<Value>(
  host: Host,
  cassette: CassetteOptions["path"] | CassetteOptions,
  fn: (t: ReplayScope) => Value | Promise<Value>,
): Promise<Value> {
  const { runSession } = await import("./_run_session.ts");
  return await runSession(host, cassette, fn);
}
