/**
 * The taxonomy at work: which tier a difference is of, by the user's rules first and then by the tables.
 *
 * @module
 */
import type { JsonPointer } from "../key/mod.ts";
import { compileRules } from "../key/mod.ts";
import { defaultKeyRules } from "../step/mod.ts";
import { PatternTable, toPattern } from "./_patterns.ts";
import { type BodyRule, bodyRules, meantMembers, nameOf } from "./body_rules.ts";
import { type CookieRule, cookieRules } from "./cookie_rules.ts";
import { type HeaderRule, headerRules } from "./header_rules.ts";
import type { Verdict } from "./tier.ts";

/**
 * What a user adds to the tables. A rule is a header's name (`x-build-*`), a cookie's (`set-cookie/visitor`), a trailer's
 * the same way, or `[METHOD ][URLPattern ]#/pointer` for a member of a body, in which a star stands for any member or
 * index.
 */
export interface DiffRules {
  readonly noise: readonly string[];
  /** Goes before `noise`, and before all tables. */
  readonly signal: readonly string[];
}

/** The request that a body belongs to: rules may be for some only. */
export interface RuledRequest {
  readonly method: string;
  readonly url: string;
}

interface UserRule {
  readonly tier: "signal" | "noise";
  readonly text: string;
}

interface UserHeaderRule extends UserRule {
  readonly pattern: RegExp;
}

interface UserBodyRule extends UserRule {
  readonly method: string | null;
  readonly url: URLPattern | null;
  readonly pointer: JsonPointer;
}

/** Rules ready for use; made by {@link compileDiffRules}. */
export interface CompiledDiffRules {
  /** As they were written. */
  readonly rules: DiffRules;
  /** Users' rules for headers, signal first. */
  readonly headers: readonly UserHeaderRule[];
  /** Users' rules for bodies, signal first. */
  readonly members: readonly UserBodyRule[];
}

const headerTable = new PatternTable<HeaderRule>(headerRules);
const cookieTable = new PatternTable<CookieRule>(cookieRules);
const bodyTable = new PatternTable<BodyRule>(bodyRules);

/**
 * Reads a user's rules.
 *
 * @param rules As they stand in the configuration or on the command line.
 * @returns The rules ready for use.
 * @throws {TypeError} when one is neither a header's name nor a pointer; the message names it.
 */
export function compileDiffRules(rules: DiffRules): CompiledDiffRules {
  const all = [
    ...rules.signal.map((text) => ruleOf("signal", text)),
    ...rules.noise.map((text) => ruleOf("noise", text)),
  ];
  return {
    rules,
    headers: all.flatMap((rule) => "pattern" in rule ? [rule] : []),
    members: all.flatMap((rule) => "pointer" in rule ? [rule] : []),
  };
}

/** No rules but the tables. */
export const tablesOnly: CompiledDiffRules = compileDiffRules({ noise: [], signal: [] });

