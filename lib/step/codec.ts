/**
 * One trace line as text, and back. The only place that knows the snake_case names of the disk.
 *
 * @module
 */
import { convertLine, currentVersion } from "./_convert.ts";
import {
  asChunk,
  asHeader,
  asString,
  FieldError,
  isObject,
  type JsonObject,
  readCount,
  readList,
  readNumber,
  readObject,
  readOneOf,
  readString,
  unknownFields,
} from "./_fields.ts";
import type {
  Body,
  KeyRules,
  More,
  RecordedError,
  RecordedRequest,
  RecordedResponse,
  Step,
  TextRule,
  TraceEnd,
  TraceHeader,
  TraceLine,
} from "./step.ts";
import { type LinePlace, TraceFormatError } from "./trace_format_error.ts";

const streamEnds = ["complete", "client_closed", "upstream_reset", "timeout", "interrupted", "open"] as const;
const httpVersions = ["1.0", "1.1", "2"] as const;

/**
 * Writes a line as JSON text, in the order of fields that the format's page shows.
 *
 * @param line Header, step, continuation or end.
 * @returns One line without its newline; JSON escapes every newline inside.
 */
export function formatLine(line: TraceLine): string {
  switch (line.kind) {
    case "trace":
      return JSON.stringify(encodeHeader(line));
    case "step":
      return JSON.stringify(encodeStep(line));
    case "more":
      return JSON.stringify(encodeMore(line));
    case "end":
      return JSON.stringify(encodeEnd(line));
  }
}

/**
 * Reads a line, checking every field that something here relies on.
 *
 * @param text One line, without its newline.
 * @param place Where it stands, for the error.
 * @param version The version that the trace's header names.
 * @returns The line; fields that are not known stand in `unknown`.
 * @throws {TraceFormatError} when the line is not JSON, lacks a field, or its version is newer than this agrepl.
 */
export function parseLine(text: string, place: LinePlace, version: number = currentVersion): TraceLine {
  try {
    return decodeLine(convertLine(parseObject(text), version));
  } catch (error) {
    if (error instanceof FieldError) throw new TraceFormatError(place, error.message);
    if (error instanceof RangeError) throw new TraceFormatError(place, error.message, "newer_version");
    throw error;
  }
}

function parseObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new FieldError("line", "one whole JSON object", text.slice(0, 40));
  }
  if (!isObject(value)) throw new FieldError("line", "one whole JSON object", value);
  return value;
}

function decodeLine(from: JsonObject): TraceLine {
  switch (readOneOf(from, "kind", ["trace", "step", "more", "end"])) {
    case "trace":
      return decodeHeader(from);
    case "step":
      return decodeStep(from);
    case "more":
      return decodeMore(from);
    case "end":
      return decodeEnd(from);
  }
}

const headerFields = new Set(
  ["kind", "version", "run_id", "name", "command", "cwd", "timestamp", "agrepl", "env", "key", "redaction"],
);

function encodeHeader(header: TraceHeader): JsonObject {
  return {
    kind: "trace",
    version: header.version,
    run_id: header.runId,
    name: header.name,
    command: header.command,
    cwd: header.cwd,
    timestamp: header.timestamp,
    agrepl: header.agrepl,
    env: header.env,
    key: {
      version: header.key.version,
      ignore_query: header.key.ignoreQuery,
      ignore_json: header.key.ignoreJson,
      ignore_text: header.key.ignoreText,
    },
    redaction: header.redaction,
    ...header.unknown,
  };
}

function decodeHeader(from: JsonObject): TraceHeader {
  const redaction = readObject(from, "redaction");
  if (redaction["version"] !== 1) throw new RangeError(newer("redaction rules", redaction["version"], from));
  return {
    kind: "trace",
    version: 1,
    runId: readString(from, "run_id"),
    name: from["name"] === null || from["name"] === undefined ? null : readString(from, "name"),
    command: readList(from, "command", asString),
    cwd: readString(from, "cwd"),
    timestamp: readString(from, "timestamp"),
    agrepl: readString(from, "agrepl"),
    env: readList(from, "env", asString),
    key: decodeKeyRules(from),
    redaction: { version: 1 },
    ...unknownPart(from, headerFields),
  };
}

function decodeKeyRules(from: JsonObject): KeyRules {
  const key = readObject(from, "key");
  if (key["version"] !== 1) throw new RangeError(newer("key rules", key["version"], from));
  return {
    version: 1,
    ignoreQuery: readList(key, "ignore_query", asString),
    ignoreJson: readList(key, "ignore_json", asString),
    ignoreText: readList(key, "ignore_text", asTextRule),
  };
}

function newer(what: string, version: unknown, from: JsonObject): string {
  return `its ${what} are of version ${JSON.stringify(version)}, this agrepl knows 1: ` +
    `install agrepl ${JSON.stringify(from["agrepl"] ?? "latest")} or later`;
}

function asTextRule(item: unknown): TextRule | undefined {
  if (!isObject(item) || typeof item["pattern"] !== "string") return undefined;
  const { url, pattern } = item;
  if (url === undefined) return { pattern };
  return typeof url === "string" ? { url, pattern } : undefined;
}

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

function encodeStep(step: Step): JsonObject {
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
    ...(step.error === undefined ? {} : { error: step.error }),
    ...step.unknown,
  };
}

