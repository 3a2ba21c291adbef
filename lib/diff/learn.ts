/**
 * What rules would make runs of the same thing equal: proposed only for values that machines make, never for what a
 * model reads or says.
 *
 * @module
 */
import { type KeyContext, presetPattern } from "../key/mod.ts";
import { escapeToken } from "./_leaves.ts";
import { looksMachineMade, meaningMembers, nameOf } from "./body_rules.ts";
import { isListedSignal } from "./rules.ts";
import type { Delta } from "./tier.ts";
import type { NamedStep, StepDifference, TraceDifference } from "./trace_difference.ts";

/** Where a rule goes: noise of `diff`, or what K(s) looks past. */
export type ProposalKind = "noise" | "ignore_query" | "ignore_json" | "ignore_text";

/** One difference that a rule would take away. */
export interface Evidence {
  /** The step's number in the first run. */
  readonly seq: number;
  readonly field: string;
  readonly a: string | null;
  readonly b: string | null;
}

/** A rule that would help. */
export interface Proposal {
  readonly kind: ProposalKind;
  /** As it stands on a command line or in the configuration. */
  readonly rule: string;
  /** In how many of the pairs it differs. */
  readonly pairs: number;
  /** All that it would take away. */
  readonly evidence: readonly Evidence[];
}

/** A difference for which no rule is proposed. */
export interface Unproposed extends Evidence {
  readonly why: string;
}

/** What was learned from pairs of runs. */
export interface Learned {
  readonly proposals: readonly Proposal[];
  readonly unproposed: readonly Unproposed[];
}

/**
 * Finds the smallest set of rules for differences that carry no meaning.
 *
 * @param differences The first run against each of the others.
 * @param context What the presets `cwd` and `home` stand for.
 * @returns Rules with their evidence, and what has to stay.
 */
export function learnRules(differences: readonly TraceDifference[], context: KeyContext): Learned {
  const found = differences.flatMap(({ steps }, pair) =>
    steps.flatMap((step) => findingsOf(step, context)).map((finding) => ({ ...finding, pair }))
  );
  const drafts = found.filter((each) => "kind" in each);
  const unproposed = found.flatMap((each) => {
    if ("kind" in each) return [];
    const { pair: _, ...rest } = each;
    return [rest];
  });
  return { proposals: merged(drafts), unproposed };
}

interface Draft extends Evidence {
  readonly kind: ProposalKind;
  readonly pair: number;
  /** A name, a preset, or a pointer's tokens. */
  readonly target: string | readonly string[];
  /** Method, origin and path; `null` where the rule holds anywhere. */
  readonly scope: Scope | null;
}

interface Scope {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
}

type Finding = Omit<Draft, "pair"> | Unproposed;

function findingsOf(step: StepDifference, context: KeyContext): Finding[] {
  const named = step.a ?? step.b;
  if (named === null) return [];
  const whole = step.place?.tier === "signal" ? [lone(step, named)] : [];
  const signals = step.deltas.filter(({ tier }) => tier === "signal");
  return [...whole, ...signals.flatMap((delta) => findingOf(delta, { step, named, context }))];
}

function lone({ moved, place }: StepDifference, { seq, method, url }: NamedStep): Unproposed {
  return { seq, field: moved ? "moved" : "step", a: `${method} ${url}`, b: null, why: place?.why ?? "" };
}

interface DeltaPlace {
  readonly step: StepDifference;
  readonly named: NamedStep;
  readonly context: KeyContext;
}

