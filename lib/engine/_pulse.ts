/** Calls back at a steady pace while there is something to look after; at rest it costs nothing. */
export class Pulse {
  readonly #everyMs: number;
  /** Tells whether there will be something to do at the next beat. */
  readonly #beat: () => boolean;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** @param beat Gives false when nothing is left to look after. */
  constructor(everyMs: number, beat: () => boolean) {
    this.#everyMs = everyMs;
    this.#beat = beat;
  }

  /** Begins to beat, unless it does. */
  start(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      if (this.#beat()) this.start();
    }, this.#everyMs);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
