/**
 * Where two steps differ, field by field.
 *
 * @module
 */
import { normalizeUrl } from "../key/mod.ts";
import type { KeyRules } from "../step/mod.ts";
import { bodyDifference } from "./body_difference.ts";
import type { ComparedResponse, ComparedStep, ReadableMessage } from "./compared.ts";
import { excerpt } from "./excerpt.ts";
import { frameDifference } from "./frame_difference.ts";
import { headerDifference } from "./header_difference.ts";
import { type CompiledDiffRules, type MemberVerdict, memberVerdict } from "./rules.ts";
import { type Delta, type DeltaPart, keptCharacters, type Verdict } from "./tier.ts";

/** How steps are compared. */
export interface StepOptions {
  readonly rules: CompiledDiffRules;
  /** By which the keys of both were made. */
  readonly keyRules: KeyRules;
  /** Both have one key: what still differs in what was asked, K(s) looks past. */
  readonly sameKey: boolean;
  /** Name those fields too that are listed as signal and are the same. @default {false} */
  readonly withEqual?: boolean;
}

/**
 * Compares two steps: what was asked, and what came back.
 *
 * @param a The first.
 * @param b The second.
 * @param options How.
 * @returns What differs, in the order of the messages' parts.
 */
export function stepDifference(a: ComparedStep, b: ComparedStep, options: StepOptions): Delta[] {
  const verdict = memberVerdict({ method: a.method, url: a.url }, options.rules);
  return [...requestDeltas(a, b, { ...options, verdict }), ...answerDeltas(a, b, { ...options, verdict })];
}

interface Judged extends StepOptions {
  readonly verdict: MemberVerdict;
}

function requestDeltas(a: ComparedStep, b: ComparedStep, options: Judged): Delta[] {
  const asked = [
    ...urlDeltas(a.url, b.url, options),
    ...headerDeltas(a.request, b.request, "request", options),
    ...bodyDifference(a.request, b.request, { part: "request", name: "body", verdict: options.verdict }),
  ];
  return options.sameKey ? asked.map((delta) => isKeyed(delta) ? { ...delta, ...past } : delta) : asked;
}

const past: Verdict = { tier: "noise", why: "K(s) looks past it" };

/** Of a request the key holds method, URL and body; headers it does not. */
function isKeyed({ field }: Delta): boolean {
  return !field.startsWith("header ");
}

function urlDeltas(a: string, b: string, { keyRules }: StepOptions): Delta[] {
  if (a === b) return [];
  const [first, second] = [queryOf(a), queryOf(b)];
  const [keyedA, keyedB] = [queryOf(normalizeUrl(a, keyRules)), queryOf(normalizeUrl(b, keyRules))];
  return [...new Set([...first.keys(), ...second.keys()])].flatMap((name): Delta[] => {
    const [before, after] = [first.get(name) ?? null, second.get(name) ?? null];
    if (before === after) return [];
    const verdict: Verdict = keyedA.has(name) || keyedB.has(name)
      ? { tier: "signal", why: "another value of what is asked" }
      : past;
    return [{ part: "request", field: `query ${name}`, ...excerpt(before, after, keptCharacters), ...verdict }];
  });
}

/** Repeats are joined: they differ or they do not. */
function queryOf(url: string): Map<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of URL.parse(url)?.searchParams ?? []) {
    const before = query.get(name);
    query.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return query;
}

function headerDeltas(a: ReadableMessage, b: ReadableMessage, part: DeltaPart, options: Judged): Delta[] {
  const besideBody = a.body.bytes > 0 || b.body.bytes > 0;
  const { rules, withEqual = false } = options;
  return headerDifference(a.headers, b.headers, { part, kind: "header", besideBody, rules, withEqual });
}

function answerDeltas(a: ComparedStep, b: ComparedStep, options: Judged): Delta[] {
  const protocol: Delta[] = a.httpVersion === b.httpVersion ? [] : [{
    part: "response",
    field: "protocol",
    a: `HTTP/${a.httpVersion}`,
    b: `HTTP/${b.httpVersion}`,
    tier: "noise",
    why: "how it was carried; what was said is compared",
  }];
  if (a.response !== null && b.response !== null) {
    return [...responseDeltas(a.response, b.response, options), ...protocol];
  }
  const [first, second] = [outcomeOf(a), outcomeOf(b)];
  if (first === second) return protocol;
  return [{ part: "response", field: "error", a: first, b: second, tier: "signal", why: "the network failed" }];
}

function outcomeOf({ response, error }: ComparedStep): string | null {
  if (error !== null) return `${error.phase} ${error.code}`;
  return response === null ? null : statusOf(response);
}

function statusOf({ status, statusText }: ComparedResponse): string {
  return `${status} ${statusText}`.trim();
}

function responseDeltas(a: ComparedResponse, b: ComparedResponse, options: Judged): Delta[] {
  const { rules, verdict, withEqual = false } = options;
  const body = bodyDifference(a, b, { part: "response", name: "body", verdict });
  return [
    ...statusDeltas(a, b, withEqual),
    ...headerDeltas(a, b, "response", options),
    ...body,
    ...headerDifference(a.trailers, b.trailers, {
      part: "response",
      kind: "trailer",
      besideBody: true,
      rules,
      withEqual,
    }),
    ...frameDifference(a.frames, b.frames, verdict),
    ...endDeltas(a, b, !body.some(({ tier }) => tier === "signal")),
  ];
}

function statusDeltas(a: ComparedResponse, b: ComparedResponse, withEqual: boolean): Delta[] {
  const values = { part: "response", field: "status", a: statusOf(a), b: statusOf(b) } as const;
  if (a.status !== b.status) return [{ ...values, tier: "signal", why: "how it went (paper V-B)" }];
  return withEqual ? [{ ...values, tier: "equal", why: "listed as signal, and the same in both" }] : [];
}

function endDeltas(a: ComparedResponse, b: ComparedResponse, saidTheSame: boolean): Delta[] {
  if (a.end === b.end) return [];
  const enough = saidTheSame && [a.end, b.end].sort().join() === "client_closed,complete";
  const verdict: Verdict = enough
    ? { tier: "noise", why: "the client hung up when it had all of it" }
    : { tier: "signal", why: "how the stream ended" };
  return [{ part: "response", field: "end", a: a.end, b: b.end, ...verdict }];
}
