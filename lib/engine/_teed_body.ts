import type { RequestCopy } from "./_request_copy.ts";

/** A request's body on its way to the upstream, each piece copied once it was handed on. */
export class TeedBody {
  readonly #copy: RequestCopy;
  readonly #source: AsyncIterator<Uint8Array> | null;
  #ended = false;

  constructor(body: AsyncIterable<Uint8Array> | null, copy: RequestCopy) {
    this.#source = body === null ? null : body[Symbol.asyncIterator]();
    this.#ended = body === null;
    this.#copy = copy;
  }

  /** What the upstream reads; `null` when there is no body. */
  get stream(): AsyncIterable<Uint8Array> | null {
    return this.#source === null ? null : this.#pieces();
  }

  /** Reads what the upstream did not want, so that the step holds the whole request. */
  async drain(): Promise<void> {
    for await (const _piece of this.#pieces());
  }

  async *#pieces(): AsyncGenerator<Uint8Array> {
    // Not for await: that would close the source when the upstream stops early, and drain() reads on.
    while (!this.#ended && this.#source !== null) {
      const next = await this.#source.next();
      if (next.done === true) {
        this.#ended = true;
        return;
      }
      yield next.value;
      await this.#copy.push(next.value);
    }
  }
}
