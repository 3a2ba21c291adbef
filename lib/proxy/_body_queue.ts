/** The client broke off in the middle of its own request: nobody is left to answer. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";

  constructor() {
    super("Cannot read the request: the client closed the connection");
  }
}

/** What keeping a piece costs: a byte in a chunk of its own may hold the 4 KiB of that chunk's line in memory. */
const pieceWeight = 256;

/** A request's body on its way from a connection to the engine. */
export class BodyQueue implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #pieces: Uint8Array[] = [];
  readonly #onTaken: () => void;
  #state: "open" | "ended" | "gone" = "open";
  #wake: (() => void) | null = null;
  #bytes = 0;
  #discarding = false;

  /** @param onTaken Called when there is room again. */
  constructor(onTaken: () => void) {
    this.#onTaken = onTaken;
  }

  /** How much waits to be taken, in bytes; a piece costs memory of its own, however short it is. */
  get weight(): number {
    return this.#bytes + this.#pieces.length * pieceWeight;
  }

  push(piece: Uint8Array): void {
    if (this.#discarding) return;
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    this.#notify();
  }

  end(): void {
    this.#settle("ended");
  }

  /** Nobody will read on: what waits and what comes is dropped. */
  discard(): void {
    this.#discarding = true;
    this.#pieces.length = 0;
    this.#bytes = 0;
  }

  /** The connection is gone, and the rest with it. */
  breakOff(): void {
    this.#settle("gone");
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    while (true) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) {
        this.#bytes -= piece.length;
        this.#onTaken();
        return { done: false, value: piece };
      }
      if (this.#state === "gone") throw new ClientGoneError();
      if (this.#state === "ended") return { done: true, value: undefined };
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  #settle(state: "ended" | "gone"): void {
    if (this.#state === "open") this.#state = state;
    this.#notify();
  }

  #notify(): void {
    this.#wake?.();
    this.#wake = null;
  }
}
