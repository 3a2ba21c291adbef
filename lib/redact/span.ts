/**
 * A stretch of text that is a secret, and how it is written down.
 *
 * @module
 */
import { isPlaceholder, placeholderSource, shortestPlaceholder } from "./placeholder.ts";

/** What a span is; `match` is a hit of a user's own pattern. */
export type SpanKind = "secret" | "jwt" | "placeholder" | "match";

/** A secret in a text, by its offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: SpanKind;
  /** The secret itself, decoded: equal secrets get equal ordinals. */
  readonly plain: string;
  /** True when it may be searched for elsewhere. */
  readonly learn: boolean;
}

/** What is known of a text while it arrives. */
export interface Window {
  /** One character per byte. */
  readonly text: string;
  /** True when nothing more will arrive. */
  readonly final: boolean;
  /** Where the last span ended: nothing looks behind it, so that a text and its redacted form are read alike. */
  readonly floor: number;
}

/** What a place in the text turned out to be: secrets, nothing, or not to be told before more has arrived. */
export type Found = readonly Span[] | null | "pending";

/** Header, payload, and a signature or its placeholder, as the source of a regular expression. */
const jwt = `eyJ[\\w-]+\\.eyJ[\\w-]+\\.(?:[\\w-]{16,}|${placeholderSource})`;
const wholeJwt = new RegExp(`^${jwt}$`);

/**
 * Makes the span of a value that a rule calls secret.
 *
 * @param start Where the value begins.
 * @param raw The value as it stands in the text.
 * @param plain The value decoded.
 * @returns A span over the whole value.
 */
export function toSpan(start: number, raw: string, plain: string): Span {
  const end = start + raw.length;
  if (isPlaceholder(raw)) return { start, end, kind: "placeholder", plain: raw, learn: false };
  if (wholeJwt.test(raw)) return { start, end, kind: "jwt", plain: raw.slice(raw.lastIndexOf(".") + 1), learn: false };
  return { start, end, kind: "secret", plain, learn: true };
}

/**
 * Splits a span's text into what stays in the stored form and what is replaced.
 *
 * @param span The span.
 * @param raw Its text.
 * @returns How many leading characters stay; all of them for what is a placeholder already.
 */
export function keptLength(span: Span, raw: string): number {
  if (span.kind === "placeholder") return raw.length;
  if (span.kind !== "jwt") return 0;
  return raw.endsWith("]") || /%5D$/i.test(raw) ? raw.length : raw.lastIndexOf(".") + 1;
}

/**
 * Tells whether a span counts as the constant in K(s).
 *
 * @param span The span.
 * @returns False only for a pattern's hit too short for a placeholder: its stars could not be known again.
 */
export function isKeyedSecret(span: Span): boolean {
  return span.kind !== "match" || span.end - span.start >= shortestPlaceholder;
}
