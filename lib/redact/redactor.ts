/**
 * Redaction of one trace: headers, URLs, texts, bodies.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Header } from "../step/mod.ts";
import { anchorPatterns, type Scope } from "./anchor.ts";
import { type BodyRedaction, StreamRedaction } from "./body.ts";
import { basicPassword, readHeader } from "./header.ts";
import { toLatin1Pattern } from "./pattern.ts";
import { redactedConstant } from "./placeholder.ts";
import { scan, type Search, startPosition } from "./scan.ts";
import { Secrets } from "./secrets.ts";
import { type Span, toSpan } from "./span.ts";

/** A text in its two forms. */
export interface RedactedText {
  /** What is written to the trace; as many bytes of UTF-8 as the text. */
  readonly stored: string;
  /** What K(s) hashes: each secret is `[redacted]`. */
  readonly keyed: string;
  /** How many secrets were replaced; what was a placeholder already is not counted. */
  readonly found: number;
}

/** How a {@link Redactor} works. */
export interface RedactorOptions {
  /**
   * The user's own patterns, added to the rules. A hit is searched for in bytes, is at most 8 KiB long, and looks at
   * most 128 bytes behind itself.
   *
   * @default []
   */
  readonly patterns?: readonly RegExp[];
  /**
   * False replaces nothing; a placeholder that comes in still counts as the constant in K(s).
   *
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * The number of the first secret that is met; beyond those that a text holds already.
   *
   * @default 1
   */
  readonly firstOrdinal?: number;
}

/**
 * Replaces the secrets of one trace, the same secret always by the same ordinal.
 *
 * @example A URL in its two forms
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const { stored, keyed } = new Redactor().url("https://api.example.com/v1?api_key=abcdef0123456789");
 * equal(stored, "https://api.example.com/v1?api_key=[redacted-1****]");
 * equal(keyed, "https://api.example.com/v1?api_key=[redacted]");
 * ```
 */
export class Redactor {
  readonly #secrets: Secrets;
  readonly #enabled: boolean;
  readonly #patterns: readonly RegExp[];
  readonly #loose: Search;
  readonly #body: Search;

  /**
   * Begins a trace.
   *
   * @param options Patterns of the user's, and whether to redact at all.
   * @throws {TypeError} when a pattern cannot be read as bytes.
   */
  constructor(options: RedactorOptions = {}) {
    this.#secrets = new Secrets(options.firstOrdinal ?? 1);
    this.#enabled = options.enabled ?? true;
    this.#patterns = this.#enabled ? (options.patterns ?? []).map(toLatin1Pattern) : [];
    this.#loose = this.#search("loose", { place: "link", host: "" });
    this.#body = this.#search("body", { place: "link", host: "" });
  }

  /**
   * Makes a secret known by its value, so that it is found anywhere from here on.
   *
   * @param value The secret; ignored when it is shorter than 16 characters, or too plain to be searched for safely.
   */
  learn(value: string): void {
    if (this.#enabled && toSpan(0, value, value).kind === "secret") this.#secrets.known.add(value, true);
  }

  /**
   * Redacts headers, and learns the values it redacts.
   *
   * @param headers In wire order and case.
   * @returns Their stored form: as many, as long.
   */
  headers(headers: readonly Header[]): Header[] {
    if (!this.#enabled) return [...headers];
    return headers.map(([name, value]) => {
      const spans = readHeader(name, value) ?? this.#spansOf(value, this.#loose);
      this.#secrets.known.add(basicPassword(value), false);
      return [name, this.#rewrite(value, spans).stored];
    });
  }

  /**
   * Redacts a request's URL.
   *
   * @param url Absolute, in any form.
   * @returns Both forms; neither is normalised.
   */
  url(url: string): RedactedText {
    const host = /^[a-z][\w+.\-]*:\/\/(?:[^/?#@]*@)?([^/?#:]*)/i.exec(url)?.[1]?.toLowerCase() ?? "";
    return this.#redactText(url, this.#search("body", { place: "url", host }));
  }

  /**
   * Redacts a loose text: an error message, an argument of a command line.
   *
   * @param text Any text.
   * @returns Both forms.
   */
  text(text: string): RedactedText {
    return this.#redactText(text, this.#loose);
  }

  /**
   * Begins the redaction of a message body.
   *
   * @param contentType The message's content type, as it stood on the wire.
   * @returns A transform for this one body, whose content-encoding is undone.
   */
  body(contentType: string | undefined): BodyRedaction {
    return new StreamRedaction(this.#bodySearch(contentType), this.#secrets);
  }

  #bodySearch(contentType: string | undefined): Search {
    const type = contentType?.trim().toLowerCase() ?? "";
    if (type.startsWith("application/x-www-form-urlencoded")) return this.#search("body", { place: "form", host: "" });
    if (!type.startsWith("multipart/")) return this.#body;
    const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType ?? "");
    return this.#search("multipart", { place: "link", host: "" }, boundary?.[1] ?? boundary?.[2] ?? "");
  }

  #search(kind: keyof typeof anchorPatterns, field: Scope["field"], boundary: string | null = null): Search {
    const patterns = anchorPatterns[this.#enabled ? kind : "marks"];
    return {
      scope: { field, patterns, loose: this.#enabled && kind === "loose", boundary },
      known: this.#enabled ? this.#secrets.known : null,
      patterns: this.#patterns,
    };
  }

  #redactText(text: string, search: Search): RedactedText {
    const binary = isAscii(text) ? text : Buffer.from(text, "utf8").toString("latin1");
    const spans = this.#spansOf(binary, search);
    if (spans.length === 0) return { stored: text, keyed: text, found: 0 };
    const result = this.#rewrite(binary, spans);
    return { stored: toUtf8(result.stored), keyed: toUtf8(result.keyed), found: result.found };
  }

  /** The spans of a whole text; values are learned as they are met, so that later ones count. */
  #spansOf(text: string, search: Search): Span[] {
    const spans: Span[] = [];
    const onSpan = (span: Span) => {
      spans.push(span);
      if (span.learn) this.#secrets.known.add(span.plain, false);
    };
    scan(text, startPosition(), { ...search, final: true, onSpan });
    return spans;
  }

  #rewrite(text: string, spans: readonly Span[]): RedactedText {
    let stored = "";
    let keyed = "";
    let found = 0;
    let at = 0;
    for (const span of spans) {
      const replacement = this.#secrets.replace(span, text.slice(span.start, span.end));
      const before = text.slice(at, span.start);
      stored += before + replacement.stored;
      keyed += before + (replacement.secret ? redactedConstant : replacement.stored);
      found += replacement.isNew ? 1 : 0;
      at = span.end;
    }
    const rest = text.slice(at);
    return { stored: stored + rest, keyed: keyed + rest, found };
  }
}

function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}

function toUtf8(binary: string): string {
  return Buffer.from(binary, "latin1").toString("utf8");
}
