import { canonicalJson } from "../key/mod.ts";
import { isTooDeep } from "./_leaves.ts";

/** Two values to be compared by their structure. */
export interface ParsedPair {
  readonly a: unknown;
  readonly b: unknown;
  /** The texts may differ in what no value holds: members that stand twice, lone surrogates. */
  readonly lossy: boolean;
}

/**
 * Parses two texts, if both are JSON objects or arrays that can be compared by their structure.
 *
 * @returns `null` for anything else, and for more than 256 levels.
 */
export function parseBoth(a: string, b: string): ParsedPair | null {
  if (!mayBeJson(a) || !mayBeJson(b)) return null;
  try {
    const plain = { a: JSON.parse(a), b: JSON.parse(b), lossy: false };
    if (isTooDeep(plain.a) || isTooDeep(plain.b)) return null;
    const lossy = canonicalJson(a) === null || canonicalJson(b) === null;
    return lossy ? { a: parseKeeping(a), b: parseKeeping(b), lossy } : plain;
  } catch {
    return null; // SyntaxError is the parser's only way to say "not JSON"
  }
}

function mayBeJson(text: string): boolean {
  return /^\s*[{[]/.test(text);
}

type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;
/** What TypeScript's own types do not know yet: a number's spelling (ES2026, JSON.parse source text access). */
const parseWith: (text: string, reviver: Reviver) => unknown = JSON.parse;

/** Numbers that no double carries become their digits, so that two of them can be told apart. */
function parseKeeping(text: string): unknown {
  return parseWith(text, (_, value, context) => {
    const source = context?.source;
    return typeof value === "number" && source !== undefined && source.length >= 16 ? source : value;
  });
}
