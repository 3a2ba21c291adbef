/**
 * Members of JSON bodies that differ on every request and say nothing, as data: by name *and* by shape, never by one
 * alone.
 *
 * @module
 */

/** One line: members of a kind. */
export interface BodyRule {
  /** As {@link nameOf} spells them: lower case, without `_` and `-`, so that `createdAt` is `created_at`. */
  readonly names: readonly string[];
  /** What the value must look like; a number as JSON writes it. */
  readonly shape: RegExp;
  readonly why: string;
  /** Whose bodies have it. */
  readonly source: string;
}

const uuid = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}";
const ulid = "[0-7][0-9A-HJKMNP-TV-Z]{25}";
/** Letters of both cases and digits in one run, or hexadecimal digits: no word, no version, no date looks like that. */
const mixed = "(?=[A-Za-z0-9]*\\d)(?=[A-Za-z0-9]*[A-Z])(?=[A-Za-z0-9]*[a-z])[A-Za-z0-9]{12,}";
/** One such run in sixty has no digit; then capitals stand where no camelCase has them. */
const tossed = "(?=[A-Za-z]*?[A-Z]{2})(?=(?:[A-Za-z]*?[a-z][A-Z]){3})[A-Za-z]{20,}";
const hexRun = "(?=[0-9a-f]*\\d)(?=\\d*[a-f])[0-9a-f]{16,}";
/** `chatcmpl-…`, `msg_…`, `msg_bdrk_…`, `gen-1776503553-…`: a vendor's prefix, and one run behind it. */
const prefixed = `[A-Za-z]{1,14}(?:[_-][a-z0-9]{1,12})?[_-](?:${uuid}|${mixed}|${tossed}|${hexRun})`;
/** Prefixes that nothing but an id has: behind them any run will do, one in hundreds looks like a word. */
const vendors = "(?:chatcmpl|cmpl|msg|resp|rs|fc|call|toolu|srvtoolu|req|run|gen)[_-][A-Za-z0-9]{16,}";
/** Not 40 or 64 digits: those are hashes of a content, in git and elsewhere, and say which. */
const hex = `(?!.{40}$|.{64}$)${hexRun}`;
/** Base64url, in which a run is long. */
const random =
  "(?=[A-Za-z0-9_-]*[A-Za-z0-9]{12})(?=[A-Za-z0-9_-]*\\d)(?=[A-Za-z0-9_-]*[A-Z])(?=[A-Za-z0-9_-]*[a-z])[A-Za-z0-9_-]{20,64}";
