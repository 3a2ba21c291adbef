import type { Channel } from "../engine/mod.ts";
import { PieceQueue } from "../wire/mod.ts";

/** What waits to be read, in bytes, before its sender is asked to wait. */
const waitingBytes = 64 * 1024;

/** The side of a switched connection that stays with its client. */
export interface ChannelClient {
  /** @returns A promise to wait for before the next piece, when the client is slower. */
  receive(bytes: Uint8Array): Promise<void> | undefined;
  /** The other side has ended. */
  receiveEnd(): void;
  /** The other side has broken the connection. */
  receiveBreak(): void;
}

/** A switched connection inside this process: the engine holds it as a channel, its client feeds it. */
export class MemoryChannel implements Channel {
  readonly #client: ChannelClient;
  readonly #queue: PieceQueue;
  #waiting: (() => void)[] = [];
  #ended = false;

  /** @param client Who is given what the engine sends. */
  constructor(client: ChannelClient) {
    this.#client = client;
    this.#queue = new PieceQueue(() => this.#letOn());
  }

  get incoming(): AsyncIterable<Uint8Array> {
    return this.#queue;
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    return this.#ended || bytes.length === 0 ? undefined : this.#client.receive(bytes);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#client.receiveEnd();
  }

  abort(): void {
    this.#ended = true;
    this.#client.receiveBreak();
  }

  /**
   * Takes what the client sends.
   *
   * @param bytes They must not change afterwards.
   * @param done Called when there is room for more.
   */
  feed(bytes: Uint8Array, done: () => void = () => {}): void {
    if (bytes.length > 0) this.#queue.push(bytes);
    if (this.#queue.weight < waitingBytes) done();
    else this.#waiting.push(done);
  }

  /** The client has ended its side. */
  feedEnd(): void {
    this.#queue.end();
  }

  /** The client is gone. */
  feedBreak(error: Error): void {
    this.#ended = true;
    this.#queue.breakOff(error);
    this.#letOn();
  }

  #letOn(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const done of waiting) done();
  }
}
