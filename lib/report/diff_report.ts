/**
 * Two traces held against each other, for a terminal: the layout of the paper's Table I.
 *
 * @module
 */
import {
  type Delta,
  excerpt,
  type NamedStep,
  type StepDifference,
  type Tier,
  type TraceDifference,
} from "../diff/mod.ts";
import type { Paint } from "./paint.ts";
import { counted, cutLine, formatDuration, formatTable, printableLine } from "./text.ts";

/** What is said of a trace beside its steps. */
export interface DiffedTrace {
  readonly runId: string;
  readonly name: string | null;
  readonly command: readonly string[];
  readonly timestamp: string;
  readonly status: string;
  readonly exitCode: number | null;
}

/** Two traces, and what differs. */
export interface DiffReport {
  readonly a: DiffedTrace;
  readonly b: DiffedTrace;
  /** What a reader must know: a trace that was cut off, keys made anew. One sentence each. */
  readonly notes: readonly string[];
  /** What differs beside the steps: the exit code. */
  readonly run: readonly Delta[];
  readonly difference: TraceDifference;
}

/** How much is shown. */
export interface DiffView {
  /** Noise, removed and equal fields too. */
  readonly verbose: boolean;
  /** How long each step took. */
  readonly timing: boolean;
}

const valueWidth = 40;
const fieldWidth = 48;
const urlWidth = 90;
/** A report is to be read, not scrolled: `--verbose` and `--json` have all of it. */
const stepsShown = 40;
const rowsShown = 25;
const hostsShown = 3;

const tierNames: Readonly<Record<Tier, string>> = {
  signal: "Signal",
  noise: "Noise",
  removed: "Removed",
  equal: "Equal",
};
/** By default: yes, no since it is the same, no since it says nothing. */
const shownMarks: Readonly<Record<Tier, string>> = { signal: "✓", noise: "✗", removed: "✗", equal: "—" };
const tierOrder: readonly Tier[] = ["signal", "equal", "noise", "removed"];

/**
 * Formats a difference for a terminal.
 *
 * @param report The two traces.
 * @param view How much.
 * @param paint Emphasis.
 * @returns Lines without a trailing newline.
 */
export function formatDiffReport(report: DiffReport, view: DiffView, paint: Paint): string {
  const { a, b, notes, run, difference } = report;
  const head = [`${paint.bold("agrepl diff")} E1 ${nameOf(a)} -> E2 ${nameOf(b)}`];
  head.push(...notes.map((note) => `  note: ${printableLine(note)}`));
  if (isUnrelated(difference)) return [...head, ...unrelatedLines(difference, paint)].join("\n");
  const steps = difference.steps.filter((step) => view.verbose || isSignal(step));
  const limit = view.verbose ? Infinity : stepsShown;
  const blocks = [
    ...(run.length === 0 ? [] : [["", paint.bold("run"), ...tableLines(run, view, paint)]]),
    ...steps.slice(0, limit).map((step) => ["", ...stepLines(step, view, paint)]),
  ];
  if (steps.length > limit) blocks.push(["", paint.dim(`… and ${counted(steps.length - limit, "step")} more`)]);
  return [...head, ...blocks.flat(), "", summaryLine(report, view, paint)].join("\n");
}

function nameOf({ runId, name }: DiffedTrace): string {
  return printableLine(name === null ? runId : `${runId} (${name})`);
}

/**
 * Tells whether a step is shown by default.
 *
 * @param step A step that differs.
 */
export function isSignal({ place, deltas }: StepDifference): boolean {
  return place?.tier === "signal" || deltas.some(({ tier }) => tier === "signal");
}

/**
 * Tells whether two traces have nothing in common at all.
 *
 * @param difference What was found.
 */
export function isUnrelated({ stepsA, stepsB, matched, changed }: TraceDifference): boolean {
  return stepsA > 0 && stepsB > 0 && matched + changed === 0;
}

function unrelatedLines({ stepsA, stepsB, steps }: TraceDifference, paint: Paint): string[] {
  const asks = (side: "a" | "b") => {
    const hosts = new Set(steps.flatMap((step) => step[side] === null ? [] : [hostOf(step[side].url)]));
    const more = hosts.size > hostsShown ? ` and ${hosts.size - hostsShown} more` : "";
    return printableLine([...hosts].slice(0, hostsShown).join(", ") + more);
  };
  return [
    "",
    `${paint.bad("nothing aligns")}: no step of one is the same call as a step of the other`,
    `  E1  ${counted(stepsA, "step")}, to ${asks("a")}`,
    `  E2  ${counted(stepsB, "step")}, to ${asks("b")}`,
  ];
}

function hostOf(url: string): string {
  return URL.parse(url)?.host || url;
}

const relations: Readonly<Record<StepDifference["relation"], string>> = {
  matched: "",
  changed_request: "asked otherwise",
  only_a: "only in E1",
  only_b: "only in E2",
};