/** No id is longer; a hostile value would cost time. */
const drawn = new RegExp(
  `^(?=.{10,100}$)(?:${uuid}|${uuid.replaceAll("0-9a-f", "0-9A-F")}|${ulid}|${prefixed}|${vendors}|${hex}|${random})$`,
);
const number = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const duration = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?: ?(?:ns|us|µs|ms|s))?$/;
/** ISO 8601 with a time of day, an HTTP date, or seconds to nanoseconds since 1970, of this century. */
const moment =
  /^(?:\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?|[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT|[12]\d{9}(?:\.\d+)?|[12]\d{12}(?:\.\d+)?|[12]\d{15}|[12]\d{18})$/;
const opaque = /^[A-Za-z0-9+/_=-]{40,}$/;

/** All lines. */
export const bodyRules: readonly BodyRule[] = [
  {
    names: ["id", "uuid", "guid", "ulid"],
    shape: drawn,
    why: "an id drawn anew for each answer",
    source: "OpenAI chatcmpl-…, Anthropic msg_…, Stripe, UUIDs (RFC 9562)",
  },
  {
    names: [
      "requestid",
      "xrequestid",
      "traceid",
      "spanid",
      "parentid",
      "correlationid",
      "transactionid",
      "operationid",
    ],
    shape: /^[\w.:;/+=-]{8,}$/,
    why: "names one request",
    source: "AWS, Azure, Anthropic, W3C Trace Context",
  },
  {
    names: [
      "responseid",
      "generationid",
      "messageid",
      "runid",
      "eventid",
      "itemid",
      "callid",
      "toolcallid",
      "tooluseid",
      "previousresponseid",
      "sessionid",
      "invocationid",
      "logid",
    ],
    shape: drawn,
    why: "an id drawn anew for each answer, or one handed on",
    source: "OpenAI, Anthropic, Gemini, Cohere, Bedrock",
  },
  {
    names: ["created", "createdat", "createtime", "creationtime"],
    shape: moment,
    why: "when the answer was made",
    source: "OpenAI, Ollama, Gemini, REST APIs",
  },
  {
    names: [
      "updatedat",
      "modifiedat",
      "startedat",
      "completedat",
      "finishedat",
      "processedat",
      "generatedat",
      "servedat",
      "requestedat",
      "respondedat",
      "receivedat",
      "fetchedat",
      "cachedat",
      "expiresat",
      "lastseen",
      "lastseenat",
      "timestamp",
      "servertime",
      "responsetimestamp",
      "now",
      "iat",
      "exp",
      "nbf",
    ],
    shape: moment,
    why: "a moment that moves on",
    source: "OpenAI Responses, REST APIs, RFC 7519",
  },
  {
    names: ["systemfingerprint"],
    shape: /^fp_[\w-]+$/,
    why: "which build of the vendor's backend answered",
    source: "OpenAI, xAI, DeepSeek",
  },
  {
    names: ["obfuscation"],
    shape: /^[A-Za-z0-9]{0,64}$/,
    why: "padding against the measuring of lengths",
    source: "OpenAI: stream_options.include_obfuscation",
  },
  { names: ["sequencenumber"], shape: number, why: "the number of one event of a stream", source: "OpenAI Responses" },
  {
    names: ["signature", "thoughtsignature", "encryptedcontent"],
    shape: opaque,
    why: "sealed by the vendor, anew each time",
    source: "Anthropic thinking, Gemini thought signatures, OpenAI reasoning items",
  },
  {
    names: [
      "cachedtokens",
      "cachereadinputtokens",
      "cachecreationinputtokens",
      "cachedcontenttokencount",
      "ephemeral5minputtokens",
      "ephemeral1hinputtokens",
    ],
    shape: number,
    why: "how warm the vendor's cache was",
    source: "OpenAI, Anthropic, Gemini",
  },
  {
    names: ["totalduration", "loadduration", "promptevalduration", "evalduration"],
    shape: number,
    why: "how long it took",
    source: "Ollama",
  },
  {
    names: ["queuetime", "prompttime", "completiontime", "totaltime"],
    shape: duration,
    why: "how long it took",
    source: "Groq",
  },
  {
    names: [
      "took",
      "elapsed",
      "elapsedms",
      "elapsedtime",
      "processingms",
      "processingtime",
      "processingtimems",
      "responsetime",
      "responsetimems",
      "latency",
      "latencyms",
      "querytime",
      "executiontime",
    ],
    shape: duration,
    why: "how long it took",
    source: "Elasticsearch, Algolia, Bedrock, REST APIs",
  },
];

/**
 * Below a member of one of these names nothing is noise: what a model calls a tool with, and what it is offered.
 * Spelled as {@link nameOf} does.
 */
export const meantMembers: ReadonlySet<string> = new Set([
  "arguments",
  "args",
  "input",
  "parameters",
  "inputschema",
  "properties",
  "streamed",
]);

/**
 * Members that a model reads, or that say what it is to do: no rule is ever proposed for one, nor for what is below it.
 * Spelled as {@link nameOf} does.
 */
export const meaningMembers: ReadonlySet<string> = new Set([
  ...meantMembers,
  "content",
  "text",
  "prompt",
  "system",
  "instructions",
  "tools",
  "functions",
  "function",
  "functioncall",
  "toolchoice",
  "name",
  "role",
  "model",
  "description",
  "title",
  "query",
  "message",
  "parts",
  "temperature",
  "seed",
  "topp",
  "topk",
  "maxtokens",
  "maxcompletiontokens",
  "stop",
  "stopsequences",
  "responseformat",
  "params",
  "result",
  "error",
]);

/**
 * Brings a member's name into the one spelling that rules use.
 *
 * @param name In any case: `created_at`, `createdAt`, `CreatedAt`.
 * @returns `createdat`.
 */
export function nameOf(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}

/** What machines make and nobody means: ids, moments, durations, sealed texts; each value by its looks alone. */
const machineMade: readonly RegExp[] = [
  drawn,
  moment,
  opaque,
  /^(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}$/,
  /^\d+(?:\.\d+)? ?(?:ns|us|µs|ms|s)$/,
  /^\d{9,}$/,
];

/**
 * Tells whether a value looks as if a machine had made it: the only kind of value that a rule is ever proposed for.
 *
 * @param value A header's value, a parameter's, or a member's as text.
 */
export function looksMachineMade(value: string): boolean {
  return machineMade.some((shape) => shape.test(value));
}
