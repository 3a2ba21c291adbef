/**
 * The error for a function that did not ask what its cassette holds, or not all of it.
 *
 * @module
 */
import type { MissExplanation } from "../diff/mod.ts";
import { counted, formatMiss, plainPaint, printableLine } from "../report/mod.ts";

/** A request that no recorded step matched. */
export interface ReplayMiss {
  /** Of the request. */
  readonly method: string;
  /** Of the request, absolute; secrets in it are replaced. */
  readonly url: string;
  /** Why no step matched, in one sentence. */
  readonly reason: string;
  /** The same over several lines: the nearest step, what differs, and what would make it match. */
  readonly explanation: string;
}

/** A recorded step that was never asked for. */
export interface UnusedStep {
  /** Its number in the cassette. */
  readonly seq: number;
  /** Of its request. */
  readonly method: string;
  /** Of its request, absolute. */
  readonly url: string;
}

/** A step that was answered otherwise than it was recorded. */
export interface StepDifference {
  /** Its number in the cassette. */
  readonly seq: number;
  /** What differed, as a noun phrase. */
  readonly what: string;
}

/** How a replay diverged. */
export interface Divergence {
  readonly path: string;
  readonly misses: readonly MissExplanation[];
  readonly unused: readonly UnusedStep[];
  readonly differences: readonly StepDifference[];
}

const shownSteps = 10;

/** A replay that diverged: a request found no recorded step, or a recorded step no request. */
export class ReplayDivergenceError extends Error {
  /** The class, for whoever prints it. */
  override readonly name = "ReplayDivergenceError";
  /** Stable: `replay_diverged`. */
  readonly code = "replay_diverged";
  /** The cassette's file. */
  readonly path: string;
  /** One per distinct request that no recorded step matched. */
  readonly misses: readonly ReplayMiss[];
  /** Recorded steps that nobody asked for, unless that was allowed. */
  readonly unused: readonly UnusedStep[];
  /** Steps that were answered otherwise than recorded. */
  readonly differences: readonly StepDifference[];

  /**
   * Explains each miss and lists what was left over.
   *
   * @param divergence How the replay diverged.
   * @param options What the function itself threw, as `cause`.
   */
  constructor(divergence: Divergence, options?: ErrorOptions) {
    const { path, unused, differences } = divergence;
    const misses = divergence.misses.map(toReplayMiss);
    super(messageOf({ path, misses, unused, differences }, options), options);
    this.path = path;
    this.misses = misses;
    this.unused = unused;
    this.differences = differences;
  }
}

function toReplayMiss(miss: MissExplanation): ReplayMiss {
  const { method, url, reason } = miss;
  return { method, url, reason: inLibraryWords(reason), explanation: inLibraryWords(formatMiss(miss, plainPaint)) };
}

/** What an error is to say. */
interface Told extends Omit<Divergence, "misses"> {
  readonly misses: readonly ReplayMiss[];
}

function messageOf({ path, misses, unused, differences }: Told, options: ErrorOptions | undefined): string {
  const counts = [
    ...(misses.length > 0 ? [counted(misses.length, "miss", "misses")] : []),
    ...(unused.length > 0 ? [`${counted(unused.length, "step")} never asked for`] : []),
    ...(differences.length > 0 ? [`${counted(differences.length, "step")} answered otherwise`] : []),
  ];
  const lines = [
    `Cannot replay "${path}": ${counts.join(", ")}. If this change is meant, record it anew with AGREPL_MODE=record`,
    ...misses.map((miss) => miss.explanation),
    ...shortened(unused.map(({ seq, method, url }) => `unused step ${seq}: ${method} ${url}`)),
    ...shortened(differences.map(({ seq, what }) => `step ${seq} differs: ${what}`)),
  ];
  if (options !== undefined && "cause" in options) {
    lines.push(`the function threw: ${printableLine(String(options.cause))}`);
  }
  return lines.join("\n");
}

function shortened(lines: readonly string[]): string[] {
  const shown = lines.slice(0, shownSteps).map(printableLine);
  return lines.length > shown.length ? [...shown, `… and ${lines.length - shown.length} more`] : shown;
}

const libraryNames: Readonly<Record<string, string>> = { "ignore-query": "ignoreQuery", "ignore-json": "ignoreJson" };

/** An option of the command line, as withReplay takes it. */
function inLibraryWords(text: string): string {
  return text
    .replaceAll("--on-exhausted last", 'onExhausted: "last"')
    .replace(/--(ignore-query|ignore-json) ('(?:[^']|'\\'')*'|\S+)/g, (_all, option, quoted) => {
      const value = quoted.startsWith("'") ? quoted.slice(1, -1).replaceAll(`'\\''`, "'") : quoted;
      return `${libraryNames[option]}: [${JSON.stringify(value)}]`;
    });
}