function ruleOf(tier: "signal" | "noise", text: string): UserHeaderRule | UserBodyRule {
  if (text.includes("#")) {
    const [rule] = compileRules({ ...defaultKeyRules, ignoreJson: [text] }, { cwd: "", home: "" }).json;
    if (rule !== undefined) return { tier, text, ...rule };
  }
  if (/^[\w!$%&'*+.^`|~-]+(?:\/[^\s;,=]+)?$/.test(text)) return { tier, text, pattern: toPattern(text.trim(), "i") };
  throw new TypeError(
    `Cannot read diff rule "${text}": expected a header as "x-build-*", a cookie as "set-cookie/name", ` +
      `or a member of a body as "[METHOD ][URLPattern ]#/pointer"`,
  );
}

/** A header that differs. */
export interface HeaderDifference {
  /** Lower case; `set-cookie/NAME` for a cookie, `cookie/NAME` for one that is sent. */
  readonly name: string;
  readonly a: string | null;
  readonly b: string | null;
  /** Whether a body came with it, in one of them at least. */
  readonly besideBody: boolean;
}

const inOneRun = "only one run has it, and it is not listed as signal";

/**
 * Gives the tier of a header's difference (paper V-B): listed noise, listed signal with absence included, a cookie or
 * another header in one run only, the rest.
 *
 * @param header What differs.
 * @param rules The user's rules.
 * @returns Tier and reason.
 */
export function headerVerdict(header: HeaderDifference, rules: CompiledDiffRules): Verdict {
  const { name, a, b } = header;
  const own = rules.headers.find(({ pattern }) => pattern.test(name));
  if (own !== undefined) return { tier: own.tier, why: `your rule "${own.text}"` };
  if (name.includes("/")) return cookieVerdict(header);
  const listed = headerTable.find(name).find((rule) => holds(rule, header));
  if (listed !== undefined) return { tier: listed.tier, why: `${listed.why} (${listed.source})` };
  if (a === null || b === null) return { tier: "removed", why: inOneRun };
  return { tier: "signal", why: "no line of the taxonomy calls it noise" };
}

function cookieVerdict({ name, a, b }: HeaderDifference): Verdict {
  if (a === null || b === null) return { tier: "removed", why: "a cookie that only one run has" };
  const [listed] = cookieTable.find(name.slice(name.indexOf("/") + 1));
  if (listed === undefined) return { tier: "signal", why: "no line of the taxonomy calls this cookie noise" };
  return { tier: "noise", why: `${listed.why} (${listed.source})` };
}

function holds({ beside, value }: HeaderRule, { a, b, besideBody }: HeaderDifference): boolean {
  if (beside === "body" && !besideBody) return false;
  return value === undefined || [a, b].every((each) => each === null || value.test(each));
}

/**
 * Tells whether a header is one that is always named, even where it is equal (paper, Table I: Server).
 *
 * @param name Lower case.
 */
export function isListedSignal(name: string): boolean {
  return headerTable.find(name)[0]?.tier === "signal";
}

/** Tells of one value in a body whether it is noise, and why; `null` when nothing calls it so. */
export type MemberVerdict = (path: readonly string[], value: unknown) => Verdict | null;

/**
 * Makes the judge of one body's members.
 *
 * @param request Whose body it is, or whose answer's.
 * @param rules The user's rules.
 * @returns A function of a value's path and the value; the value may be `undefined` for a member that is not there.
 */
export function memberVerdict({ method, url }: RuledRequest, { members }: CompiledDiffRules): MemberVerdict {
  const own = members.filter((rule) =>
    (rule.method === null || rule.method === method) && (rule.url?.test(url) ?? true)
  );
  return (path, value) => {
    const rule = own.find(({ pointer }) => names(pointer, path));
    if (rule !== undefined) return { tier: rule.tier, why: `your rule "${rule.text}"` };
    // Of a tool or a function that was recorded as a step the whole body is arguments, or what they led to.
    return method === "TOOL" || method === "SYSTEM" ? null : tableVerdict(path, value);
  };
}

/** A pointer names a value and all that is in it. */
function names(pointer: JsonPointer, path: readonly string[]): boolean {
  return pointer.length <= path.length && pointer.every((token, at) => token === "*" || token === path[at]);
}

function tableVerdict(path: readonly string[], value: unknown): Verdict | null {
  const name = path.at(-1);
  if (name === undefined || (typeof value !== "string" && typeof value !== "number")) return null;
  const rules = bodyTable.find(nameOf(name));
  if (rules.length === 0 || isMeant(path)) return null;
  const text = String(value);
  const rule = rules.find(({ shape }) => shape.test(text));
  return rule === undefined ? null : { tier: "noise", why: `${rule.why} (${rule.source})` };
}

/** At the top `input` is a conversation (OpenAI Responses), whose items hand ids on; deeper it is a tool's arguments. */
function isMeant(path: readonly string[]): boolean {
  return path.slice(0, -1).some((each, at) => meantMembers.has(nameOf(each)) && (at > 0 || each !== "input"));
}
