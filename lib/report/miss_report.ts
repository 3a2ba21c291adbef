/**
 * A miss, for reading: what was asked, what came near, what would make it match.
 *
 * @module
 */
import type { FieldChange, MissExplanation, NearStep } from "../diff/mod.ts";
import type { Paint } from "./paint.ts";
import { formatBytes, printableLine } from "./text.ts";

const changesShown = 6;

/**
 * Formats a miss over several lines.
 *
 * @param miss The explanation.
 * @param paint Emphasis.
 * @returns Lines without a trailing newline.
 */
export function formatMiss(miss: MissExplanation, paint: Paint): string {
  const body = miss.bodyBytes === 0 ? "" : ` (${formatBytes(miss.bodyBytes)})`;
  const lines = [
    `${paint.bad("miss")} ${paint.bold(`${printableLine(miss.method)} ${printableLine(miss.url)}`)}${body}`,
  ];
  lines.push(`  ${printableLine(miss.reason)}`);
  const nearest = miss.usedUp > 0 ? undefined : miss.nearest[0];
  if (nearest !== undefined) lines.push(...nearLines(nearest, paint));
  if (miss.rule !== null) lines.push(`  to make it match: ${paint.bold(printableLine(miss.rule))}`);
  return lines.join("\n");
}

function nearLines(near: NearStep, paint: Paint): string[] {
  const lines = near.changes.slice(0, changesShown).map((change) => `    ${formatChange(change, paint)}`);
  const rest = near.changes.length - changesShown;
  if (rest > 0) lines.push(paint.dim(`    … and ${rest} more`));
  return lines;
}

function formatChange({ field, recorded, asked }: FieldChange, paint: Paint): string {
  const show = (value: string | null) => value === null ? paint.dim("(absent)") : printableLine(value);
  return `${printableLine(field)}: ${show(recorded)} ${paint.dim("->")} ${show(asked)}`;
}
