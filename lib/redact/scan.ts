/**
 * Walks a text from left to right and names its secrets, the same ones wherever the text is cut into chunks.
 *
 * @module
 */
import { type Anchor, readAnchor, type Scope, type Skips } from "./anchor.ts";
import type { KnownValues } from "./known.ts";
import { type Span, toSpan } from "./span.ts";
import { maxSecretLength } from "./value.ts";

/** Bytes that must have arrived behind an anchor before it is looked at: names, blanks and quotes fit. */
const anchorReach = 128;
/** Bytes kept before the place that was reached: the longest name fits. */
export const contextBytes = 128;

/** What to look for. */
export interface Search {
  readonly scope: Scope;
  readonly known: KnownValues | null;
  /** The user's own, global. */
  readonly patterns: readonly RegExp[];
}

/** A search at work. */
export interface RunningSearch extends Search {
  /** True when nothing more will arrive. */
  readonly final: boolean;
  /** Called for each secret, from left to right; values that it makes known count from there on. */
  readonly onSpan: (span: Span) => void;
}

/** Where a search stands, in offsets of the text at hand. */
export interface Position {
  /** Everything before is settled. */
  at: number;
  /** Where the last span ended. */
  floor: number;
  /** Where the text as a whole begins; below 0 when that is gone. */
  origin: number;
  readonly skips: Skips;
}

/** A fresh position at the beginning of a text. */
export function startPosition(): Position {
  return { at: 0, floor: 0, origin: 0, skips: { jwt: 0, shape: 0, field: 0, assignment: 0 } };
}

/**
 * Moves a position along when the text's beginning is dropped.
 *
 * @param position Changed in place.
 * @param bytes How much is dropped.
 */
export function shiftPosition(position: Position, bytes: number): void {
  position.at -= bytes;
  position.origin -= bytes;
  position.floor = Math.max(0, position.floor - bytes);
  for (const kind of ["jwt", "shape", "field", "assignment"] as const) position.skips[kind] -= bytes;
}

/**
 * Goes as far as the text allows.
 *
 * @param text One character per byte: context, then what is new.
 * @param position Advanced; on return everything before `at` is settled.
 * @param search What to look for, and whether more text will arrive.
 */
export function scan(text: string, position: Position, search: RunningSearch): void {
  const { final } = search;
  const candidates = new Candidates(text, search);
  for (;;) {
    const limit = final ? text.length + 1 : text.length - candidates.reach + 1;
    const next = candidates.leftmost(position.at);
    if (next === null || next.start >= limit) {
      position.at = Math.max(position.at, Math.min(text.length, limit));
      return;
    }
    const window = { text, final, floor: position.floor };
    const found = "end" in next ? [next] : readAnchor(window, next, { ...position, scope: search.scope });
    if (found === "pending") {
      position.at = next.start;
      return;
    }
    position.at = next.start + 1;
    for (const span of found ?? []) {
      search.onSpan(span);
      position.at = position.floor = span.end;
    }
  }
}

/** The next place of every kind, each searched for only when the one before is behind. */
class Candidates {
  readonly #text: string;
  readonly #search: Search;
  readonly #anchors: (Anchor | null | undefined)[] = [];
  #known: Span | null | undefined;
  #knownVersion = -1;
  readonly #matches: (Span | null | undefined)[] = [];

  constructor(text: string, search: Search) {
    this.#text = text;
    this.#search = search;
  }

  /** How much text must have arrived behind a place before it is final. */
  get reach(): number {
    const { known, patterns } = this.#search;
    return Math.max(anchorReach, known?.reach ?? 0, patterns.length === 0 ? 0 : maxSecretLength);
  }

  /** At equal starts a known value goes before an anchor, an anchor before a user's pattern. */
  leftmost(at: number): Anchor | Span | null {
    let best: Anchor | Span | null = this.#nextKnown(at);
    for (let kind = 0; kind < this.#search.scope.patterns.length; kind++) {
      const anchor = this.#nextAnchor(at, kind);
      if (anchor !== null && (best === null || anchor.start < best.start)) best = anchor;
    }
    for (let index = 0; index < this.#search.patterns.length; index++) {
      const match = this.#nextMatch(at, index);
      if (match !== null && (best === null || match.start < best.start)) best = match;
    }
    return best;
  }

  #nextAnchor(at: number, kind: number): Anchor | null {
    const cached = this.#anchors[kind];
    if (cached === null || (cached !== undefined && cached.start >= at)) return cached;
    const pattern = this.#search.scope.patterns[kind];
    if (pattern === undefined) return null;
    pattern.lastIndex = at;
    const hit = pattern.exec(this.#text);
    const anchor = hit === null ? null : { start: hit.index, text: hit[0], word: hit[1] };
    this.#anchors[kind] = anchor;
    return anchor;
  }

  #nextKnown(at: number): Span | null {
    const { known } = this.#search;
    if (known === null) return null;
    const isFresh = this.#knownVersion === known.version;
    if (isFresh && (this.#known === null || (this.#known !== undefined && this.#known.start >= at))) return this.#known;
    this.#knownVersion = known.version;
    const hit = known.find(this.#text, at);
    this.#known = hit === null ? null : { ...hit, kind: "secret", learn: false };
    return this.#known;
  }

  #nextMatch(at: number, index: number): Span | null {
    const cached = this.#matches[index];
    if (cached === null || (cached !== undefined && cached.start >= at)) return cached;
    const pattern = this.#search.patterns[index];
    const match = pattern === undefined ? null : matchFrom(pattern, this.#text, at);
    this.#matches[index] = match;
    return match;
  }
}

function matchFrom(pattern: RegExp, text: string, at: number): Span | null {
  pattern.lastIndex = at;
  for (let hit = pattern.exec(text); hit !== null; hit = pattern.exec(text)) {
    if (hit[0] === "") pattern.lastIndex = hit.index + 1;
    else {
      const span = toSpan(hit.index, hit[0], hit[0]);
      return span.kind === "secret" ? { ...span, kind: "match", learn: false } : span;
    }
  }
  return null;
}
