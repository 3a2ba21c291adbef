/** What a run of the bench came to, as it is kept and shown. */

import { type Goal, isReached, type Row } from "./row.ts";
import type { Spread } from "./statistics.ts";

/** One suite's part. */
export interface SuiteResult {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly seconds: number;
  readonly rows: readonly Row[];
}

/** Where it ran: what bears on the figures, and nothing that names the machine. */
export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly os: string;
  readonly deno: string;
  readonly v8: string;
}

/** A file of `bench/results/`. */
export interface BenchResults {
  readonly machine: Machine;
  readonly command: string;
  readonly suites: readonly SuiteResult[];
}

/** Reads the machine's description from `/proc`, where there is one. */
export function describeMachine(): Machine {
  return {
    cores: navigator.hardwareConcurrency,
    cpu: cpuModel(),
    os: `${Deno.build.os} ${Deno.build.arch}`,
    deno: Deno.version.deno,
    v8: Deno.version.v8,
  };
}

function cpuModel(): string {
  try {
    return /^model name\s*:\s*(.+)$/m.exec(Deno.readTextFileSync("/proc/cpuinfo"))?.[1] ?? "unknown";
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "unknown";
    throw error;
  }
}

/**
 * Puts new results over older ones: suites that did not run again keep what they had.
 *
 * @param before The older file, or `null`.
 * @param now What has just run.
 * @param order The names of all suites, in the order of a table.
 */
export function mergeResults(before: BenchResults | null, now: BenchResults, order: readonly string[]): BenchResults {
  const fresh = new Set(now.suites.map(({ name }) => name));
  const all = [...now.suites, ...(before?.suites ?? []).filter(({ name }) => !fresh.has(name))];
  const suites = all.filter(({ name }) => order.includes(name));
  return { ...now, suites: suites.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name)) };
}

/**
 * Formats a suite as a section of Markdown.
 *
 * @returns Heading, explanation, table; a trailing newline.
 */
export function formatSuite({ title, about, rows, timestamp, seconds }: SuiteResult): string {
  const lines = rows.map((row) => `| ${cellsOf(row).join(" | ")} |`);
  return [
    `### ${title}`,
    "",
    `${about} (${timestamp.slice(0, 10)}, ${seconds.toFixed(0)} s)`,
    "",
    "| | agrepl | beside it | figure (min–max of rounds) | goal | |",
    "|---|---|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}

/** Names every row that misses its goal. */
export function formatLost(suites: readonly SuiteResult[]): string {
  const lost = suites.flatMap(({ title, rows }) =>
    rows.filter((row) => isReached(row) === false)
      .map((row) => `- ${title}: ${row.name} is ${formatFigure(row)}, the goal is ${formatGoal(row.goal)}`)
  );
  return lost.length === 0 ? "None.\n" : `${lost.join("\n")}\n`;
}

function cellsOf(row: Row): string[] {
  const { name, ours, beside, unit, figure, goal } = row;
  const besideText = beside === null ? "" : `${beside.name}: ${formatNumber(beside.spread.median)} ${unit}`;
  const reached = isReached(row);
  return [
    name,
    ours === null ? "" : `${formatNumber(ours.median)} ${unit}`,
    besideText,
    `${formatFigure(row)}${formatSpread(figure)}`,
    formatGoal(goal),
    reached === null ? "" : reached ? "reached" : "**missed**",
  ];
}

function formatFigure({ figure, figureUnit }: Row): string {
  return `${formatNumber(figure.median)} ${figureUnit}`.trim();
}

function formatSpread({ min, max, rounds }: Spread): string {
  return rounds === 1 ? "" : ` (${formatNumber(min)}–${formatNumber(max)}, n = ${rounds})`;
}

function formatGoal(goal: Goal | null): string {
  if (goal === null) return "";
  return "atMost" in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`;
}

/** Three digits that count, never more than the clock can tell. */
function formatNumber(value: number): string {
  if (value === 0) return "0";
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(digits, 4));
}
