/**
 * Whether a cassette is replayed or recorded.
 *
 * @module
 */
import { dirname } from "node:path";
import { cassetteExists } from "../store/mod.ts";
import { CassetteNotFoundError } from "./cassette_not_found_error.ts";
import type { CassetteOptions } from "./cassette_options.ts";
import type { Host } from "./host.ts";

/** What happens to a cassette in one run of a function. */
export type CassetteMode = "replay" | "record" | "fallback";

const modes: ReadonlySet<unknown> = new Set(["auto", "replay", "record", "fallback"]);

/**
 * Chooses the mode.
 *
 * @param wanted What the options say.
 * @param path The cassette's file.
 * @param host The process.
 * @returns The mode; `replay` and `fallback` only with a cassette that is there.
 * @throws {TypeError} when `AGREPL_MODE` or the option is no mode.
 * @throws {CassetteNotFoundError} when there is none, and none may be recorded.
 */
export function chooseMode(wanted: CassetteOptions["mode"], path: string, host: Host): CassetteMode {
  const mode = wantedMode(wanted, host);
  const barrier = barrierTo(mode, path, host);
  if (mode === "record" && barrier === null) return "record";
  const problem = problemOf(path, host);
  if (problem === null) return mode === "fallback" ? "fallback" : "replay";
  if (barrier === null) return "record";
  throw new CassetteNotFoundError(path, problem, barrier);
}

function wantedMode(wanted: CassetteOptions["mode"], host: Host): string {
  const named = host.variable("AGREPL_MODE") ?? "";
  const mode = named === "" ? wanted ?? "auto" : named;
  if (modes.has(mode)) return mode;
  const source = named === "" ? "the option mode" : "AGREPL_MODE";
  throw new TypeError(`Cannot use ${source} "${mode}": expected "auto", "replay", "record" or "fallback"`);
}

/** Why nothing may be recorded; `null` when it may. */
function barrierTo(mode: string, path: string, host: Host): string | null {
  if (mode === "replay" || mode === "fallback") return `the mode is "${mode}"`;
  const ci = host.variable("CI");
  if (ci === null) return "the environment cannot be read, so this may be CI";
  if (!/^(?:|0|false)$/i.test(ci)) return "CI is set";
  if (mode === "record") return null; // asked for by name: what is not granted yet may be granted when it is used
  if (!host.may({ name: "net" })) return "the network permission is not granted";
  return host.may({ name: "write", path: dirname(path) }) ? null : "the permission to write it is not granted";
}

/**
 * Has the permission to write a cassette granted before anything is asked that would be lost without it.
 *
 * @param path The cassette's file.
 * @param host The process.
 * @throws {Deno.errors.NotCapable} when it is not granted.
 */
export function checkWritable(path: string, host: Host): void {
  const permission = { name: "write", path: dirname(path) } as const;
  if (host.may(permission) || Deno.permissions.requestSync(permission).state === "granted") return;
  throw new Deno.errors.NotCapable(
    `Cannot record "${path}": it may not be written, expected --allow-write for its folder`,
  );
}

/** Why there is no cassette to read; `null` when there is one. */
function problemOf(path: string, host: Host): string | null {
  if (!host.may({ name: "read", path })) return "it may not be read, expected --allow-read for its folder";
  return cassetteExists(path) ? null : "there is no such file";
}
