/**
 * Keeps what a replay was asked, and what it answered, as a trace of its own.
 *
 * @module
 */
import { KeptExchange, type KeptExchangeOptions } from "./_kept_exchange.ts";
import {
  type Clock,
  type Engine,
  type LiveRequest,
  type OriginAddress,
  type Protocol,
  type ResponseSink,
  systemClock,
} from "./exchange.ts";

/** What a keeper works with. */
export interface KeeperOptions extends KeptExchangeOptions {
  /** Answers. */
  readonly engine: Engine;
  /** @default {systemClock} */
  readonly clock?: Clock;
}

/** Has another engine answer, and writes each exchange down: as it was asked, with what went out. */
export class Keeper implements Engine {
  readonly #options: KeeperOptions;
  readonly #clock: Clock;
  readonly #open = new Map<KeptExchange, Promise<void>>();
  #nextSeq = 0;
  #settled = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  protocolOf(origin: OriginAddress, offers: readonly Protocol[]): Protocol | Promise<Protocol> {
    return this.#options.engine.protocolOf(origin, offers);
  }

  exchange(request: LiveRequest, sink: ResponseSink): Promise<void> {
    const { engine } = this.#options;
    if (this.#settled) return engine.exchange(request, sink); // its trace has ended
    const kept = new KeptExchange({ seq: this.#nextSeq++, request, sink }, this.#options, this.#clock);
    const done = kept.run(engine);
    this.#open.set(kept, done);
    return done.finally(() => this.#open.delete(kept));
  }

  /**
   * Waits for the exchanges that are still open, and writes down as they stand those that outlast the patience.
   *
   * @param patienceMs How long they may take.
   */
  async settle(patienceMs: number): Promise<void> {
    if (this.#open.size > 0) {
      const awake = new AbortController();
      await Promise.race([Promise.allSettled(this.#open.values()), this.#clock.sleep(patienceMs, awake.signal)]);
      awake.abort();
    }
    this.#settled = true;
    await Promise.all([...this.#open.keys()].map((kept) => kept.finish()));
  }
}
