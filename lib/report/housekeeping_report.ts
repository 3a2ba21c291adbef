/**
 * What a store can do without, and what a check of all of it found.
 *
 * @module
 */
import type { Paint } from "./paint.ts";
import { type ListedRun, toRunListJson } from "./run_list.ts";
import { counted, cutLine, formatBytes, formatCommand, formatTable, printable, printableLine } from "./text.ts";

/** What can go, or has gone. */
export interface CollectionReport {
  readonly runs: readonly ListedRun[];
  readonly files: readonly { readonly kind: string; readonly path: string; readonly bytes: number }[];
  /** Too young to tell whether somebody is about to name them. */
  readonly spared: number;
  /** `null` for a dry run. */
  readonly removed: { readonly files: number; readonly bytes: number } | null;
}

const kinds: readonly (readonly [kind: string, noun: string])[] = [
  ["trace", "trace"],
  ["report", "report"],
  ["blob", "blob"],
  ["temporary", "temporary file"],
];

/**
 * Formats a collection.
 *
 * @param report What can go, or has gone.
 * @param paint Emphasis.
 * @returns Lines without a trailing newline.
 */
export function formatCollection({ runs, files, spared, removed }: CollectionReport, paint: Paint): string {
  const rows = runs.map((run) => [
    printableLine(run.runId),
    printableLine(run.timestamp.replace("T", " ").slice(0, 19)),
    printableLine(run.status),
    printableLine(run.name ?? "-"),
    cutLine(printableLine(formatCommand(run.command)), 60),
  ]);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const parts = kinds.flatMap(([kind, noun]) => {
    const count = files.filter((file) => file.kind === kind).length;
    return count === 0 ? [] : [counted(count, noun)];
  });
  const what = [...(runs.length === 0 ? [] : [counted(runs.length, "run")]), ...parts].join(", ");
  const last = removed === null
    ? what === "" ? "Nothing can go" : `Can go: ${what} (${formatBytes(bytes)}). Nothing is removed without --yes`
    : what === ""
    ? "Nothing could go"
    : `Removed: ${what} (${formatBytes(removed.bytes)})`;
  const young = spared === 0 ? [] : [paint.dim(`${counted(spared, "file")} written too lately to tell stay for now`)];
  return [...formatTable(rows), paint.bold(last), ...young].join("\n");
}

/**
 * Gives the same as a JSON value.
 *
 * @param report What can go, or has gone.
 * @returns One object, its fields in snake_case.
 */
export function toCollectionJson({ runs, files, spared, removed }: CollectionReport): Record<string, unknown> {
  return {
    dry_run: removed === null,
    runs: toRunListJson(runs),
    files: files.map(({ kind, path, bytes }) => ({ kind, path, bytes })),
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    spared,
    ...(removed === null ? {} : { removed }),
  };
}

/** What a check of one trace found. */
export interface CheckedTrace {
  readonly path: string;
  readonly steps: number;
  readonly findings: readonly string[];
}

/**
 * Formats checks of traces.
 *
 * @param traces At least one.
 * @returns Lines without a trailing newline.
 */
export function formatChecks(traces: readonly CheckedTrace[]): string {
  return traces.flatMap(({ path, steps, findings }) =>
    findings.length === 0 ? [`${path}: whole, ${counted(steps, "step")}`] : [
      `${path}: ${counted(findings.length, "finding")}`,
      ...findings.map((each) => `  ${printable(each)}`),
    ]
  ).join("\n");
}
