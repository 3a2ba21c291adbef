/** Work shorter than this says nothing. */
const silentMs = 2000;
const everyMs = 200;

/** What a progress line needs of the world. */
export interface ProgressOptions {
  /** Writes to the terminal; `null` where there is none, and nothing is said. */
  readonly write: ((text: string) => void) | null;
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number;
}

/** One line at the bottom of a terminal that says how far the work is; gone when disposed of. */
export class Progress implements Disposable {
  readonly #options: ProgressOptions;
  readonly #what: string;
  #nextMs: number;
  #shown = false;

  /** @param what The work, as in "checking". */
  constructor(what: string, options: ProgressOptions) {
    this.#what = what;
    this.#options = options;
    this.#nextMs = options.elapsedMs() + silentMs;
  }

  /** Tells how much is done. */
  update(done: number, total: number): void {
    const now = this.#options.elapsedMs();
    if (this.#options.write === null || now < this.#nextMs) return;
    this.#nextMs = now + everyMs;
    this.#shown = true;
    this.#options.write(`\r\x1b[Kagrepl: ${this.#what}, ${done} of ${total}`);
  }

  [Symbol.dispose](): void {
    if (this.#shown) this.#options.write?.("\r\x1b[K");
  }
}
