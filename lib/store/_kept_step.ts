import { type ComparedBody, type ComparedResponse, type ComparedStep, stepDifference } from "../diff/mod.ts";
import { tablesOnly, textBody } from "../diff/mod.ts";
import { canonicalLimitBytes, decodeContent } from "../key/mod.ts";
import {
  type Body,
  decodeBody,
  decodeUtf8,
  type Header,
  type KeyRules,
  type RecordedResponse,
  type Step,
} from "../step/mod.ts";

/**
 * Tells whether two recordings of one question were answered alike: a diff of them shows no signal.
 *
 * @param a A step whose bodies stand in its line.
 * @param b Another with the same key.
 * @param keyRules By which both keys were made.
 */
export function isAnsweredAlike(a: Step, b: Step, keyRules: KeyRules): boolean {
  // These decide what a replay serves, whatever a diff makes of them.
  const asked = ({ type, optional = false, request }: Step) => `${type} ${optional} ${request.httpVersion}`;
  if (asked(a) !== asked(b)) return false;
  const deltas = stepDifference(toCompared(a), toCompared(b), { rules: tablesOnly, keyRules, sameKey: true });
  return deltas.every(({ tier }) => tier !== "signal");
}

/** Words as ids are made of; what is shorter is no id. */
const word = /[\w-]{4,}/g;

/**
 * Gives the words that an answer says, and that a later question may repeat.
 *
 * @param step A step whose bodies stand in its line.
 */
export function answerWords({ response }: Step): Set<string> {
  if (response === undefined) return new Set();
  const { headers, body, frames } = comparedResponse(response);
  const texts = [
    ...headers.map(([, value]) => value),
    body.text ?? "",
    ...frames.map((frame) => frame.body.text ?? ""),
  ];
  return new Set(texts.flatMap((text) => text.match(word) ?? []));
}

/**
 * Gives the words of a question, as far as its key depends on them.
 *
 * @param step A step whose bodies stand in its line.
 */
export function questionWords({ request }: Step): string[] {
  const texts = [decodeURIComponentIfValid(request.url), comparedBody(request).text ?? ""];
  return texts.flatMap((text) => text.match(word) ?? []);
}

function decodeURIComponentIfValid(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // an escape that is none: it stands as it is
  }
}

function toCompared(step: Step): ComparedStep {
  const { seq, type, latencyMs, request, response, error } = step;
  return {
    seq,
    type,
    optional: step.optional === true,
    beganMs: 0,
    latencyMs,
    httpVersion: response?.httpVersion ?? request.httpVersion,
    method: request.method,
    url: request.url,
    request: { headers: request.headers, body: comparedBody(request) },
    response: response === undefined ? null : comparedResponse(response),
    error: error ?? null,
  };
}

function comparedResponse(response: RecordedResponse): ComparedResponse {
  const { status, statusText, headers, trailers, end, resetCode, frames = [] } = response;
  return {
    status,
    statusText,
    headers,
    trailers,
    end: resetCode === undefined ? end : `${end} ${resetCode}`,
    body: comparedBody(response),
    frames: frames.map(([, from, opcode, payload]) => ({ from, opcode, body: plainBody(bytesOf(payload)) })),
  };
}

interface StoredMessage {
  readonly headers: readonly Header[];
  readonly body: Body;
  readonly decoded?: boolean;
}

function comparedBody({ headers, body, decoded }: StoredMessage): ComparedBody {
  const bytes = bytesOf(body);
  if (decoded === true) return plainBody(bytes);
  const codings = headers.filter(([name]) => name.toLowerCase() === "content-encoding").map(([, value]) => value);
  return plainBody(decodeContent(bytes, codings.join(","), canonicalLimitBytes) ?? bytes);
}

function plainBody(bytes: Uint8Array): ComparedBody {
  const text = bytes.length > canonicalLimitBytes ? null : decodeUtf8(bytes);
  return text === null ? { bytes: bytes.length, text, pieces: () => [bytes] } : textBody(text, bytes.length);
}

/** A cassette has no blobs. */
function bytesOf(body: Body): Uint8Array {
  if (body === null || "blob" in body) return new Uint8Array(0);
  if (!("parts" in body)) return decodeBody(body);
  const pieces = body.parts.map(bytesOf);
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
