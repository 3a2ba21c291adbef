/**
 * Why a request found no recorded step, in values that a report can print.
 *
 * @module
 */
import { ruleFor } from "./_rule_for.ts";
import { type ComparedRequest, type FieldChange, requestDifference } from "./request_difference.ts";

/** A recorded step that comes near to what was asked. */
export interface NearStep {
  readonly seq: number;
  readonly method: string;
  readonly url: string;
  /** What differs, recorded -> asked. */
  readonly changes: readonly FieldChange[];
}

/** A miss, explained. */
export interface MissExplanation {
  readonly key: string;
  readonly method: string;
  readonly url: string;
  readonly bodyBytes: number;
  /** How many equal steps there were, all served already. */
  readonly usedUp: number;
  /** Nearest first, three at most. */
  readonly nearest: readonly NearStep[];
  /** The option that would make the nearest step match, where there is one. */
  readonly rule: string | null;
  /** All of it in one sentence. */
  readonly reason: string;
}

/** A recorded request with its place in the trace. */
export interface Candidate extends ComparedRequest {
  readonly seq: number;
}

const nearestShown = 3;

/** Bodies are compared for this many candidates at most: a miss must not take seconds. */
const comparedCandidates = 200;

/**
 * Explains a miss by the steps that come nearest: same method, origin and path first, then the most similar body.
 *
 * @param asked The request that found no step.
 * @param miss Its key, and how many equal steps are used up.
 * @param candidates Every step of the trace.
 * @returns The explanation, in values.
 */
export function explainMiss(
  asked: ComparedRequest,
  miss: { readonly key: string; readonly usedUp: number },
  candidates: readonly Candidate[],
): MissExplanation {
  const nearest = rank(asked, candidates).slice(0, nearestShown);
  const first = nearest[0];
  const rule = miss.usedUp > 0 || first === undefined ? null : ruleFor(first.changes);
  const { key, usedUp } = miss;
  const { method, url, bodyBytes } = asked;
  return { key, method, url, bodyBytes, usedUp, nearest, rule, reason: reasonFor(usedUp, first, candidates.length) };
}

function rank(asked: ComparedRequest, candidates: readonly Candidate[]): NearStep[] {
  const place = placeOf(asked);
  const closeness = candidates.map((candidate) => ({ candidate, shared: sharedPlace(place, placeOf(candidate)) }));
  closeness.sort((a, b) => b.shared - a.shared);
  const ranked = closeness.filter((each) => each.shared > 0).slice(0, comparedCandidates).map((each) => ({
    ...each,
    difference: requestDifference(each.candidate, asked),
  }));
  ranked.sort((a, b) => b.shared - a.shared || b.difference.similarity - a.difference.similarity);
  return ranked.map(({ candidate, difference }) => ({
    seq: candidate.seq,
    method: candidate.method,
    url: candidate.url,
    changes: difference.changes,
  }));
}

interface Place {
  readonly method: string;
  readonly host: string;
  readonly path: string;
}

function placeOf(request: ComparedRequest): Place {
  const url = URL.parse(request.url);
  return { method: request.method, host: url?.host ?? "", path: url?.pathname ?? request.url };
}

/** The same host weighs most: the same path of another host is seldom what was meant. */
function sharedPlace(a: Place, b: Place): number {
  return (a.host === b.host ? 4 : 0) + (a.path === b.path ? 2 : 0) +
    (a.host === b.host && a.method === b.method ? 1 : 0);
}

function reasonFor(usedUp: number, near: NearStep | undefined, recorded: number): string {
  if (usedUp > 0) {
    const times = usedUp === 1 ? "once" : `${usedUp} times`;
    return `The same request was recorded ${times} and has been served as often: --on-exhausted last repeats the last answer`;
  }
  if (recorded === 0) return "The trace holds no step";
  if (near === undefined) return "No recorded step goes to that host or path";
  const fields = near.changes.map((each) => each.field);
  const shown = fields.slice(0, 3).join(", ") + (fields.length > 3 ? ` and ${fields.length - 3} more` : "");
  return `The nearest recorded step is ${near.seq}; what differs: ${shown === "" ? "bytes that are not text" : shown}`;
}
