/** A request's body on its way to the upstream, each piece copied once it was handed on. */
export class TeedBody {
  readonly #copy: (bytes: Uint8Array) => Promise<void> | undefined;
  readonly #source: AsyncIterator<Uint8Array> | null;
  #ended: boolean;
  #brokenOff = false;
  #begun = false;
  /** Settled when the upstream has stopped reading. */
  #handedOn = Promise.resolve();

  constructor(body: AsyncIterable<Uint8Array> | null, copy: (bytes: Uint8Array) => Promise<void> | undefined) {
    this.#source = body === null ? null : body[Symbol.asyncIterator]();
    this.#ended = body === null;
    this.#copy = copy;
  }

  /** What the upstream reads; `null` when there is no body. */
  get stream(): AsyncIterable<Uint8Array> | null {
    return this.#source === null ? null : this.#handOn();
  }

  /** False while the client has sent nothing. */
  get begun(): boolean {
    return this.#begun;
  }

  /** True once there is nothing more to read. */
  get ended(): boolean {
    return this.#ended;
  }

  /** True once the client has broken off its own request. */
  get brokenOff(): boolean {
    return this.#brokenOff;
  }

  /** Reads what the upstream did not want, so that the step holds the whole request. */
  async drain(): Promise<void> {
    await this.#handedOn; // it may have answered early, and read on all the same
    for await (const _piece of this.#pieces());
  }

  async *#handOn(): AsyncGenerator<Uint8Array> {
    const done = Promise.withResolvers<void>();
    this.#handedOn = done.promise;
    try {
      yield* this.#pieces();
    } finally {
      done.resolve();
    }
  }

  async *#pieces(): AsyncGenerator<Uint8Array> {
    // Not for await: that would close the source when the upstream stops early, and drain() reads on.
    while (!this.#ended && this.#source !== null) {
      const next = await this.#next(this.#source);
      if (next.done === true) {
        this.#ended = true;
        return;
      }
      this.#begun = true;
      try {
        yield next.value;
      } finally {
        await this.#copy(next.value); // also of the piece with which the upstream stopped
      }
    }
  }

  async #next(source: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    try {
      return await source.next();
    } catch (error) {
      this.#ended = true;
      this.#brokenOff = true;
      throw error;
    }
  }
}
