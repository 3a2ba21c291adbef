/**
 * Secrets known by value, and the forms in which they may turn up.
 *
 * @module
 */
import { isLearnable } from "./value.ts";

/** Values picked up on the way that are kept at once; each makes the search for the others slower. */
const maxPickedUp = 512;

/** Where a known secret was found. */
export interface KnownHit {
  readonly start: number;
  readonly end: number;
  /** The secret, whatever the form it was met in. */
  readonly plain: string;
}

/** The secrets of one trace, in memory and nowhere else. */
export class KnownValues {
  readonly #told = new Set<string>();
  readonly #pickedUp = new Set<string>();
  #plainByForm: Map<string, string> | null = null;
  #pattern: RegExp | null = null;
  #reach = 0;
  #version = 0;

  /** Grows with every value learned. */
  get version(): number {
    return this.#version;
  }

  /** Length of the longest form, in bytes. */
  get reach(): number {
    this.#compile();
    return this.#reach;
  }

  /**
   * Adds a secret.
   *
   * @param value The secret; ignored unless it is safe to search for.
   * @param told True when it was named as a secret, and stays; false when it was met, and may give way to newer ones.
   */
  add(value: string, told: boolean): void {
    if (!isLearnable(value) || this.#told.has(value) || (!told && this.#pickedUp.has(value))) return;
    (told ? this.#told : this.#pickedUp).add(value);
    const [oldest] = this.#pickedUp;
    if (oldest !== undefined && this.#pickedUp.size > maxPickedUp) this.#pickedUp.delete(oldest);
    this.#version++;
    this.#plainByForm = null;
  }

  /**
   * Finds the next known secret.
   *
   * @param text One character per byte.
   * @param from Where to begin.
   * @returns The leftmost hit, the longest form first, or `null`.
   */
  find(text: string, from: number): KnownHit | null {
    const forms = this.#compile();
    if (this.#pattern === null) return null;
    this.#pattern.lastIndex = from;
    const hit = this.#pattern.exec(text);
    if (hit === null) return null;
    return { start: hit.index, end: hit.index + hit[0].length, plain: forms.get(hit[0]) ?? hit[0] };
  }

  #compile(): Map<string, string> {
    if (this.#plainByForm !== null) return this.#plainByForm;
    const forms = new Map<string, string>();
    for (const values of [this.#pickedUp, this.#told]) {
      for (const value of values) for (const form of formsOf(value)) forms.set(form, value);
    }
    const longestFirst = [...forms.keys()].sort((a, b) => b.length - a.length);
    this.#reach = longestFirst[0]?.length ?? 0;
    this.#pattern = longestFirst.length === 0 ? null : new RegExp(longestFirst.map(escapePattern).join("|"), "g");
    this.#plainByForm = forms;
    return forms;
  }
}

/** As it is, inside a JSON string (twice, for JSON inside JSON; with PHP's `\/`), percent-encoded in both cases. */
function formsOf(value: string): Set<string> {
  const json = JSON.stringify(value).slice(1, -1);
  const nested = JSON.stringify(json).slice(1, -1);
  const percent = encodeURIComponent(value);
  const lower = percent.replace(/%../g, (escape) => escape.toLowerCase());
  return new Set([value, json, nested, json.replaceAll("/", "\\/"), percent, lower]);
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
