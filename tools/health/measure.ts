/**
 * Product code in figures, each beside the best that was seen elsewhere and the cap of this house.
 *
 * @module
 */
import type ts from "typescript";
import { cyclesOf } from "./cycles.ts";
import { anysOf, nonNullsOf, suppressionsOf, throwsOf } from "./escapes.ts";
import { type FunctionFigures, functionsOf } from "./functions.ts";
import { type Finding, parse, type Source } from "./sources.ts";
import { type PublicSymbol, publicSymbols } from "./surface.ts";

/** One figure. */
export interface Row {
  /** Stable, for machines: `function_lines_p95`. */
  readonly id: string;
  readonly label: string;
  /** `null` when there is nothing to measure. */
  readonly ours: number | null;
  /** The best seen over the projects that serve as models. */
  readonly best: number;
  /** What this house allows: the most, or for shares (`%` with a best of 100) the least. */
  readonly cap: number;
  readonly unit: "" | "%";
  /** The places behind the figure, worst first. */
  readonly worst: readonly Finding[];
}

/** All figures. */
export interface Health {
  readonly files: number;
  readonly lines: number;
  readonly functions: number;
  readonly rows: readonly Row[];
}

/** The rows over functions: which figure, at which percentile. */
const functionSpecs = [
  { figure: "lines", share: 0.95, id: "function_lines_p95", label: "function length, p95", best: 21, cap: 40 },
  { figure: "lines", share: 1, id: "function_lines_max", label: "function length, max", best: 50, cap: 60 },
  { figure: "cyclomatic", share: 0.95, id: "cyclomatic_p95", label: "cyclomatic, p95", best: 4, cap: 12 },
  { figure: "cyclomatic", share: 1, id: "cyclomatic_max", label: "cyclomatic, max", best: 10, cap: 12 },
  { figure: "nesting", share: 1, id: "nesting_max", label: "nesting, max", best: 2, cap: 3 },
] as const;

/** The rows over ways out of the compiler's and the linter's hands: where each is found. */
const escapeSpecs = [
  { find: anysOf, id: "any", label: "any per 1,000 lines" },
  { find: nonNullsOf, id: "non_null", label: "non-null ! per 1,000 lines" },
  { find: suppressionsOf, id: "suppressions", label: "suppressions per 1,000 lines" },
] as const;

/**
 * Measures product code.
 *
 * @param sources The files, by `readProduct()`.
 * @returns The figures.
 */
export function measure(sources: readonly Source[]): Health {
  const files = sources.map((source) => parse(source));
  const functions = files.flatMap((file) => functionsOf(file));
  const lines = sources.reduce((sum, source) => sum + linesOf(source), 0);
  const rows = [
    fileRow(sources),
    ...functionRows(functions),
    cycleRow(files),
    ...escapeRows(files, lines),
    ...surfaceRows(publicSymbols(sources)),
    throwRow(files),
  ];
  return { files: files.length, lines, functions: functions.length, rows };
}

/**
 * Tells whether a figure is beyond its cap.
 *
 * @param row The figure.
 * @returns False also when there is nothing to measure.
 */
export function isOver(row: Row): boolean {
  if (row.ours === null) return false;
  return row.best === 100 ? row.ours < row.cap : row.ours > row.cap;
}

/**
 * Takes a percentile by nearest rank.
 *
 * @param values In any order.
 * @param share 0 to 1; 1 gives the largest.
 * @returns A member of `values`, or `null` when there is none.
 */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

function fileRow(sources: readonly Source[]): Row {
  const sizes = sources.map((source) => ({ path: source.path, line: 1, name: "file", amount: linesOf(source) }));
  const ours = sizes.filter((size) => size.amount > 400).length;
  return {
    id: "files_over_400",
    label: "files over 400 lines",
    ours,
    best: 0,
    cap: 0,
    unit: "",
    worst: largest(sizes),
  };
}

function functionRows(functions: readonly FunctionFigures[]): Row[] {
  return functionSpecs.map(({ figure, share, ...row }) => {
    const found = functions.map(({ path, line, name, [figure]: amount }) => ({ path, line, name, amount }));
    const ours = percentile(found.map((one) => one.amount), share);
    return { ...row, ours, unit: "", worst: largest(found) };
  });
}

function cycleRow(files: readonly ts.SourceFile[]): Row {
  const worst = largest(cyclesOf(files));
  return { id: "import_cycles", label: "import cycles", ours: worst.length, best: 0, cap: 0, unit: "", worst };
}

function escapeRows(files: readonly ts.SourceFile[], lines: number): Row[] {
  return escapeSpecs.map(({ find, id, label }) => {
    const worst = files.flatMap((file) => find(file));
    const ours = lines === 0 ? null : worst.length * 1000 / lines;
    // A suppression with its reason is allowed; how many there are is shown, not capped.
    const cap = id === "suppressions" ? Infinity : 0;
    return { id, label, ours, best: 0, cap, unit: "", worst };
  });
}

function surfaceRows(symbols: readonly PublicSymbol[]): Row[] {
  const functions = symbols.filter((symbol) => symbol.isFunction);
  const undocumented = symbols.filter((symbol) => !symbol.documented);
  const withoutExample = functions.filter((symbol) => !symbol.hasExample);
  return [
    {
      id: "public_documented",
      label: "public symbols documented",
      ours: shareOf(symbols.length - undocumented.length, symbols.length),
      best: 100,
      cap: 100,
      unit: "%",
      worst: undocumented.map(toFinding),
    },
    {
      id: "public_examples",
      label: "public functions with an executed example",
      ours: shareOf(functions.length - withoutExample.length, functions.length),
      best: 100,
      cap: 100,
      unit: "%",
      worst: withoutExample.map(toFinding),
    },
  ];
}

function throwRow(files: readonly ts.SourceFile[]): Row {
  const throws = files.map((file) => throwsOf(file));
  const worst = throws.flatMap((one) => one.plain);
  const ours = shareOf(worst.length, throws.reduce((sum, one) => sum + one.count, 0));
  return { id: "plain_errors", label: "plain Error among throws", ours, best: 0, cap: 0, unit: "%", worst };
}

function toFinding({ path, line, name }: PublicSymbol): Finding {
  return { path, line, name, amount: 1 };
}

function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part * 100 / whole;
}

function linesOf(source: Source): number {
  return source.text.split("\n").length - (source.text.endsWith("\n") ? 1 : 0);
}

function largest(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => b.amount - a.amount);
}
