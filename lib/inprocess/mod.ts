/**
 * The door inside this process: what a function asks of the outside is recorded into a cassette, or answered from one.
 *
 * Takes a cassette and a function; gives what the function gives, or says how its requests diverged. Never listens,
 * never touches a request made outside of the function, and in a replay wants no permission but to read the cassette.
 * Invariant: each answer comes from the one engine that the proxy uses as well, and what was replaced is put back.
 *
 * @module
 */
export { CassetteInUseError } from "./cassette_in_use_error.ts";
export { CassetteNotFoundError } from "./cassette_not_found_error.ts";
export type { CassetteOptions, CassetteTextRule } from "./cassette_options.ts";
export type { Host } from "./host.ts";
export type { Isolation } from "./isolation.ts";
export type { CassetteMode } from "./mode.ts";
export { loadPreload, preloadModule } from "./preload_module.ts";
export { formatPreloadOrder, parsePreloadOutcome, type PreloadOrder, preloadVariable } from "./preload_words.ts";
export {
  ReplayDivergenceError,
  type ReplayMiss,
  type StepDifference,
  type UnusedStep,
} from "./replay_divergence_error.ts";
export type { ReplayScope } from "./replay_scope.ts";
export { RequestsLeftRunningError } from "./requests_left_running_error.ts";
export { replayOn, withReplay } from "./with_replay.ts";