function stepLines(step: StepDifference, view: DiffView, paint: Paint): string[] {
  const { relation, moved, place, deltas } = step;
  const isAskedAlike = relation === "changed_request" && !deltas.some(isAsked);
  const remarks = [isAskedAlike ? "" : relations[relation], moved ? "moved" : ""].filter((each) => each !== "");
  const note = remarks.length === 0 ? "" : `  ${paint.bad(remarks.join(", "))}`;
  const why = view.verbose && place !== null ? [paint.dim(`  ${place.why}`)] : [];
  return [`${paint.bold(titleOf(step))}${timesOf(step, view)}${note}`, ...why, ...tableLines(deltas, view, paint)];
}

/** Of a call that hands on another id, say, nobody would call it another question. */
function isAsked({ part, tier }: Delta): boolean {
  return part === "request" && tier === "signal";
}

/**
 * Names a step, or the pair of them, in one line.
 *
 * @param step A step that differs.
 * @returns `step 3  HTTP  GET https://…`, safe to print.
 */
export function titleOf({ a, b }: StepDifference): string {
  const named: NamedStep | null = a ?? b;
  if (named === null) return "step";
  const seqs = a !== null && b !== null && a.seq !== b.seq ? `${a.seq} -> ${b.seq}` : String(named.seq);
  return `step ${seqs}  ${named.type}  ${cutLine(printableLine(`${named.method} ${named.url}`), urlWidth)}`;
}

function timesOf({ a, b }: StepDifference, { timing }: DiffView): string {
  if (!timing) return "";
  const times = [a, b].map((step) => step === null ? "-" : formatDuration(step.latencyMs));
  return `  (${times.join(" -> ")})`;
}

function tableLines(deltas: readonly Delta[], view: DiffView, paint: Paint): string[] {
  const shown = byTier(deltas).filter(({ tier }) => view.verbose || tier === "signal");
  if (shown.length === 0) return [];
  const kept = view.verbose ? shown : shown.slice(0, rowsShown);
  const [head = "", ...lines] = formatTable([["field", "E1", "E2", "tier", "shown"], ...kept.map(rowOf)]);
  const painted = lines.map((line, at) => kept[at]?.tier === "signal" ? `  ${line}` : paint.dim(`  ${line}`));
  const rest = shown.length - kept.length;
  return [paint.dim(`  ${head}`), ...painted, ...(rest > 0 ? [paint.dim(`  … and ${rest} more`)] : [])];
}

/**
 * Sorts differences as the paper's Table I does: signal, equal, noise, removed.
 *
 * @param deltas In the order of the message.
 */
export function byTier(deltas: readonly Delta[]): Delta[] {
  return tierOrder.flatMap((tier) => deltas.filter((delta) => delta.tier === tier));
}

function rowOf(delta: Delta): string[] {
  const { a, b } = excerpt(oneLine(delta.a), oneLine(delta.b), valueWidth);
  const field = cutLine(printableLine(formatField(delta)), fieldWidth);
  return [field, a ?? "(absent)", b ?? "(absent)", tierNames[delta.tier], shownMarks[delta.tier]];
}

function oneLine(value: string | null): string | null {
  return value === null ? null : printableLine(value);
}

/**
 * Names a field as people write it.
 *
 * @param delta The difference.
 * @returns `HTTP Status`, `X-Cache`, `Set-Cookie/NID`, `Body #/a`, `Request User-Agent`.
 */
export function formatField({ part, field }: Delta): string {
  return (part === "request" ? "Request " : "") + plainField(field);
}

function plainField(field: string): string {
  if (field === "status") return "HTTP Status";
  const [, name, cookie = ""] = /^header ([^/]*)(\/.*)?$/s.exec(field) ?? [];
  if (name !== undefined) return titleCase(name) + cookie;
  return field.startsWith("trailer ")
    ? `Trailer ${titleCase(field.slice(8))}`
    : titleCase(field.slice(0, 1)) + field.slice(1);
}

function titleCase(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

function summaryLine({ run, difference }: DiffReport, view: DiffView, paint: Paint): string {
  const { stepsA, stepsB, matched, steps, counts } = difference;
  const signal = counts.signal + run.length;
  const verdict = signal === 0 ? paint.good("the same") : paint.bad(`${counted(signal, "difference")} of signal`);
  const hidden = counts.noise + counts.removed === 0
    ? ""
    : `; ${view.verbose ? "" : "hidden: "}${counts.noise} noise, ${counts.removed} removed${
      view.verbose ? "" : " (--verbose)"
    }`;
  const differing = steps.filter(isSignal).length;
  const size = stepsA === stepsB ? counted(stepsA, "step") : `${stepsA} and ${stepsB} steps`;
  return `${verdict}: ${size}, ${matched} of one key, ${differing} ${differing === 1 ? "differs" : "differ"}${hidden}`;
}
