/**
 * Two traces held against each other, for a program: `schema/diff.v1.schema.json`.
 *
 * @module
 */
import type { Delta, NamedStep, StepDifference } from "../diff/mod.ts";
import type { DiffedTrace, DiffReport } from "./diff_report.ts";

/**
 * Gives a difference as a JSON value.
 *
 * @param report The two traces.
 * @returns All that differs, noise included; fields in snake_case.
 */
export function toDiffJson({ a, b, notes, run, difference }: DiffReport): Record<string, unknown> {
  const { stepsA, stepsB, matched, same, changed, steps, counts } = difference;
  return {
    kind: "diff",
    version: 1,
    a: toTraceJson(a, stepsA),
    b: toTraceJson(b, stepsB),
    notes,
    summary: { matched, same, changed, ...counts, signal: counts.signal + run.length },
    run: run.map(toDeltaJson),
    steps: steps.map(toStepJson),
  };
}

function toTraceJson({ runId, exitCode, ...trace }: DiffedTrace, steps: number): Record<string, unknown> {
  return { run_id: runId, ...trace, exit_code: exitCode, steps };
}

function toStepJson({ relation, a, b, moved, place, deltas }: StepDifference): Record<string, unknown> {
  return { relation, a: toNamedJson(a), b: toNamedJson(b), moved, place, fields: deltas.map(toDeltaJson) };
}

function toNamedJson(step: NamedStep | null): Record<string, unknown> | null {
  if (step === null) return null;
  const { latencyMs, ...named } = step;
  return { ...named, latency_ms: latencyMs };
}

function toDeltaJson({ part, field, a, b, tier, why, moved }: Delta): Record<string, unknown> {
  return { part, field, a, b, tier, why, ...(moved === true ? { moved } : {}) };
}
