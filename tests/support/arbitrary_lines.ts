/** Every line that a trace may hold, for property tests. */

import fc from "fast-check";
import type {
  Body,
  BodyPart,
  Chunk,
  Frame,
  Header,
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
  UnknownFields,
} from "../../lib/step/mod.ts";

const text = fc.oneof(fc.string({ unit: "binary", maxLength: 12 }), fc.constant("\ud800 is no character"));
const ms = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const count = fc.nat();
const hex = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 64, maxLength: 64 });

// A name that no version of the format will take, but for the two that JavaScript treats in its own way.
const unknownName = fc.oneof(text.map((name) => `x-${name}`), fc.constantFrom("__proto__", "constructor"));
const unknown: fc.Arbitrary<UnknownFields> = fc
  .array(fc.tuple(unknownName, fc.jsonValue({ maxDepth: 2 })), { minLength: 1, maxLength: 3 })
  .map((fields) => JSON.parse(JSON.stringify(Object.fromEntries(fields)))); // -0 is no JSON

type Fields<Value> = { readonly [Name in keyof Value]?: fc.Arbitrary<Exclude<Value[Name], undefined>> };

/** An object with all of the first fields, some of the second, and perhaps unknown ones. */
function record<Value extends object>(
  required: Fields<Value>,
  optional: Fields<Value> = {},
): fc.Arbitrary<Value> {
  const model: Record<string, fc.Arbitrary<unknown>> = { ...required, ...optional, unknown };
  return fc.record(model, { requiredKeys: Object.keys(required), noNullPrototype: true })
    .map((fields) => fields as Value);
}

const anyPart: fc.Arbitrary<BodyPart> = fc.oneof(
  record<Extract<BodyPart, { text: string }>>({ text }),
  record<Extract<BodyPart, { base64: string }>>({ base64: fc.base64String() }),
  record<Extract<BodyPart, { blob: string }>>({ blob: hex.map((digits) => `sha256:${digits}`), bytes: count }),
);

export const anyBody: fc.Arbitrary<Body> = fc.oneof(
  fc.constant(null),
  anyPart,
  record<Extract<Body, { parts: unknown }>>({ parts: fc.array(anyPart, { maxLength: 3 }) }),
);

const headers = fc.array(fc.tuple(text, text) as fc.Arbitrary<Header>, { maxLength: 3 });
const chunks = fc.array(fc.tuple(ms, count) as fc.Arbitrary<Chunk>, { maxLength: 3 });
const deflated = anyPart.map((part) => ({ ...part, deflated: true as const }));
const frames: fc.Arbitrary<Frame[]> = fc.array(
  fc.tuple(ms, fc.constantFrom("client" as const, "server" as const), fc.nat(15), fc.oneof(anyBody, deflated)),
  { maxLength: 3 },
);
const httpVersion = fc.constantFrom("1.0" as const, "1.1" as const, "2" as const);
const end = fc.constantFrom(
  ...(["complete", "client_closed", "upstream_reset", "timeout", "interrupted", "open"] as const),
);
const yes = fc.constant(true);

const request = record<RecordedRequest>(
  { method: text, url: fc.webUrl(), httpVersion, headers, body: anyBody },
  { decoded: yes, trailers: headers },
);
const response = record<RecordedResponse>(
  {
    status: fc.integer({ min: 100, max: 999 }),
    statusText: text,
    httpVersion,
    headers,
    body: anyBody,
    chunks,
    trailers: headers,
    end,
  },
  { decoded: yes, frames, resetCode: count, unreadable: text },
);
const error = record<RecordedError>(
  { phase: fc.constantFrom("dns", "connect", "tls", "read"), code: text, message: text },
  { resetCode: count },
);

const stepFields = {
  kind: fc.constant("step" as const),
  seq: count,
  type: fc.constantFrom("LLM" as const, "HTTP" as const, "TOOL" as const, "SYSTEM" as const),
  key: hex,
  timestamp: text,
  latencyMs: ms,
  ttfbMs: fc.option(ms),
  request,
};

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  record<Step>({ ...stepFields, response }, { optional: yes }),
  record<Step>({ ...stepFields, error }, { optional: yes }),
);

export const anyMore: fc.Arbitrary<More> = record<More>(
  { kind: fc.constant("more"), seq: count, chunks, body: anyBody, end },
  { latencyMs: ms, trailers: headers, frames },
);

const keyRules = record<KeyRules>({
  version: fc.constant(1),
  ignoreQuery: fc.array(text, { maxLength: 2 }),
  ignoreJson: fc.array(text, { maxLength: 2 }),
  ignoreText: fc.array(record<TextRule>({ pattern: text }, { url: text }), { maxLength: 2 }),
});

export const anyHeader: fc.Arbitrary<TraceHeader> = record<TraceHeader>({
  kind: fc.constant("trace"),
  version: fc.constant(1),
  runId: text,
  name: fc.option(text),
  command: fc.array(text, { maxLength: 3 }),
  cwd: text,
  timestamp: text,
  agrepl: text,
  env: fc.array(text, { maxLength: 3 }),
  key: keyRules,
  redaction: record<TraceHeader["redaction"]>({ version: fc.constant(1) }),
});

export const anyEnd: fc.Arbitrary<TraceEnd> = record<TraceEnd>({
  kind: fc.constant("end"),
  status: fc.constantFrom("completed", "failed", "interrupted"),
  exitCode: fc.option(fc.integer().map((code) => code + 0)),
  steps: count,
  durationMs: ms,
  digest: hex.map((digits) => `sha256:${digits}`),
});

/** A line of any kind. */
export const anyLine: fc.Arbitrary<TraceLine> = fc.oneof(anyHeader, anyStep, anyMore, anyEnd);
