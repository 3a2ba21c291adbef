import { readRules } from "./_convert.ts";
import {
  isObject,
  type ItemKind,
  type JsonObject,
  readCount,
  readList,
  readNumber,
  readOneOf,
  readString,
  stringItem,
  unknownPart,
  within,
} from "./_fields.ts";
import type { KeyRules, RedactionRules, TextRule, TraceEnd, TraceHeader } from "./step.ts";

const headerFields = new Set(
  ["kind", "version", "run_id", "name", "command", "cwd", "timestamp", "agrepl", "env", "key", "redaction"],
);

/** Writes the first line. */
export function encodeHeader(header: TraceHeader): JsonObject {
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
    key: encodeKeyRules(header.key),
    redaction: encodeRedaction(header.redaction),
    ...header.unknown,
  };
}

/** Reads the first line, which a converter has brought up to the current version. */
export function decodeHeader(from: JsonObject): TraceHeader {
  return {
    kind: "trace",
    version: 1,
    runId: readString(from, "run_id"),
    name: from["name"] === null || from["name"] === undefined ? null : readString(from, "name"),
    command: readList(from, "command", stringItem),
    cwd: readString(from, "cwd"),
    timestamp: readString(from, "timestamp"),
    agrepl: readString(from, "agrepl"),
    env: readList(from, "env", stringItem),
    key: decodeKeyRules(readRules(from, "key")),
    redaction: decodeRedaction(readRules(from, "redaction")),
    ...unknownPart(from, headerFields),
  };
}

const redactionFields = new Set(["version", "patterns", "enabled"]);

function encodeRedaction({ version, patterns, enabled, unknown }: RedactionRules): JsonObject {
  return {
    version,
    ...(patterns === undefined ? {} : { patterns }),
    ...(enabled === undefined ? {} : { enabled }),
    ...unknown,
  };
}

function decodeRedaction(from: JsonObject): RedactionRules {
  return within("redaction", () => ({
    version: 1,
    ...(from["patterns"] === undefined ? {} : { patterns: readList(from, "patterns", stringItem) }),
    ...(from["enabled"] === false ? { enabled: false } : {}),
    ...unknownPart(from, redactionFields),
  }));
}

const keyFields = new Set(["version", "ignore_query", "ignore_json", "ignore_text"]);

function encodeKeyRules(key: KeyRules): JsonObject {
  return {
    version: key.version,
    ignore_query: key.ignoreQuery,
    ignore_json: key.ignoreJson,
    ignore_text: key.ignoreText.map(encodeTextRule),
    ...key.unknown,
  };
}

function decodeKeyRules(from: JsonObject): KeyRules {
  return within("key", () => ({
    version: 1,
    ignoreQuery: readList(from, "ignore_query", stringItem),
    ignoreJson: readList(from, "ignore_json", stringItem),
    ignoreText: readList(from, "ignore_text", textRuleItem),
    ...unknownPart(from, keyFields),
  }));
}

const textRuleFields = new Set(["url", "pattern"]);

function encodeTextRule({ url, pattern, unknown }: TextRule): JsonObject {
  return { ...(url === undefined ? {} : { url }), pattern, ...unknown };
}

const textRuleItem: ItemKind<TextRule> = {
  expected: "an object with a pattern, and perhaps a url",
  read(item) {
    if (!isObject(item) || typeof item["pattern"] !== "string") return undefined;
    const { url, pattern } = item;
    const unknown = unknownPart(item, textRuleFields);
    if (url === undefined) return { pattern, ...unknown };
    return typeof url === "string" ? { url, pattern, ...unknown } : undefined;
  },
};

const endFields = new Set(["kind", "status", "exit_code", "steps", "duration_ms", "digest"]);

/** Writes the last line. */
export function encodeEnd(end: TraceEnd): JsonObject {
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

/** Reads the last line. */
export function decodeEnd(from: JsonObject): TraceEnd {
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
