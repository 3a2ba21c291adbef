/**
 * What looks like a secret, by file, step and place.
 *
 * @module
 */
import type { Paint } from "./paint.ts";
import { counted, printableLine } from "./text.ts";

/** Something that looks like a secret. */
export interface ListedSecret {
  /** `null` for the trace's header. */
  readonly seq: number | null;
  readonly place: string;
  readonly offset: number;
  readonly bytes: number;
  /** A few of its characters. */
  readonly start: string;
  readonly kind: "rule" | "random";
}

/** One trace that was looked through. */
export interface ScannedTrace {
  readonly path: string;
  readonly runId: string;
  readonly steps: number;
  readonly findings: readonly ListedSecret[];
}

/** Of one trace no more than these are shown; JSON has all. */
const shownFindings = 50;

/**
 * Formats what was found.
 *
 * @param traces In the order in which they were looked through.
 * @param paint Emphasis.
 * @returns Lines without a trailing newline.
 */
export function formatScan(traces: readonly ScannedTrace[], paint: Paint): string {
  return traces.flatMap(({ path, runId, steps, findings }) => {
    if (findings.length === 0) return [`${path}: clean, ${counted(steps, "step")}`];
    const more = findings.length - shownFindings;
    return [
      paint.bad(`${path}: ${counted(findings.length, "finding")}`),
      ...findings.slice(0, shownFindings).map(findingLine),
      ...(more > 0 ? [`  and ${more} more`] : []),
      `  agrepl scrub ${runId} takes them out${findings.some(({ kind }) => kind === "random") ? advice : ""}`,
    ];
  }).join("\n");
}

const advice = "; what only looks random, with --redact PATTERN";

function findingLine({ seq, place, offset, bytes, start, kind }: ListedSecret): string {
  const where = `${seq === null ? "header" : `step ${seq}`}, ${printableLine(place)}, byte ${offset}`;
  const begins = start === "" ? "" : ` that begin with "${printableLine(start)}"`;
  return `  ${where}: ${counted(bytes, "byte")}${begins}${kind === "random" ? " and look random" : ""}`;
}

/**
 * Gives the same as a JSON value.
 *
 * @param traces In the order in which they were looked through.
 * @returns One object, its fields in snake_case.
 */
export function toScanJson(traces: readonly ScannedTrace[]): Record<string, unknown> {
  return { traces: traces.map(({ path, runId, steps, findings }) => ({ path, run_id: runId, steps, findings })) };
}
