import { type CassetteOptions, toOnExhausted, toPace } from "./cassette_options.ts";

/** Gives what is wrong with a value, as what was expected; `null` when it is right. */
type Rule = (value: unknown) => string | null;

/** Each option, and what it may be; `mode` is checked where `AGREPL_MODE` is, and `path` where it becomes one. */
const rules: Readonly<Record<keyof CassetteOptions, Rule>> = {
  path: () => null,
  mode: () => null,
  ignoreQuery: listOf("strings", isString),
  ignoreJson: listOf("strings", isString),
  ignoreText: listOf('strings or objects as { url: "…", pattern: "…" }', (rule) => isString(rule) || isTextRule(rule)),
  redact: (value) => value === false ? null : listOf("RegExps, or false", (each) => each instanceof RegExp)(value),
  onExhausted: oneOf("fail", "last", "cycle"),
  allowUnused: (value) => typeof value === "boolean" ? null : "true or false",
  timing: (value) =>
    typeof value === "number" ? null : oneOf("none", "recorded")(value) && '"none", "recorded" or a factor',
  isolation: oneOf("auto", "revoke"),
};

/**
 * Brings what a caller says about a cassette into one form.
 *
 * @param cassette Options, or only where the cassette is.
 * @param fn What is to be recorded or replayed.
 * @throws {TypeError} when one of them is none; the message names it.
 */
export function checkedOptions(cassette: unknown, fn: unknown): CassetteOptions {
  const options = toOptions(cassette);
  for (const [name, value] of Object.entries(options)) checkOption(name, value);
  toOnExhausted(options);
  toPace(options.timing);
  if (typeof fn === "function") return options;
  throw new TypeError(`Cannot use ${shown(fn)} as what is recorded: expected a function, as withReplay(path, fn)`);
}

function toOptions(cassette: unknown): CassetteOptions {
  if (typeof cassette === "string" || cassette instanceof URL || isTest(cassette)) return { path: cassette };
  if (isObject(cassette) && "path" in cassette) {
    const { path } = cassette;
    if (typeof path === "string" || path instanceof URL || isTest(path)) return { ...cassette, path };
    throw new TypeError(
      `Cannot use ${shown(path)} as a cassette's path: expected a path, a file: URL or a test's context`,
    );
  }
  const problem = isObject(cassette) ? "options without a path" : shown(cassette);
  throw new TypeError(`Cannot use ${problem} as a cassette: expected a path, a file: URL, a test's context or options`);
}

function checkOption(name: string, value: unknown): void {
  if (!Object.hasOwn(rules, name)) {
    const names = Object.keys(rules).join(", ");
    throw new TypeError(`Cannot use option "${name}": there is none of that name, expected one of ${names}`);
  }
  if (value === undefined) return;
  const expected = rules[name as keyof CassetteOptions](value); // hasOwn says so
  if (expected !== null) throw new TypeError(`Cannot use ${shown(value)} for ${name}: expected ${expected}`);
}

function isTest(value: unknown): value is Deno.TestContext {
  return isObject(value) && isString(value["name"]) && isString(value["origin"]) && typeof value["step"] === "function";
}

function isTextRule(rule: unknown): boolean {
  return isObject(rule) && isString(rule["pattern"]) && (rule["url"] === undefined || isString(rule["url"]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function listOf(what: string, isOne: (value: unknown) => boolean): Rule {
  return (value) => Array.isArray(value) && value.every(isOne) ? null : `a list of ${what}`;
}

function oneOf(...values: readonly string[]): Rule {
  const [last, ...others] = values.map((value) => `"${value}"`).toReversed();
  const list = `${others.toReversed().join(", ")} or ${last}`;
  return (value) => values.some((each) => each === value) ? null : list;
}

/** A value in a message: short, and on one line. */
function shown(value: unknown): string {
  if (typeof value === "string") return `"${value.slice(0, 80)}"`;
  if (typeof value === "function") return "a function";
  if (!isObject(value)) return String(value);
  return Array.isArray(value) ? `a list` : `an object`;
}
