/**
 * A miss, for reading: what was asked, what came near, what would make it match.
 *
 * @module
 */
import type { FieldChange, MissExplanation, NearStep } from "../diff/mod.ts";
import type { Paint } from "./paint.ts";
import { counted, formatBytes, printableLine } from "./text.ts";

const changesShown = 6;

/**
 * Formats a miss over several lines: of the nearest step what differs, the others by name.
 *
 * @param miss The explanation.
 * @param paint Emphasis.
 * @returns Lines without a trailing newline.
 */
export function formatMiss(miss: MissExplanation, paint: Paint): string {
  const [nearest, ...others] = nearestOf(miss);
  const near = nearest === undefined ? [] : changeLines(nearest, changesShown, paint);
  const also = others.map((other) => paint.dim(`  also near: step ${other.seq} ${nameOf(other)}, ${differing(other)}`));
  return [...headLines(miss, paint), ...near, ...also, ...ruleLines(miss, paint)].join("\n");
}

/**
 * Formats a miss with all that is known of it: each of the nearest steps with every field that differs.
 *
 * @param miss The explanation.
 * @param paint Emphasis.
 * @returns Lines without a trailing newline.
 */
export function formatWholeMiss(miss: MissExplanation, paint: Paint): string {
  const near = nearestOf(miss).flatMap((step) => [
    `  step ${step.seq} ${nameOf(step)}`,
    ...changeLines(step, step.changes.length, paint),
  ]);
  return [...headLines(miss, paint), ...near, ...ruleLines(miss, paint)].join("\n");
}

/** Steps that were used up are the same as what was asked: nothing differs. */
function nearestOf({ usedUp, nearest }: MissExplanation): readonly NearStep[] {
  return usedUp > 0 ? [] : nearest;
}

function headLines(miss: MissExplanation, paint: Paint): string[] {
  const body = miss.bodyBytes === 0 ? "" : ` (${formatBytes(miss.bodyBytes)})`;
  return [`${paint.bad("miss")} ${paint.bold(nameOf(miss))}${body}`, `  ${printableLine(miss.reason)}`];
}

function ruleLines({ rule }: MissExplanation, paint: Paint): string[] {
  return rule === null ? [] : [`  to make it match: ${paint.bold(printableLine(rule))}`];
}

function nameOf({ method, url }: { readonly method: string; readonly url: string }): string {
  return `${printableLine(method)} ${printableLine(url)}`;
}

function differing({ changes }: NearStep): string {
  if (changes.length === 0) return "bytes that are not text differ";
  return `${counted(changes.length, "field")} ${changes.length === 1 ? "differs" : "differ"}`;
}

function changeLines(near: NearStep, most: number, paint: Paint): string[] {
  const lines = near.changes.slice(0, most).map((change) => `    ${formatChange(change, paint)}`);
  const rest = near.changes.length - most;
  if (rest > 0) lines.push(paint.dim(`    … and ${rest} more`));
  return lines;
}

function formatChange({ field, recorded, asked }: FieldChange, paint: Paint): string {
  const show = (value: string | null) => value === null ? paint.dim("(absent)") : printableLine(value);
  return `${printableLine(field)}: ${show(recorded)} ${paint.dim("->")} ${show(asked)}`;
}
