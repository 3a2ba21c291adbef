/**
 * A step that was written in several lines, as one value.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { decodeBody, encodeBody } from "./body.ts";
import type { Body, BodyPart, More, RecordedResponse, ResponseEnd, Step } from "./step.ts";

/**
 * Puts a step and the lines that go on with it together.
 *
 * @param step The step's own line.
 * @param more The lines that go on with it, in the order of the trace.
 * @returns The step as if it had been written in one line; its end is `open` where the lines break off.
 *
 * @example A stream that was written in two lines
 * ```ts
 * import { joinStep, type More, type Step } from "@agrepl/core";
 * import { deepEqual, equal } from "node:assert/strict";
 *
 * const head = { httpVersion: "1.1", headers: [] } as const;
 * const step: Step = {
 *   kind: "step",
 *   seq: 0,
 *   type: "HTTP",
 *   key: "0".repeat(64),
 *   timestamp: "2026-11-20T09:12:33.120Z",
 *   latencyMs: 2000,
 *   ttfbMs: 10,
 *   request: { ...head, method: "GET", url: "https://api.example.com/", body: null },
 *   response: { ...head, status: 200, statusText: "OK", body: { text: "a" }, chunks: [[12, 1]], trailers: [], end: "open" },
 * };
 * const more: More = { kind: "more", seq: 0, latencyMs: 3000, chunks: [[2900, 1]], body: { text: "b" }, end: "complete" };
 * const { latencyMs, response } = joinStep(step, [more]);
 * deepEqual([response?.body, response?.end], [{ text: "ab" }, "complete"]);
 * equal(latencyMs, 3000);
 * ```
 */
export function joinStep(step: Step, more: readonly More[]): Step {
  const { response } = step;
  if (response === undefined || more.length === 0) return step;
  const latencyMs = more.findLast((each) => each.latencyMs !== undefined)?.latencyMs ?? step.latencyMs;
  return { ...step, latencyMs, response: joinResponse(response, more) };
}

function joinResponse(response: RecordedResponse, more: readonly More[]): RecordedResponse {
  const all = [response, ...more];
  const last: ResponseEnd = more.at(-1) ?? response;
  // A message in fragments stands behind what passed in the meantime: time is the order of passing.
  const frames = all.flatMap((each) => each.frames ?? []).sort(([a], [b]) => a - b);
  return {
    ...response,
    body: joinBodies(all.map((each) => each.body)),
    chunks: all.flatMap((each) => each.chunks),
    trailers: all.flatMap((each) => each.trailers ?? []),
    end: last.end,
    ...(last.resetCode === undefined ? {} : { resetCode: last.resetCode }),
    ...(last.unreadable === undefined ? {} : { unreadable: last.unreadable }),
    ...(all.some((each) => each.frames !== undefined) ? { frames } : {}),
  };
}

/** Inline neighbours become one: only then can a character that was cut in two be text again. */
function joinBodies(bodies: readonly Body[]): Body {
  const joined: BodyPart[] = [];
  let inline: Uint8Array[] = [];
  const endInline = () => {
    const body = encodeBody(Buffer.concat(inline));
    inline = [];
    if (body !== null) joined.push(body);
  };
  for (const part of bodies.flatMap(partsOf)) {
    if (!("blob" in part)) inline.push(decodeBody(part));
    else {
      endInline();
      joined.push(part);
    }
  }
  endInline();
  const [first = null] = joined;
  return joined.length > 1 ? { parts: joined } : first;
}

function partsOf(body: Body): readonly BodyPart[] {
  if (body === null) return [];
  return "parts" in body ? body.parts : [body];
}