function decodeStep(from: JsonObject): Step {
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
    request: decodeRequest(readObject(from, "request")),
    ...(from["response"] === undefined ? {} : { response: decodeResponse(readObject(from, "response")) }),
    ...(from["error"] === undefined ? {} : { error: decodeError(readObject(from, "error")) }),
    ...unknownPart(from, stepFields),
  };
}

const requestFields = new Set(["method", "url", "http_version", "headers", "body", "decoded", "trailers"]);

function encodeRequest(request: RecordedRequest): JsonObject {
  return {
    method: request.method,
    url: request.url,
    http_version: request.httpVersion,
    headers: request.headers,
    body: request.body,
    ...(request.decoded === true ? { decoded: true } : {}),
    ...(request.trailers === undefined ? {} : { trailers: request.trailers }),
    ...request.unknown,
  };
}

function decodeRequest(from: JsonObject): RecordedRequest {
  return {
    method: readString(from, "method"),
    url: readString(from, "url"),
    httpVersion: readOneOf(from, "http_version", httpVersions),
    headers: readList(from, "headers", asHeader),
    body: decodeBodyField(from),
    ...(from["decoded"] === true ? { decoded: true } : {}),
    ...(from["trailers"] === undefined ? {} : { trailers: readList(from, "trailers", asHeader) }),
    ...unknownPart(from, requestFields),
  };
}

const responseFields = new Set([
  "status",
  "status_text",
  "http_version",
  "headers",
  "body",
  "decoded",
  "chunks",
  "trailers",
  "end",
]);

function encodeResponse(response: RecordedResponse): JsonObject {
  return {
    status: response.status,
    status_text: response.statusText,
    http_version: response.httpVersion,
    headers: response.headers,
    body: response.body,
    ...(response.decoded === true ? { decoded: true } : {}),
    chunks: response.chunks,
    trailers: response.trailers,
    end: response.end,
    ...response.unknown,
  };
}

function decodeResponse(from: JsonObject): RecordedResponse {
  const status = readCount(from, "status");
  if (status < 100 || status > 999) throw new FieldError("status", "a number from 100 to 999", status);
  return {
    status,
    statusText: readString(from, "status_text"),
    httpVersion: readOneOf(from, "http_version", httpVersions),
    headers: readList(from, "headers", asHeader),
    body: decodeBodyField(from),
    ...(from["decoded"] === true ? { decoded: true } : {}),
    chunks: readList(from, "chunks", asChunk),
    trailers: readList(from, "trailers", asHeader),
    end: readOneOf(from, "end", streamEnds),
    ...unknownPart(from, responseFields),
  };
}

function decodeError(from: JsonObject): RecordedError {
  return {
    phase: readOneOf(from, "phase", ["dns", "connect", "tls", "read"]),
    code: readString(from, "code"),
    message: readString(from, "message"),
  };
}

function decodeBodyField(from: JsonObject): Body {
  const body = from["body"];
  if (body === null) return null;
  if (!isObject(body)) throw new FieldError("body", "null, or an object with text, base64 or blob", body);
  if (typeof body["text"] === "string") return { text: body["text"] };
  if (typeof body["base64"] === "string") return { base64: body["base64"] };
  const blob = readString(body, "blob");
  // The address becomes a file's name, so nothing but a digest may pass.
  if (!/^sha256:[0-9a-f]{64}$/.test(blob)) throw new FieldError("blob", '"sha256:" and 64 hexadecimal digits', blob);
  return { blob, bytes: readCount(body, "bytes") };
}

const moreFields = new Set(["kind", "seq", "chunks", "body", "trailers", "end"]);

function encodeMore(more: More): JsonObject {
  return {
    kind: "more",
    seq: more.seq,
    chunks: more.chunks,
    body: more.body,
    ...(more.trailers === undefined ? {} : { trailers: more.trailers }),
    end: more.end,
    ...more.unknown,
  };
}

function decodeMore(from: JsonObject): More {
  return {
    kind: "more",
    seq: readCount(from, "seq"),
    chunks: readList(from, "chunks", asChunk),
    body: decodeBodyField(from),
    ...(from["trailers"] === undefined ? {} : { trailers: readList(from, "trailers", asHeader) }),
    end: readOneOf(from, "end", streamEnds),
    ...unknownPart(from, moreFields),
  };
}

const endFields = new Set(["kind", "status", "exit_code", "steps", "duration_ms", "digest"]);

function encodeEnd(end: TraceEnd): JsonObject {
  return {
    kind: "end",
    status: end.status,
    exit_code: end.exitCode,
    steps: end.steps,
    duration_ms: end.durationMs,
    digest: end.digest,
    ...end.unknown,
  };
}

function decodeEnd(from: JsonObject): TraceEnd {
  return {
    kind: "end",
    status: readOneOf(from, "status", ["completed", "failed", "interrupted"]),
    exitCode: from["exit_code"] === null ? null : readNumber(from, "exit_code"),
    steps: readCount(from, "steps"),
    durationMs: readNumber(from, "duration_ms"),
    digest: readString(from, "digest"),
    ...unknownPart(from, endFields),
  };
}

function unknownPart(from: JsonObject, known: ReadonlySet<string>): { unknown?: JsonObject } {
  const unknown = unknownFields(from, known);
  return unknown === undefined ? {} : { unknown };
}
