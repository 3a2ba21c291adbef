/** Steps as traces that are compared, without a file. */

import {
  type ComparedStep,
  type ComparedTrace,
  tablesOnly,
  textBody,
  type TraceDifference,
  traceDifference,
} from "../../lib/diff/mod.ts";
import { type Body, decodeBody, defaultKeyRules, type Step } from "../../lib/step/mod.ts";

/** Compares two runs by the tables alone. */
export function differenceOf(a: readonly Step[], b: readonly Step[], withEqual = false): TraceDifference {
  return traceDifference(inMemory(a), inMemory(b), { rules: tablesOnly, keyRules: defaultKeyRules, withEqual });
}

/** Makes a trace of steps with inline bodies in plain text. */
export function inMemory(steps: readonly Step[]): ComparedTrace {
  return { keys: steps.map(({ key }) => key), step: (index) => comparedStep(steps[index]) };
}

function comparedStep(step: Step | undefined): ComparedStep {
  if (step === undefined) throw new RangeError("Cannot read a step: there is none of that index");
  const { seq, type, timestamp, latencyMs, optional = false, request, response, error } = step;
  return {
    seq,
    type,
    optional,
    latencyMs,
    beganMs: Date.parse(timestamp),
    httpVersion: request.httpVersion,
    method: request.method,
    url: request.url,
    request: { headers: request.headers, body: comparedBody(request.body) },
    response: response === undefined ? null : { ...response, body: comparedBody(response.body), frames: [] },
    error: error ?? null,
  };
}

function comparedBody(body: Body) {
  if (body !== null && ("blob" in body || "parts" in body)) throw new TypeError("Cannot read a body: it is not inline");
  return textBody(new TextDecoder().decode(decodeBody(body)));
}
