/**
 * Streams of events put together again: what was said, however it was cut into pieces.
 *
 * @module
 */
import { escapeToken } from "./_leaves.ts";
import type { IsNoise } from "./json_difference.ts";
import { streamedTexts, textNumbers } from "./streamed_text.ts";

/** A stream put together. */
export interface Reassembled {
  /** What a client reads bit by bit, whole, by the way to it. */
  readonly streamed: Readonly<Record<string, string>>;
  /** The events without these pieces; those that then say nothing new are left out. */
  readonly events: readonly unknown[];
}

/**
 * Reads server-sent events (WHATWG HTML, 9.2.6).
 *
 * @param text The whole stream; a last event that no blank line ends counts too, it was cut off in being recorded.
 * @returns One value per event: its `event`, `id` and `data`, parsed where that is JSON. Comments are left out.
 */
export function parseEvents(text: string): unknown[] {
  const blocks = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n").split(/\n{2,}/);
  return blocks.map(parseEvent).filter((event) => event !== null);
}

function parseEvent(block: string): Record<string, unknown> | null {
  const data: string[] = [];
  const event: Record<string, unknown> = {};
  for (const line of block.split("\n")) {
    const [, field = "", value = ""] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "data") data.push(value);
    else if (field === "event" || field === "id" || field === "retry") event[field] = value;
  }
  if (data.length === 0 && Object.keys(event).length === 0) return null;
  return { ...event, data: parseJson(data.join("\n")) };
}

/**
 * Reads lines of JSON.
 *
 * @param text One JSON value a line (NDJSON, JSON Lines).
 * @returns The values; a line that is none is given as its text.
 */
export function parseJsonLines(text: string): unknown[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== "").map(parseJson);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // `[DONE]`, or any text
  }
}

const piecePaths: ReadonlySet<string> = new Set(streamedTexts.flatMap(({ paths }) => paths));

/**
 * Puts the pieces of streamed texts together, and leaves out what events repeat.
 *
 * @param events As they came.
 * @param isNoise What tells no event from another: ids, times, padding.
 * @returns The texts, and what else was said.
 */
export function reassemble(events: readonly unknown[], isNoise: IsNoise): Reassembled {
  const streamed: Record<string, string> = {};
  const seen = new Set<string>();
  const kept: unknown[] = [];
  for (const event of events) {
    const walk: Walk = { pieces: [], leaves: [], isNoise, prefix: numbersOf(payloadOf(event)) };
    const rest = withoutPieces(event, { path: [], name: "" }, walk);
    for (const [name, piece] of walk.pieces) streamed[name] = (streamed[name] ?? "") + piece;
    const isNew = walk.leaves.filter((leaf) => !seen.has(leaf)).map((leaf) => seen.add(leaf)).length > 0;
    if (walk.pieces.length === 0 || isNew) kept.push(rest);
  }
  return { streamed, events: kept };
}

interface Walk {
  readonly pieces: [name: string, piece: string][];
  /** What else the event says: the way to each value, and the value. */
  readonly leaves: string[];
  readonly isNoise: IsNoise;
  readonly prefix: string;
}

interface WalkPlace {
  readonly path: readonly string[];
  /** The way in which an index is the one that the member names itself. */
  readonly name: string;
}

function payloadOf(event: unknown): unknown {
  return isRecord(event) && "data" in event ? event["data"] : event;
}

/** Of which text an event at hand carries a piece, where its top says so: `response.output_text.delta 0 1 `. */
function numbersOf(payload: unknown): string {
  if (!isRecord(payload)) return "";
  const type = typeof payload["type"] === "string" && typeof payload["delta"] === "string" ? [payload["type"]] : [];
  const numbers = textNumbers.map((name) => payload[name]).filter((each) => typeof each === "number");
  return [...type, ...numbers].map((each) => `${each} `).join("");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withoutPieces(value: unknown, place: WalkPlace, walk: Walk): unknown {
  if (Array.isArray(value)) {
    return value.map((each, at) => {
      const index = isRecord(each) && typeof each["index"] === "number" ? each["index"] : at;
      return withoutPieces(each, { path: [...place.path, "*"], name: `${place.name}/${index}` }, walk);
    });
  }
  if (!isRecord(value)) {
    if (!walk.isNoise(place.path, value)) walk.leaves.push(`${place.name} ${JSON.stringify(value)}`);
    return value;
  }
  const rest: [member: string, child: unknown][] = [];
  for (const [member, child] of Object.entries(value)) {
    const inner = { path: [...place.path, member], name: `${place.name}/${escapeToken(member)}` };
    if (typeof child === "string" && isPiece(inner.path)) walk.pieces.push([pieceName(inner.name, walk.prefix), child]);
    else rest.push([member, withoutPieces(child, inner, walk)]);
  }
  return Object.fromEntries(rest);
}

function isPiece(path: readonly string[]): boolean {
  return piecePaths.has((path[0] === "data" ? path.slice(1) : path).join("/"));
}

function pieceName(name: string, prefix: string): string {
  return prefix + name.replace(/^\/data\//, "").replace(/^\//, "");
}
