/**
 * A function that replays offline what it once did live.
 *
 * @module
 */
import type { CassetteOptions } from "./cassette_options.ts";
import { type CassettePlace, cassettePlace } from "./_cassette_path.ts";
import { type Host, processHost } from "./host.ts";
import { chooseMode } from "./mode.ts";
import { Recording } from "./_recording.ts";
import { type ReplayScope, toReplayScope } from "./replay_scope.ts";
import { Replaying } from "./_replaying.ts";
import type { Session } from "./_session.ts";

/** What a cassette may be named by. */
type Cassette = CassetteOptions["path"] | CassetteOptions;

/**
 * Runs a function whose requests are recorded into a cassette the first time, and answered from it ever after.
 *
 * Replaying wants no permission but to read the cassette: `deno test --no-prompt --ignore-env --deny-net
 * --allow-read=.`. A cassette is recorded where the network is granted and `CI` is not set, anew with
 * `AGREPL_MODE=record`, and not when the function fails.
 *
 * @param cassette A path, a file URL, the context of a test (the file is named after it), or options.
 * @param fn What is recorded or replayed; `fetch` is captured in it and in all that it awaits.
 * @returns What the function gives.
 * @throws {ReplayDivergenceError} when a request found no recorded step, or a step no request.
 * @throws {CassetteNotFoundError} when there is no cassette, and none may be recorded.
 * @throws {TraceFormatError} when the cassette is damaged.
 * @throws {TypeError} when an option is none.
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

/** The same in a process that is known otherwise: tests bring their own host. */
export async function replayOn<Value>(
  host: Host,
  cassette: Cassette,
  fn: (t: ReplayScope) => Value | Promise<Value>,
): Promise<Value> {
  const options = toOptions(cassette);
  const place = cassettePlace(options.path);
  using session = await openSession(place, options, host);
  const result = await attempt(() => session.scope.run(() => fn(toReplayScope(session))));
  await session.end(result.failed ? result : { failed: false });
  if (session.scope.failure !== null) throw session.scope.failure.error;
  if (result.failed) throw result.cause;
  return result.value;
}

function toOptions(cassette: Cassette): CassetteOptions {
  const isOptions = typeof cassette === "object" && "path" in cassette;
  return isOptions ? cassette : { path: cassette };
}

function openSession(place: CassettePlace, options: CassetteOptions, host: Host): Promise<Session> {
  const mode = chooseMode(options.mode, place.path, host);
  const parts = { options, host };
  return mode === "record" ? Recording.open(place, parts) : Replaying.open(mode, place, parts);
}

type Attempt<Value> =
  | { readonly failed: false; readonly value: Value }
  | { readonly failed: true; readonly cause: unknown };

async function attempt<Value>(work: () => Promise<Value>): Promise<Attempt<Value>> {
  try {
    return { failed: false, value: await work() };
  } catch (cause) {
    return { failed: true, cause };
  }
}
