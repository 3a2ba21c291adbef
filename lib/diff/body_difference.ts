/**
 * Where two bodies differ: JSON by structure, event streams put together, text by lines or words, bytes by their hash.
 *
 * @module
 */
import { headerValue } from "../step/mod.ts";
import { bytesDifference } from "./_bytes_difference.ts";
import { escapeToken, isTooDeep } from "./_leaves.ts";
import type { ComparedBody, ReadableMessage } from "./compared.ts";
import { parseEvents, parseJsonLines, reassemble } from "./event_stream.ts";
import { excerpt } from "./excerpt.ts";
import { type JsonChange, jsonDifference } from "./json_difference.ts";
import { parseBoth } from "./_parse_both.ts";
import type { MemberVerdict } from "./rules.ts";
import { textDifference } from "./text_difference.ts";
import { type Delta, type DeltaPart, keptCharacters, type Verdict } from "./tier.ts";

/** How bodies are compared. */
export interface BodyOptions {
  readonly part: DeltaPart;
  /** What the fields are called: `body`, `server`, `server message 2`. */
  readonly name: string;
  readonly verdict: MemberVerdict;
}

/** More places than this are not read; the last line says how many there are. */
const placesKept = 200;

/**
 * Compares two bodies.
 *
 * @param a The first message, for its body and its content type.
 * @param b The second.
 * @param options How.
 * @returns What differs; nothing when they say the same, however it is spelled.
 */
export function bodyDifference(a: ReadableMessage, b: ReadableMessage, options: BodyOptions): Delta[] {
  if (isSameBody(a.body, b.body)) return [];
  const { text: first } = a.body;
  const { text: second } = b.body;
  if (first === null || second === null) return bytesDifference(a.body, b.body, options);
  const types = [typeOf(a), typeOf(b)];
  const every = (pattern: RegExp) => types.every((type) => pattern.test(type));
  const texts = { a: withoutBoundary(first, types[0]), b: withoutBoundary(second, types[1]) };
  if (every(/^text\/event-stream\b/)) {
    return streamDeltas(parseEvents(first), parseEvents(second), options) ?? textDeltas(texts, options);
  }
  if (every(/^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines|json-lines)\b/)) {
    return streamDeltas(parseJsonLines(first), parseJsonLines(second), options) ?? textDeltas(texts, options);
  }
  return jsonDeltas(texts, options) ?? textDeltas(texts, { ...options, isNoJson: every(/^[^;]*\bjson\b/) });
}

/** Tells whether two bodies are the same without comparing what they mean. */
function isSameBody(a: ComparedBody, b: ComparedBody): boolean {
  if (a.identity !== undefined && a.identity === b.identity) return true;
  return a.text !== null && a.text === b.text;
}

function typeOf({ headers }: ReadableMessage): string {
  return headerValue(headers, "content-type")?.trim().toLowerCase() ?? "";
}

interface Texts {
  readonly a: string;
  readonly b: string;
}

/** A multipart boundary is drawn anew for each message. */
function withoutBoundary(text: string, type = ""): string {
  const boundary = /^multipart\/.*;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type);
  const drawn = boundary?.[1] ?? boundary?.[2];
  if (drawn === undefined) return text;
  const index = text.toLowerCase().indexOf(drawn);
  return index === -1 ? text : text.replaceAll(text.slice(index, index + drawn.length), "boundary");
}

/** `null` when one of them is no JSON object or array, or equal as such and lossy. */
function jsonDeltas(texts: Texts, options: BodyOptions): Delta[] | null {
  const parsed = parseBoth(texts.a, texts.b);
  if (parsed === null) return null;
  const verdict = rpcVerdict(options.verdict, texts);
  const changes = jsonDifference(parsed.a, parsed.b, isNoiseBy(verdict));
  if (changes.length === 0 && parsed.lossy) return null;
  return toDeltas(changes, { ...options, verdict }, ({ path }) => pointerField(options.name, path));
}

function isNoiseBy(verdict: MemberVerdict): (path: readonly string[], value: unknown) => boolean {
  return (path, value) => verdict(path, value)?.tier === "noise";
}

