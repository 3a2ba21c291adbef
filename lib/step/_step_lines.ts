import {
  chunkItem,
  FieldError,
  headerItem,
  type JsonObject,
  readCount,
  readList,
  readNumber,
  readOneOf,
  readString,
  readWithin,
  unknownPart,
} from "./_fields.ts";
import {
  decodeBodyField,
  decodeEndOf,
  decodeError,
  decodeFrames,
  decodeRequest,
  decodeResponse,
  encodeBodyField,
  encodeEndOf,
  encodeError,
  encodeFrames,
  encodeRequest,
  encodeResponse,
} from "./_messages.ts";
import type { More, Step } from "./step.ts";

const stepFields = new Set([
  "kind",
  "seq",
  "type",
  "key",
  "timestamp",
  "latency_ms",
  "ttfb_ms",
  "optional",
  "request",
  "response",
  "error",
]);

/** Writes a step. */
export function encodeStep(step: Step): JsonObject {
  return {
    kind: "step",
    seq: step.seq,
    type: step.type,
    key: step.key,
    timestamp: step.timestamp,
    latency_ms: step.latencyMs,
    ttfb_ms: step.ttfbMs,
    ...(step.optional === true ? { optional: true } : {}),
    request: encodeRequest(step.request),
    ...(step.response === undefined ? {} : { response: encodeResponse(step.response) }),
    ...(step.error === undefined ? {} : { error: encodeError(step.error) }),
    ...step.unknown,
  };
}

/** Reads a step. */
export function decodeStep(from: JsonObject): Step {
  if (from["response"] === undefined && from["error"] === undefined) {
    throw new FieldError("response", "an object, or an error in its place", undefined);
  }
  const key = readString(from, "key");
  if (!/^[0-9a-f]{64}$/.test(key)) throw new FieldError("key", "64 hexadecimal digits", key);
  return {
    kind: "step",
    seq: readCount(from, "seq"),
    type: readOneOf(from, "type", ["LLM", "HTTP", "TOOL", "SYSTEM"]),
    key,
    timestamp: readString(from, "timestamp"),
    latencyMs: readNumber(from, "latency_ms"),
    ttfbMs: from["ttfb_ms"] === null ? null : readNumber(from, "ttfb_ms"),
    ...(from["optional"] === true ? { optional: true } : {}),
    request: readWithin(from, "request", decodeRequest),
    ...(from["response"] === undefined ? {} : { response: readWithin(from, "response", decodeResponse) }),
    ...(from["error"] === undefined ? {} : { error: readWithin(from, "error", decodeError) }),
    ...unknownPart(from, stepFields),
  };
}

const moreFields = new Set([
  "kind",
  "seq",
  "latency_ms",
  "chunks",
  "body",
  "trailers",
  "frames",
  "end",
  "reset_code",
  "unreadable",
]);

/** Writes a continuation. */
export function encodeMore(more: More): JsonObject {
  return {
    kind: "more",
    seq: more.seq,
    ...(more.latencyMs === undefined ? {} : { latency_ms: more.latencyMs }),
    chunks: more.chunks,
    body: encodeBodyField(more.body),
    ...(more.trailers === undefined ? {} : { trailers: more.trailers }),
    ...encodeFrames(more),
    ...encodeEndOf(more),
    ...more.unknown,
  };
}

/** Reads a continuation: one of a WebSocket needs neither chunks nor a body. */
export function decodeMore(from: JsonObject): More {
  const framed = from["frames"] !== undefined;
  return {
    kind: "more",
    seq: readCount(from, "seq"),
    chunks: framed && from["chunks"] === undefined ? [] : readList(from, "chunks", chunkItem),
    body: framed && from["body"] === undefined ? null : decodeBodyField(from),
    ...(from["latency_ms"] === undefined ? {} : { latencyMs: readNumber(from, "latency_ms") }),
    ...(from["trailers"] === undefined ? {} : { trailers: readList(from, "trailers", headerItem) }),
    ...decodeFrames(from),
    ...decodeEndOf(from),
    ...unknownPart(from, moreFields),
  };
}
