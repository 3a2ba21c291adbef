import type { MissExplanation } from "../diff/mod.ts";
import type { ReplayOutcome } from "../engine/mod.ts";
import { formatMiss, plainPaint, printableLine } from "../report/mod.ts";
import type { TraceFile } from "../store/mod.ts";
import type { Divergence, ReplayMiss } from "./replay_divergence_error.ts";
import type { Ended } from "./_session.ts";

/** How a function ended, and what it left. */
export interface Leaving {
  readonly ended: Ended;
  readonly running: readonly string[];
  /** Steps that were never asked for are forgiven. */
  readonly allowUnused: boolean;
}

/** Tells how a replay diverged, in texts that are safe to print. */
export function toDivergence(
  trace: TraceFile,
  { misses, unused, differences }: ReplayOutcome,
  { ended, running, allowUnused }: Leaving,
): Divergence {
  const left = new Set(allowUnused ? [] : unused);
  return {
    path: trace.path,
    misses: misses.filter((each) => !each.optional).map((each) => toReplayMiss(each.miss)),
    unused: trace.entries.filter((entry) => left.has(entry.seq)).map((entry) => {
      const { method, url } = trace.step(entry).request;
      return { seq: entry.seq, method: printableLine(method), url: printableLine(url) };
    }),
    differences: [...differences].map(([seq, what]) => ({ seq, what: printableLine(what) })),
    running,
    thrown: ended.failed ? printableLine(String(ended.cause)) : null,
  };
}

function toReplayMiss(miss: MissExplanation): ReplayMiss {
  const { method, url, reason } = miss;
  return { method, url, reason: inLibraryWords(reason), explanation: inLibraryWords(formatMiss(miss, plainPaint)) };
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
