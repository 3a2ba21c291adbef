/**
 * A user's own patterns, as they are written down in a configuration, on a command line, in a trace's header.
 *
 * @module
 */
import type { RedactionRules } from "../step/mod.ts";
import { toLatin1Pattern } from "./pattern.ts";
import { Redactor } from "./redactor.ts";

/**
 * Reads patterns.
 *
 * @param patterns Sources of regular expressions.
 * @returns One each.
 * @throws {TypeError} when one is no regular expression, or matches where nothing is.
 */
export function compilePatterns(patterns: readonly string[]): RegExp[] {
  return patterns.map((pattern) => {
    const compiled = compile(pattern);
    toLatin1Pattern(compiled);
    if (!compiled.test("")) return compiled;
    throw new TypeError(`Cannot use pattern "${pattern}": it matches an empty text, expected one that needs something`);
  });
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch (cause) {
    throw new TypeError(`Cannot use pattern "${pattern}": it is no regular expression`, { cause });
  }
}

/**
 * Chooses the patterns that a trace's header may name: a pattern that finds itself is the secret, written out.
 *
 * @param patterns Sources of regular expressions.
 * @returns Those in which neither a rule nor one of the patterns finds anything.
 */
export function keptPatterns(patterns: readonly string[]): string[] {
  const compiled = compilePatterns(patterns);
  return patterns.filter((pattern) => new Redactor({ patterns: compiled }).text(pattern).found === 0);
}

/**
 * Makes the redactor that a trace asks for, so that a request gets the key that it got when it was recorded.
 *
 * @param rules Of the trace's header.
 * @param patterns Patterns beyond those of the header.
 * @param firstOrdinal The number of the first secret that is met.
 * @returns A redactor that has met no secret yet.
 * @throws {TypeError} when a pattern cannot be used.
 */
export function redactorFor(rules: RedactionRules, patterns: readonly string[] = [], firstOrdinal = 1): Redactor {
  const all = new Set([...rules.patterns ?? [], ...patterns]);
  return new Redactor({ patterns: compilePatterns([...all]), enabled: rules.enabled !== false, firstOrdinal });
}
