/**
 * The secrets of one trace: their ordinals, and those that are searched for by value.
 *
 * @module
 */
import { KnownValues } from "./known.ts";
import { formatPlaceholder } from "./placeholder.ts";
import { isKeyedSecret, keptLength, type Span } from "./span.ts";

/** What a span becomes. */
export interface Replacement {
  /** As long as the span. */
  readonly stored: string;
  /** True when K(s) sees the constant in its place; false when it sees `stored`. */
  readonly secret: boolean;
  /** False when the span was a placeholder already. */
  readonly isNew: boolean;
}

/** Knows every secret met so far, in memory and nowhere else. */
export class Secrets {
  readonly known: KnownValues = new KnownValues();
  readonly #ordinals = new Map<string, number>();
  readonly #firstOrdinal: number;

  constructor(firstOrdinal: number) {
    this.#firstOrdinal = firstOrdinal;
  }

  /**
   * Writes a span down without its secret.
   *
   * @param span The span; its value is learned if it asks for that.
   * @param raw Its text, one character per byte.
   * @returns What stands in its place.
   */
  replace(span: Span, raw: string): Replacement {
    const kept = keptLength(span, raw);
    const secret = isKeyedSecret(span);
    if (kept === raw.length) return { stored: raw, secret, isNew: false };
    if (span.learn) this.known.add(span.plain, false);
    return { stored: raw.slice(0, kept) + this.#placeholder(span.plain, raw.length - kept), secret, isNew: true };
  }

  #placeholder(plain: string, length: number): string {
    const ordinal = this.#ordinals.get(plain) ?? this.#ordinals.size + this.#firstOrdinal;
    this.#ordinals.set(plain, ordinal);
    return formatPlaceholder(length, ordinal);
  }
}
