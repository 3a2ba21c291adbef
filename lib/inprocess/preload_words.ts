/**
 * What the command line and a preload in its child tell each other: an order on the way in, an outcome on the way out.
 *
 * @module
 */
import type { CountedMiss, ReplayOutcome } from "../engine/mod.ts";
import type { CassetteOptions } from "./cassette_options.ts";

/** The variable that holds the order. */
export const preloadVariable = "AGREPL_PRELOAD";

/** What a program is to be replayed from. */
export interface PreloadOrder extends Omit<CassetteOptions, "path" | "mode" | "isolation" | "redact" | "allowUnused"> {
  /** The trace's file, absolute. */
  readonly trace: string;
  /** The root of the store that holds its blobs; without one the trace is self-contained. */
  readonly store?: string;
  /** Where the outcome goes, absolute. */
  readonly report: string;
  /** Variables that keys and redaction depend on, for a program that may not read its own; without them it asks. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The program is not to start where Deno does not deny it the whole network. @default {false} */
  readonly offline?: boolean;
}

/**
 * Writes an order as the variable's value.
 *
 * @param order What a program is to be replayed from.
 */
export function formatPreloadOrder(order: PreloadOrder): string {
  return JSON.stringify(order);
}

/**
 * Reads the variable.
 *
 * @param text Its value; `undefined` where it is not set.
 * @throws {TypeError} when it is no order.
 */
export function parsePreloadOrder(text: string | undefined): PreloadOrder {
  if (text === undefined || text === "") {
    throw new TypeError(`Cannot replay this program: ${preloadVariable} is not set, expected agrepl to have set it`);
  }
  const order: unknown = parseJson(text);
  if (isOrder(order)) return order;
  throw new TypeError(
    `Cannot replay this program: ${preloadVariable} is no order, expected JSON with trace and report`,
  );
}

function isOrder(value: unknown): value is PreloadOrder {
  if (typeof value !== "object" || value === null || !("trace" in value) || !("report" in value)) return false;
  return typeof value.trace === "string" && typeof value.report === "string";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // said by who asked
  }
}

/**
 * Writes how a program's replay went.
 *
 * @param outcome So far.
 */
export function formatPreloadOutcome(outcome: ReplayOutcome): string {
  return `${JSON.stringify({ version: 1, ...outcome, differences: [...outcome.differences] })}\n`;
}

/**
 * Reads what {@link formatPreloadOutcome} wrote.
 *
 * @param text The report's content.
 * @throws {TypeError} when it is none: the program ended before it could tell.
 */
export function parsePreloadOutcome(text: string): ReplayOutcome {
  const value = parseJson(text) as WrittenOutcome | null; // by a preload of this version, of which `version` is the proof
  if (typeof value !== "object" || value === null || value.version !== 1) {
    throw new TypeError("Cannot read the outcome of a replay: it is none, expected what a preload writes");
  }
  const { version: _version, differences, ...counts } = value;
  return { ...counts, differences: new Map(differences) };
}

interface WrittenOutcome extends Omit<ReplayOutcome, "differences"> {
  readonly version: number;
  readonly misses: readonly CountedMiss[];
  readonly differences: readonly (readonly [number, string])[];
}
