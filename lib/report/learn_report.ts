/**
 * What rules would make runs equal, for reading, and the same as JSON.
 *
 * @module
 */
import { type Evidence, excerpt, type Learned, type Proposal, type ProposalKind } from "../diff/mod.ts";
import type { Paint } from "./paint.ts";
import { counted, formatCommand, printableLine } from "./text.ts";

/** What `learn` found. */
export interface LearnReport {
  /** The runs, the first of which is held against each of the others. */
  readonly runIds: readonly string[];
  readonly learned: Learned;
  /** Differences of signal over all pairs, without the rules. */
  readonly before: number;
  /** And with them. */
  readonly after: number;
  /** The file to which the rules were written; `null` when they were not. */
  readonly written: string | null;
}

const valueWidth = 40;
const leftShown = 12;

const flags: Readonly<Record<ProposalKind, string>> = {
  noise: "--noise",
  ignore_query: "--ignore-query",
  ignore_json: "--ignore-json",
  ignore_text: "--ignore-text",
};

/**
 * Formats what was learned for a terminal.
 *
 * @param report What was found.
 * @param paint Emphasis.
 * @returns Lines without a trailing newline.
 */
export function formatLearnReport(report: LearnReport, paint: Paint): string {
  const { runIds, learned: { proposals, unproposed }, before, after, written } = report;
  const pairs = counted(runIds.length - 1, "pair");
  const lines = [
    `${paint.bold("agrepl learn")} ${counted(runIds.length, "run")}, ${pairs}: ${
      counted(before, "difference")
    } of signal`,
  ];
  for (const proposal of proposals) lines.push("", ...proposalLines(proposal, runIds.length - 1, paint));
  if (unproposed.length > 0) lines.push("", "no rule for these:", ...unproposed.slice(0, leftShown).map(leftLine));
  if (unproposed.length > leftShown) lines.push(paint.dim(`  … and ${unproposed.length - leftShown} more`));
  lines.push("", verdictLine(after, proposals.length, paint));
  if (written !== null) lines.push(`written to ${printableLine(written)}`);
  else if (proposals.length > 0) lines.push("nothing is written; --write puts the rules into the store's config.json");
  return lines.join("\n");
}

function verdictLine(after: number, rules: number, paint: Paint): string {
  if (rules === 0) return after === 0 ? paint.good("the runs are equal as it is") : paint.bad("no rule would help");
  const rest = after === 0
    ? paint.good("the runs are equal")
    : paint.bad(`${counted(after, "difference")} of signal ${after === 1 ? "remains" : "remain"}`);
  return `with ${rules === 1 ? "this rule" : `these ${rules} rules`} ${rest}`;
}

function proposalLines({ kind, rule, pairs, evidence }: Proposal, allPairs: number, paint: Paint): string[] {
  const seen = `in ${pairs} of ${counted(allPairs, "pair")}, ${counted(evidence.length, "place")}`;
  const [first] = evidence;
  const option = printableLine(`${flags[kind]} ${formatCommand([rule])}`);
  return [
    `  ${paint.bold(option)}  ${paint.dim(seen)}`,
    ...(first === undefined ? [] : [`    ${evidenceLine(first)}`]),
  ];
}

function evidenceLine({ seq, field, a, b }: Evidence): string {
  const values = excerpt(a, b, valueWidth);
  const show = (value: string | null) => value === null ? "(absent)" : printableLine(value);
  return `step ${seq} ${printableLine(field)}: ${show(values.a)} -> ${show(values.b)}`;
}

function leftLine(left: Learned["unproposed"][number]): string {
  return `  ${evidenceLine(left)}  (${left.why})`;
}

/**
 * Gives the same as a JSON value.
 *
 * @param report What was found.
 * @returns Its fields in snake_case.
 */
export function toLearnJson({ runIds, learned, before, after, written }: LearnReport): Record<string, unknown> {
  return { kind: "learn", version: 1, runs: runIds, before, after, written, ...learned };
}
