import { createHash } from "node:crypto";
import {
  formatLine,
  type KeyRules,
  parseLine,
  type Step,
  type TraceEnd,
  TraceFormatError,
  type TraceHeader,
  type TraceLine,
} from "../step/mod.ts";
import { answerWords, isAnsweredAlike, questionWords } from "./_kept_step.ts";
import type { RunOutcome } from "./trace_writer.ts";

/** A value, and the line it was read from. */
interface OldLine<Value extends TraceLine> {
  readonly value: Value;
  readonly line: string;
}

/** A cassette that a recording may replace. */
export interface OldCassette {
  readonly header: OldLine<TraceHeader>;
  readonly steps: readonly OldLine<Step>[];
  readonly end: OldLine<TraceEnd> | null;
}

/** What a recording has found. */
export interface NewCassette {
  readonly header: TraceHeader;
  /** In the order of `seq`, joined. */
  readonly steps: readonly Step[];
  readonly outcome: RunOutcome;
}

/**
 * Reads the cassette that is there.
 *
 * @param text Its whole content.
 * @param path Its name, for places.
 * @returns Its lines, or `null` when it is damaged, newer, or no cassette: nothing of it is kept then.
 */
export function readOldCassette(text: string, path: string): OldCassette | null {
  const lines = text.split(/\r?\n/).filter((line) => line !== "");
  try {
    const parsed = lines.map((line, at) => ({ value: parseLine(line, { path, line: at + 1, offset: 0 }), line }));
    const [header] = parsed.filter(isLineOf("trace"));
    // A trace that was copied here may hold steps in several lines: those cannot be kept one by one.
    if (header === undefined || parsed.some(isLineOf("more"))) return null;
    return { header, steps: parsed.filter(isLineOf("step")), end: parsed.find(isLineOf("end")) ?? null };
  } catch (error) {
    if (error instanceof TraceFormatError) return null;
    throw error;
  }
}

function isLineOf<Kind extends TraceLine["kind"]>(kind: Kind) {
  return (each: OldLine<TraceLine>): each is OldLine<Extract<TraceLine, { kind: Kind }>> => each.value.kind === kind;
}

/**
 * Writes a cassette, keeping what it can of the one before.
 *
 * @param old What is there; `null` for nothing that could be kept.
 * @param fresh What was recorded.
 * @returns The whole file.
 */
export function cassetteText(old: OldCassette | null, fresh: NewCassette): string {
  const header = old !== null && isSameHeader(old.header.value, fresh.header)
    ? old.header.line
    : formatLine(fresh.header);
  const lines = [header, ...stepLines(old?.steps ?? [], fresh)];
  const hash = createHash("sha256");
  for (const line of lines) hash.update(`${line}\n`);
  lines.push(endLine(old, fresh, `sha256:${hash.digest("hex")}`));
  return lines.map((line) => `${line}\n`).join("");
}

function isSameHeader(old: TraceHeader, fresh: TraceHeader): boolean {
  const { runId, timestamp } = fresh;
  return formatLine({ ...old, runId, timestamp }) === formatLine(fresh);
}

function endLine(old: OldCassette | null, { steps, outcome }: NewCassette, digest: string): string {
  const { value, line } = old?.end ?? {};
  const { status, exitCode } = outcome;
  const same = value?.digest === digest && value.status === status && value.exitCode === exitCode;
  if (same && line !== undefined) return line;
  return formatLine({ kind: "end", ...outcome, steps: steps.length, digest });
}

/** Each step's line. `seq` may have gaps, so what stands behind a step that is gone keeps its number, and its line. */
function stepLines(old: readonly OldLine<Step>[], { header, steps }: NewCassette): string[] {
  const byKey = Map.groupBy(old, ({ value }) => value.key);
  const pairs = steps.map((step) => ({ step, before: byKey.get(step.key)?.shift() ?? null }));
  const newlyAsked = new Set(pairs.flatMap(({ step, before }) => before === null ? questionWords(step) : []));
  let last = -1;
  return pairs.map(({ step, before }) => {
    const seq = before !== null && before.value.seq > last ? before.value.seq : last + 1;
    last = seq;
    if (before === null || !isKept(before.value, step, { keyRules: header.key, newlyAsked })) {
      return formatLine({ ...step, seq });
    }
    return seq === before.value.seq ? before.line : formatLine({ ...before.value, seq });
  });
}

interface Keeping {
  readonly keyRules: KeyRules;
  /** Words of the questions that were not asked before. */
  readonly newlyAsked: ReadonlySet<string>;
}

/** An id that a new question repeats has to stay in the answer that it comes from, or no replay would ask so. */
function isKept(before: Step, step: Step, { keyRules, newlyAsked }: Keeping): boolean {
  if (!isAnsweredAlike(before, step, keyRules)) return false;
  if (newlyAsked.size === 0) return true;
  return answerWords(step).difference(answerWords(before)).isDisjointFrom(newlyAsked);
}
