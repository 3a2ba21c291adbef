/**
 * Where two requests differ, field by field, and how similar they are.
 *
 * @module
 */
import { escapeToken } from "./_leaves.ts";
import { parseBoth } from "./_parse_both.ts";
import { leafSimilarity, wordSimilarity } from "./_similarity.ts";
import { excerpt } from "./excerpt.ts";
import { jsonDifference } from "./json_difference.ts";

/** A request as it is compared: redacted, its body decoded. */
export interface ComparedRequest {
  readonly method: string;
  readonly url: string;
  /** The body as text; `null` when there is none or it is not text. */
  readonly text: string | null;
  readonly bodyBytes: number;
  /** Asked over HTTP/2, which no step of HTTP/1.1 answers, nor the reverse. */
  readonly http2?: boolean;
  /** What it asked its connection to be switched to, `websocket`: no other request is answered by its step. */
  readonly upgrade?: string | undefined;
}

/** One field with its two values; `null` where a side has none. */
export interface FieldChange {
  /** `protocol`, `upgrade`, `method`, `origin`, `path`, `query name`, `body` or `body #/json/pointer`. */
  readonly field: string;
  readonly recorded: string | null;
  readonly asked: string | null;
}

/** Two requests, held against each other. */
export interface RequestDifference {
  readonly changes: readonly FieldChange[];
  /** From 0 (nothing in common) to 1 (equal bodies). */
  readonly similarity: number;
}

/** Values in a difference are for reading: longer ones are cut. */
const shownCharacters = 160;

/**
 * Compares two requests.
 *
 * @param recorded A step's request.
 * @param asked The request that found no step.
 * @returns What differs; nothing when they are the same as far as text can tell.
 */
export function requestDifference(recorded: ComparedRequest, asked: ComparedRequest): RequestDifference {
  const body = bodyDifference(recorded, asked);
  const changes = [...headDifference(recorded, asked), ...body.changes];
  if (changes.length > 0 || recorded.text === null || asked.text === null) {
    return { changes, similarity: body.similarity };
  }
  // Equal as parsed JSON, not as text: a number beyond 2^53, say, for which K hashes the text as it is.
  return textBodyDifference(recorded.text, asked.text);
}

function protocolOf({ http2 = false }: ComparedRequest): string {
  return http2 ? "HTTP/2" : "HTTP/1.1";
}

function headDifference(recorded: ComparedRequest, asked: ComparedRequest): FieldChange[] {
  const [a, b] = [parseUrl(recorded.url), parseUrl(asked.url)];
  const changes = [
    change("protocol", protocolOf(recorded), protocolOf(asked)),
    change("upgrade", recorded.upgrade ?? null, asked.upgrade ?? null),
    change("method", recorded.method, asked.method),
    change("origin", a.origin, b.origin),
    change("path", a.path, b.path),
  ];
  for (const name of new Set([...a.query.keys(), ...b.query.keys()])) {
    changes.push(change(`query ${name}`, a.query.get(name) ?? null, b.query.get(name) ?? null));
  }
  return changes.filter((each) => each !== null);
}

interface ParsedUrl {
  readonly origin: string;
  readonly path: string;
  /** Repeats are joined: they differ or they do not. */
  readonly query: ReadonlyMap<string, string>;
}

function parseUrl(text: string): ParsedUrl {
  const url = URL.parse(text);
  if (url === null) return { origin: "", path: text, query: new Map() };
  const query = new Map<string, string>();
  for (const name of new Set(url.searchParams.keys())) query.set(name, url.searchParams.getAll(name).join(", "));
  return { origin: `${url.protocol}//${url.host}`, path: url.pathname, query };
}

function change(field: string, recorded: string | null, asked: string | null): FieldChange | null {
  if (recorded === asked) return null;
  const { a, b } = excerpt(recorded, asked, shownCharacters);
  return { field, recorded: a, asked: b };
}

function bodyDifference(recorded: ComparedRequest, asked: ComparedRequest): RequestDifference {
  if (recorded.text === null || asked.text === null) {
    const same = recorded.text === asked.text && recorded.bodyBytes === asked.bodyBytes;
    const changes = same ? [] : [bytesChange(recorded, asked)];
    return { changes, similarity: same ? 1 : 0 };
  }
  if (recorded.text === asked.text) return { changes: [], similarity: 1 };
  return jsonBodyDifference(recorded.text, asked.text) ?? textBodyDifference(recorded.text, asked.text);
}

/** Bytes that are not text are known by their number alone. */
function bytesChange(recorded: ComparedRequest, asked: ComparedRequest): FieldChange {
  const show = ({ text, bodyBytes }: ComparedRequest) => `${bodyBytes} bytes${text === null ? "" : " of text"}`;
  return { field: "body", recorded: show(recorded), asked: show(asked) };
}

/** `null` when one of them is no JSON object or array that K reads as such. */
function jsonBodyDifference(recorded: string, asked: string): RequestDifference | null {
  const parsed = parseBoth(recorded, asked);
  if (parsed === null || parsed.lossy) return null; // K hashes such a text as it is, and so no rule reaches into it
  const changes = jsonDifference(parsed.a, parsed.b).map(({ path, a, b }) => change(bodyField(path), show(a), show(b)));
  return { changes: changes.filter((each) => each !== null), similarity: leafSimilarity(recorded, asked) };
}

function bodyField(path: readonly string[]): string {
  return path.length === 0 ? "body" : `body #/${path.map(escapeToken).join("/")}`;
}

function show(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function textBodyDifference(a: string, b: string): RequestDifference {
  const difference = change("body", a, b);
  return { changes: difference === null ? [] : [difference], similarity: wordSimilarity(a, b) };
}
