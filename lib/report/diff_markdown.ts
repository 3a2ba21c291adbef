/**
 * Two traces held against each other, for a pull request.
 *
 * @module
 */
import { type Delta, excerpt, type StepDifference } from "../diff/mod.ts";
import { byTier, type DiffReport, type DiffView, formatField, isSignal, isUnrelated, titleOf } from "./diff_report.ts";
import { counted, printableLine } from "./text.ts";

const valueWidth = 120;
/** GitHub refuses comments of more than 65,536 characters. */
const stepsShown = 50;
const rowsShown = 50;

/**
 * Formats a difference as Markdown (GitHub's).
 *
 * @param report The two traces.
 * @param view How much.
 * @returns Lines without a trailing newline. What a trace holds is escaped: it makes no markup, link or mention.
 */
export function formatDiffMarkdown(report: DiffReport, view: DiffView): string {
  const { a, b, notes, run, difference } = report;
  const { counts } = difference;
  const signal = counts.signal + run.length;
  const verdict = signal === 0 ? "**No difference of signal**" : `**${counted(signal, "difference")} of signal**`;
  const head = [
    `### agrepl diff: ${escaped(a.name ?? a.runId)} → ${escaped(b.name ?? b.runId)}`,
    "",
    `${verdict}, ${counts.noise} noise, ${counts.removed} removed; ${counted(difference.matched, "step")} of one key.`,
    ...notes.map((note) => `\n> ${escaped(note)}`),
  ];
  if (isUnrelated(difference)) {
    return [...head, "", "Nothing aligns: no step of one is the same call as a step of the other."].join("\n");
  }
  const steps = difference.steps.filter((step) => view.verbose || isSignal(step));
  const blocks = [
    ...(run.length === 0 ? [] : ["", "#### run", ...tableLines(run, view)]),
    ...steps.slice(0, stepsShown).flatMap((step) => stepLines(step, view)),
  ];
  const rest = steps.length - stepsShown;
  return [...head, ...blocks, ...(rest > 0 ? ["", `… and ${counted(rest, "step")} more.`] : [])].join("\n");
}

function stepLines(step: StepDifference, view: DiffView): string[] {
  const remark = { matched: "", changed_request: ": asked otherwise", only_a: ": only in E1", only_b: ": only in E2" };
  const moved = step.moved ? ": moved" : "";
  return ["", `#### ${escaped(titleOf(step))}${remark[step.relation]}${moved}`, ...tableLines(step.deltas, view)];
}

function tableLines(deltas: readonly Delta[], view: DiffView): string[] {
  const shown = byTier(deltas).filter(({ tier }) => view.verbose || tier === "signal");
  if (shown.length === 0) return [];
  const rest = shown.length - rowsShown;
  return [
    "",
    "| Field | E1 | E2 | Tier |",
    "|---|---|---|---|",
    ...shown.slice(0, rowsShown).map(rowOf),
    ...(rest > 0 ? [`| … and ${rest} more | | | |`] : []),
  ];
}

function rowOf(delta: Delta): string {
  const { a, b } = excerpt(delta.a, delta.b, valueWidth);
  const cells = [formatField(delta), a, b].map((cell) => cell === null ? "*(absent)*" : escaped(cell));
  return `| ${[...cells, delta.tier].join(" | ")} |`;
}

/** As entities, so that no character of a trace is markup, an `@` calls nobody, and a `#7` links to nothing. */
function escaped(text: string): string {
  return printableLine(text).replace(/[&<>|`*_~[\]\\@#!]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
