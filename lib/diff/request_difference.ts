/**
 * Where two requests differ, field by field, and how similar they are.
 *
 * @module
 */

/** A request as it is compared: redacted, its body decoded. */
export interface ComparedRequest {
  readonly method: string;
  readonly url: string;
  /** The body as text; `null` when there is none or it is not text. */
  readonly text: string | null;
  readonly bodyBytes: number;
  /** Asked over HTTP/2, which no step of HTTP/1.1 answers, nor the reverse. */
  readonly http2?: boolean;
}

/** One field with its two values; `null` where a side has none. */
export interface FieldChange {
  /** `protocol`, `method`, `origin`, `path`, `query name`, `body` or `body #/json/pointer`. */
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

/** Text above this is compared by its start only; it serves to rank, not to decide. */
const comparedCharacters = 256 * 1024;

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
  return textDifference(recorded.text, asked.text);
}

function protocolOf({ http2 = false }: ComparedRequest): string {
  return http2 ? "HTTP/2" : "HTTP/1.1";
}

function headDifference(recorded: ComparedRequest, asked: ComparedRequest): FieldChange[] {
  const [a, b] = [parseUrl(recorded.url), parseUrl(asked.url)];
  const changes = [
    change("protocol", protocolOf(recorded), protocolOf(asked)),
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
  return { field, ...around(recorded, asked) };
}

/** Cuts two long values around the place where they part, so that what differs is what is shown. */
function around(recorded: string | null, asked: string | null): Omit<FieldChange, "field"> {
  const from = Math.max(0, commonStart(recorded ?? "", asked ?? "") - shownCharacters / 4);
  return { recorded: cut(recorded, from), asked: cut(asked, from) };
}

function commonStart(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) if (a[index] !== b[index]) return index;
  return length;
}

function cut(text: string | null, from: number): string | null {
  if (text === null || text.length <= shownCharacters) return text;
  const end = from + shownCharacters;
  return `${from > 0 ? "…" : ""}${text.slice(from, end)}${end < text.length ? "…" : ""}`;
}

function bodyDifference(recorded: ComparedRequest, asked: ComparedRequest): RequestDifference {
  if (recorded.text === null || asked.text === null) {
    const same = recorded.text === asked.text && recorded.bodyBytes === asked.bodyBytes;
    const changes = same ? [] : [bytesChange(recorded, asked)];
    return { changes, similarity: same ? 1 : 0 };
  }
  if (recorded.text === asked.text) return { changes: [], similarity: 1 };
  const [a, b] = [leavesOf(recorded.text), leavesOf(asked.text)];
  return a !== null && b !== null ? leafDifference(a, b) : textDifference(recorded.text, asked.text);
}

/** Bytes that are not text are known by their number alone. */
function bytesChange(recorded: ComparedRequest, asked: ComparedRequest): FieldChange {
  const show = ({ text, bodyBytes }: ComparedRequest) => `${bodyBytes} bytes${text === null ? "" : " of text"}`;
  return { field: "body", recorded: show(recorded), asked: show(asked) };
}

/** A JSON text as its leaves, by JSON pointer (RFC 6901); `null` when it is not a JSON object or array. */
function leavesOf(text: string): Map<string, string> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null; // not JSON: compared as text
  }
  if (typeof value !== "object" || value === null) return null;
  const leaves = new Map<string, string>();
  const open: [string, unknown][] = [["", value]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [pointer, node] = next;
    if (typeof node !== "object" || node === null || Object.keys(node).length === 0) {
      leaves.set(pointer, JSON.stringify(node));
      continue;
    }
    // Pushed last to first, so that leaves come in the order of the text.
    for (const [member, child] of Object.entries(node).reverse()) {
      open.push([`${pointer}/${member.replaceAll("~", "~0").replaceAll("/", "~1")}`, child]);
    }
  }
  return leaves;
}

function leafDifference(a: Map<string, string>, b: Map<string, string>): RequestDifference {
  const pointers = new Set([...a.keys(), ...b.keys()]);
  const changes: FieldChange[] = [];
  for (const pointer of pointers) {
    const difference = change(`body #${pointer}`, a.get(pointer) ?? null, b.get(pointer) ?? null);
    if (difference !== null) changes.push(difference);
  }
  return { changes, similarity: 1 - changes.length / pointers.size };
}

function textDifference(a: string, b: string): RequestDifference {
  const difference = change("body", a, b);
  return { changes: difference === null ? [] : [difference], similarity: wordSimilarity(a, b) };
}

/** Shared words over all words (Jaccard). */
function wordSimilarity(a: string, b: string): number {
  const [first, second] = [wordsOf(a), wordsOf(b)];
  const shared = [...first].filter((word) => second.has(word)).length;
  const all = first.size + second.size - shared;
  return all === 0 ? 1 : shared / all;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.slice(0, comparedCharacters).split(/\W+/));
}
