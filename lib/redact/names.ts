/**
 * Decides by its name whether a value is a secret.
 *
 * @module
 */
import { type HeaderMode, headerRules, nameRules, type Place, type When } from "./rules.ts";
import type { NameRule } from "./rules.ts";

const rulesByName: ReadonlyMap<string, readonly NameRule[]> = indexRules();

const wordsByName = new Map<string, string>();
const maxCachedNames = 1000;

/** Names longer than this are not looked at. */
export const maxNameLength = 64;

/**
 * The last words of all names, none ending in another: an anchor that every key-like name ends with.
 *
 * @returns Literal lower-case words.
 */
export function lastWords(): string[] {
  const words = new Set([...rulesByName.keys()].map((name) => name.slice(name.lastIndexOf("_") + 1)));
  return [...words].filter((word) => ![...words].some((other) => other !== word && word.endsWith(other)));
}

/**
 * Looks a name up in the table.
 *
 * @param name As it was written: `apiKey`, `X-Amz-Signature`, `OPENAI_API_KEY`.
 * @param place Where it was met.
 * @param host The URL's host in lower case, where there is one.
 * @returns When its value is a secret, or `null`.
 */
export function secretWhen(name: string, place: Place, host = ""): When | null {
  const words = wordsOf(name);
  let found: When | null = null;
  for (let at = 0; at >= 0 && found !== "always"; at = words.indexOf("_", at) + 1 || -1) {
    for (const rule of rulesByName.get(words.slice(at)) ?? []) {
      const when = rule.where[place];
      if (when === undefined || (at > 0 && !rule.prefixed) || !isHostOf(host, rule.hosts)) continue;
      found = found === "always" ? found : when;
    }
  }
  return found;
}

/**
 * Looks a header up in the table.
 *
 * @param name In any case.
 * @returns How its value is replaced, or `null` for a header like any other.
 */
export function headerMode(name: string): HeaderMode | null {
  const lower = name.toLowerCase();
  for (const rule of headerRules) {
    for (const pattern of rule.names) {
      const hit = pattern.startsWith("*") ? lower.endsWith(pattern.slice(1)) : lower === pattern;
      if (hit) return rule.mode;
    }
  }
  return null;
}

/** Few names make up most of what is asked: those of the bodies at hand. */
function wordsOf(name: string): string {
  const known = wordsByName.get(name);
  if (known !== undefined) return known;
  const words = toWords(name);
  if (wordsByName.size >= maxCachedNames) wordsByName.clear();
  wordsByName.set(name, words);
  return words;
}

/** `apiKey`, `API-Key` and `X.APIKey` become `api_key`, `api_key` and `x_api_key`. */
function toWords(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/[-.]/g, "_")
    .toLowerCase();
}

function isHostOf(host: string, hosts: readonly string[] | undefined): boolean {
  return hosts === undefined || hosts.some((other) => host === other || host.endsWith("." + other));
}

function indexRules(): Map<string, NameRule[]> {
  const index = new Map<string, NameRule[]>();
  for (const rule of nameRules) {
    for (const name of rule.names) index.set(name, [...(index.get(name) ?? []), rule]);
  }
  return index;
}
