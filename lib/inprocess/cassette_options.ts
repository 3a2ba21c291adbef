/**
 * What a caller may say about a cassette.
 *
 * @module
 */
import type { OnExhausted } from "../lookup/mod.ts";
import type { KeyRules, TextRule } from "../step/mod.ts";

/** Text that is replaced by a constant before a body is hashed, for some URLs only. */
export interface CassetteTextRule {
  /** A URLPattern; without it the rule holds for every URL. */
  readonly url?: string;
  /** A regular expression, or the name of a preset: `date`, `cwd`, `home`, `uuid`. */
  readonly pattern: string;
}

/** How a cassette is recorded and replayed. */
export interface CassetteOptions {
  /** Its file, or the test that it is named after. */
  readonly path: string | URL | Deno.TestContext;
  /**
   * `auto` replays a cassette that is there, and records one that is not where that is allowed; `fallback` sends what
   * the cassette does not hold to the network. `AGREPL_MODE` comes before this. Nothing is recorded where `CI` is set.
   *
   * @default {"auto"}
   */
  readonly mode?: "auto" | "replay" | "record" | "fallback";
  /** Names of query parameters that two requests may differ in. @default {[]} */
  readonly ignoreQuery?: readonly string[];
  /** Members of JSON bodies, as `POST #/metadata/id`; a star stands for any index or member. @default {[]} */
  readonly ignoreJson?: readonly string[];
  /** Texts in bodies: a preset, a regular expression, or a rule for some URLs. @default {[]} */
  readonly ignoreText?: readonly (string | CassetteTextRule)[];
  /** Patterns of secrets beside the usual ones; `false` writes everything as it is. @default {[]} */
  readonly redact?: false | readonly RegExp[];
  /** What a request gets whose recorded answers have all been served. @default {"fail"} */
  readonly onExhausted?: "fail" | "last" | "cycle";
  /** Recorded steps that are never asked for are no divergence. @default {false} */
  readonly allowUnused?: boolean;
  /** The pace of the answers: at once, as recorded, or so many times as fast. @default {"none"} */
  readonly timing?: "none" | "recorded" | number;
  /** `revoke` takes this process its network permission for good, in a replay. @default {"auto"} */
  readonly isolation?: "auto" | "revoke";
}

/** All but where the cassette is. */
export type SessionOptions = Omit<CassetteOptions, "path">;

/** The key rules that options name. */
export function toKeyRules(
  { ignoreQuery = [], ignoreJson = [], ignoreText = [] }: SessionOptions,
): KeyRules {
  const texts = ignoreText.map((rule): TextRule => typeof rule === "string" ? { pattern: rule } : rule);
  return { version: 1, ignoreQuery: [...ignoreQuery], ignoreJson: [...ignoreJson], ignoreText: texts };
}

/** A cassette's rules and those of the options; the same object when the options add nothing. */
export function joinKeyRules(recorded: KeyRules, options: SessionOptions): KeyRules {
  const added = toKeyRules(options);
  const joined = {
    version: 1,
    ignoreQuery: union(recorded.ignoreQuery, added.ignoreQuery),
    ignoreJson: union(recorded.ignoreJson, added.ignoreJson),
    ignoreText: union(recorded.ignoreText, added.ignoreText),
  } as const;
  const lists = ["ignoreQuery", "ignoreJson", "ignoreText"] as const;
  return lists.every((list) => joined[list].length === recorded[list].length) ? recorded : joined;
}

function union<Rule>(recorded: readonly Rule[], added: readonly Rule[]): readonly Rule[] {
  const known = new Set(recorded.map((rule) => JSON.stringify(rule)));
  return [...recorded, ...added.filter((rule) => !known.has(JSON.stringify(rule)))];
}

/** The pace that `timing` names. */
export function toPace(timing: CassetteOptions["timing"]): "none" | number {
  if (timing === undefined || timing === "none") return "none";
  if (timing === "recorded") return 1;
  if (Number.isFinite(timing) && timing > 0) return timing;
  throw new RangeError(`Cannot replay at the pace ${timing}: expected a factor above 0, "none" or "recorded"`);
}

/** What is done when steps are used up. */
export function toOnExhausted({ onExhausted = "fail" }: SessionOptions): OnExhausted {
  if (["fail", "last", "cycle"].includes(onExhausted)) return onExhausted;
  throw new TypeError(`Cannot use onExhausted "${onExhausted}": expected "fail", "last" or "cycle"`);
}