/** The answer to JSON-RPC carries the id of its request. */
function rpcVerdict(verdict: MemberVerdict, { a, b }: Texts): MemberVerdict {
  if (!a.includes('"jsonrpc"') || !b.includes('"jsonrpc"')) return verdict;
  const why = "the id that a JSON-RPC call was given (JSON-RPC 2.0, 4)";
  return (path, value) => /^(?:(?:\d+|\*) )?id$/.test(path.join(" ")) ? { tier: "noise", why } : verdict(path, value);
}

function pointerField(name: string, path: readonly string[]): string {
  return path.length === 0 ? name : `${name} #/${path.map(escapeToken).join("/")}`;
}

/**
 * Compares two streams of events, put together again.
 *
 * @param a The events of the first, parsed.
 * @param b Those of the second.
 * @param options How.
 * @returns What differs; `null` when an event has more levels than are compared one by one.
 */
export function streamDeltas(a: readonly unknown[], b: readonly unknown[], options: BodyOptions): Delta[] | null {
  if ([...a, ...b].some(isTooDeep)) return null;
  const inEvent = rpcVerdict(options.verdict, { a: JSON.stringify(a), b: JSON.stringify(b) });
  const verdict: MemberVerdict = (path, value) => inEvent(pathInEvent(path), value);
  const isNoise = (path: readonly string[], value: unknown) => isNoiseBy(inEvent)(withoutData(path), value);
  const whole = (events: readonly unknown[]) => reassemble(events, isNoise);
  const changes = jsonDifference(whole(a), whole(b), isNoiseBy(verdict));
  return toDeltas(changes, { ...options, verdict }, ({ path }) => streamField(options.name, path));
}

/** A rule speaks of one event's data, as if it were a body. */
function pathInEvent(path: readonly string[]): readonly string[] {
  return path[0] === "events" ? withoutData(path.slice(2)) : path;
}

function withoutData(path: readonly string[]): readonly string[] {
  return path[0] === "data" ? path.slice(1) : path;
}

function streamField(name: string, path: readonly string[]): string {
  const [kind, which = "", ...rest] = path;
  if (kind === "streamed") return `${name} streamed ${which}`;
  return which === "" ? `${name} events` : pointerField(`${name} event ${which}`, rest);
}

function toDeltas(
  changes: readonly JsonChange[],
  options: BodyOptions,
  fieldOf: (change: JsonChange) => string,
): Delta[] {
  const deltas = changes.slice(0, placesKept).map((change) => {
    const values = excerpt(show(change.a), show(change.b), keptCharacters);
    const { part } = options;
    const delta = { part, field: fieldOf(change), ...values, ...changeVerdict(change, options.verdict) };
    return change.moved ? { ...delta, moved: true } : delta;
  });
  return changes.length <= placesKept ? deltas : [...deltas, morePlaces(changes.length - placesKept, options)];
}

function show(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function changeVerdict({ path, a, b, moved }: JsonChange, verdict: MemberVerdict): Verdict {
  const verdicts = [a, b].map((value) => verdict(path, value));
  const strict = verdicts.find((each) => each?.tier === "signal");
  if (strict !== null && strict !== undefined) return strict;
  const noise = verdicts.find((each) => each !== null);
  const isNoise = [a, b].every((value, at) => verdicts[at] !== null || value === undefined || value === null);
  if (noise !== null && noise !== undefined && isNoise) return noise;
  if (moved) return { tier: "signal", why: "the same members in another order" };
  return { tier: "signal", why: "no rule calls this member noise" };
}

function morePlaces(count: number, { part, name }: BodyOptions): Delta {
  return { part, field: `${name} …`, a: null, b: `${count} more places`, tier: "signal", why: "too many to be listed" };
}

function textDeltas(texts: Texts, options: BodyOptions & { readonly isNoJson?: boolean }): Delta[] {
  const changes = textDifference(texts.a, texts.b);
  const own = options.verdict([], texts.a);
  const why = options.isNoJson === true
    ? "it says it is JSON and is not; compared as text"
    : "text that is not the same";
  const { part, name } = options;
  const deltas = changes.slice(0, placesKept).map(({ unit, at, a, b }): Delta => {
    const values = excerpt(a === "" ? null : a, b === "" ? null : b, keptCharacters);
    return { part, field: `${name} ${unit} ${at}`, ...values, ...(own ?? { tier: "signal", why }) };
  });
  return changes.length <= placesKept ? deltas : [...deltas, morePlaces(changes.length - placesKept, options)];
}