function findingOf(delta: Delta, place: DeltaPlace): Finding[] {
  const { seq } = place.named;
  const { field, a, b } = delta;
  const evidence = { seq, field, a, b };
  const [, header] = /^(?:header|trailer) (.+)$/.exec(field) ?? [];
  if (header !== undefined) return [headerFinding(evidence, header)];
  const [, parameter] = /^query (.+)$/s.exec(field) ?? [];
  if (parameter !== undefined) return [queryFinding(evidence, parameter)];
  const [, event, pointer] = /^body (event \d+ )?(#\/.*)$/s.exec(field) ?? [];
  if (pointer === undefined) return [textFinding(evidence, delta, place)];
  const tokens = tokensOf(pointer);
  const inEvent = event !== undefined && tokens[0] === "data"; // a rule speaks of an event's data as of a body
  return [memberFinding(evidence, delta, { ...place, tokens: inEvent ? tokens.slice(1) : tokens })];
}

function headerFinding(evidence: Evidence, name: string): Finding {
  if (isListedSignal(name)) return { ...evidence, why: "the taxonomy lists it as signal" };
  if (!isMade(evidence.a, evidence.b)) return { ...evidence, why: notMade };
  return { ...evidence, kind: "noise", target: name, scope: null };
}

const notMade = "its values do not look as if a machine had drawn them";

function isMade(...values: readonly (string | null)[]): boolean {
  return values.every((value) => value !== null && looksMachineMade(value));
}

function queryFinding(evidence: Evidence, name: string): Finding {
  if (!isMade(evidence.a, evidence.b)) return { ...evidence, why: notMade };
  return { ...evidence, kind: "ignore_query", target: name, scope: null };
}

function tokensOf(pointer: string): string[] {
  return pointer.slice(2).split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function memberFinding(
  evidence: Evidence,
  delta: Delta,
  place: DeltaPlace & { readonly tokens: readonly string[] },
): Finding {
  const { tokens, named } = place;
  const carriesMeaning = tokens.some((token) => meaningMembers.has(nameOf(token)));
  const values = [evidence.a, evidence.b].map(plainValue);
  if (!carriesMeaning && isMade(...values)) {
    const kind = delta.part === "request" ? "ignore_json" : "noise";
    return { ...evidence, kind, target: tokens, scope: scopeOf(named) };
  }
  return textFinding(evidence, delta, place);
}

/** A member as its text: a string without its quotes. */
function plainValue(value: string | null): string | null {
  const [, text] = /^"(.*)"$/s.exec(value ?? "") ?? [];
  return text ?? value;
}

/** In what is asked, a date or a path within a text may be all that differs. */
function textFinding(evidence: Evidence, { part }: Delta, { context }: DeltaPlace): Finding {
  const { a, b } = evidence;
  if (part !== "request" || a === null || b === null) return { ...evidence, why: "it may carry meaning" };
  for (const preset of ["date", "uuid", "cwd", "home"]) {
    const pattern = presetPattern(preset, context);
    if (pattern !== null && a.replace(pattern, "") === b.replace(pattern, "")) {
      return { ...evidence, kind: "ignore_text", target: preset, scope: null };
    }
  }
  return { ...evidence, why: "it carries meaning to who reads it" };
}

function scopeOf({ method, url }: NamedStep): Scope {
  const parsed = URL.parse(url);
  return { method, origin: parsed?.origin ?? "*", path: parsed?.pathname ?? "/*" };
}

/** One rule for all drafts of one kind and target: indices that vary become a star, places that vary a wider scope. */
function merged(drafts: readonly Draft[]): Proposal[] {
  const groups = new Map<string, Draft[]>();
  for (const draft of drafts) {
    const name = JSON.stringify([draft.kind, typeof draft.target === "string" ? draft.target : shapeOf(draft.target)]);
    groups.set(name, [...groups.get(name) ?? [], draft]);
  }
  return [...groups.values()].map((group) => ({
    kind: group[0]?.kind ?? "noise",
    rule: ruleOf(group),
    pairs: new Set(group.map(({ pair }) => pair)).size,
    evidence: group.map(({ seq, field, a, b }) => ({ seq, field, a, b })),
  }));
}

function shapeOf(tokens: readonly string[]): readonly string[] {
  return tokens.map((token) => /^\d+$/.test(token) ? "*" : token);
}

function ruleOf(group: readonly Draft[]): string {
  const [first] = group;
  if (first === undefined || typeof first.target === "string") return String(first?.target ?? "");
  const all = group.flatMap(({ target }) => typeof target === "string" ? [] : [target]);
  const pointer = first.target.map((token, at) => all.every((each) => each[at] === token) ? escapeToken(token) : "*");
  return `${formatScope(group.flatMap(({ scope }) => scope === null ? [] : [scope]))}#/${pointer.join("/")}`;
}

function formatScope(scopes: readonly Scope[]): string {
  const one = (values: readonly string[]) => new Set(values).size === 1 ? values[0] : undefined;
  const origin = one(scopes.map((scope) => scope.origin));
  if (origin === undefined || origin === "*") return "";
  const method = one(scopes.map((scope) => scope.method));
  const path = one(scopes.map((scope) => scope.path));
  const where = `${origin}${path === undefined ? "/*" : path.replace(/[:*+?(){}\\]/g, "\\$&")}`;
  return `${method === undefined ? "" : `${method} `}${where} `;
}
