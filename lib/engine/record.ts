/**
 * Records: the live exchange goes on at full speed, its copy is cleaned, keyed and written.
 *
 * @module
 */
import { Pulse } from "./_pulse.ts";
import { RecordedExchange, type RecordedExchangeOptions } from "./_recorded_exchange.ts";
import {
  type Clock,
  type Engine,
  type LiveRequest,
  type OriginAddress,
  type Protocol,
  type ResponseSink,
  systemClock,
} from "./exchange.ts";

/** When a step that is still open is written (design: long streams). */
export interface LongSteps {
  /** How long a step is left to end by itself before it has a line. */
  readonly openAfterMs: number;
  /** How long a line must be ago before the next one. */
  readonly everyMs: number;
}

/** What a recorder works with. */
export interface RecorderOptions extends RecordedExchangeOptions {
  /** Called with what could not be written; the child's traffic goes on. */
  readonly onLost: (url: string, error: unknown) => void;
  /** @default {systemClock} */
  readonly clock?: Clock;
  /** @default {{ openAfterMs: 2000, everyMs: 1000 }} */
  readonly longSteps?: LongSteps;
}

const defaultLongSteps: LongSteps = { openAfterMs: 2000, everyMs: 1000 };

/** Answers from the network and writes each exchange down. */
export class Recorder implements Engine {
  readonly #options: RecorderOptions;
  readonly #clock: Clock;
  readonly #open = new Map<RecordedExchange, Promise<void>>();
  readonly #pulse: Pulse;
  #nextSeq = 0;
  #settled = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const { everyMs } = options.longSteps ?? defaultLongSteps;
    this.#pulse = new Pulse(everyMs / 2, () => this.#lookAfterOpen());
  }

  protocolOf(origin: OriginAddress, offers: readonly Protocol[]): Protocol | Promise<Protocol> {
    return this.#options.upstream.protocolOf(origin, offers);
  }

  exchange(request: LiveRequest, sink: ResponseSink): Promise<void> {
    const exchange = new RecordedExchange({ seq: this.#nextSeq++, request, sink }, this.#options, this.#clock);
    if (this.#settled) exchange.interrupt();
    const done = exchange.run();
    this.#open.set(exchange, done);
    this.#pulse.start();
    return done.finally(() => this.#open.delete(exchange));
  }

  /**
   * Waits for the exchanges that are still open; those that outlast the patience are ended as `interrupted`.
   *
   * @param patienceMs How long they may take.
   * @param goneMs How long those may take whose client is gone: what they still get, nobody reads.
   */
  async settle(patienceMs: number, goneMs: number = patienceMs): Promise<void> {
    const firstMs = Math.min(goneMs, patienceMs);
    await this.#allWithin(firstMs);
    for (const exchange of this.#open.keys()) if (goneMs < patienceMs && exchange.clientGone) exchange.giveUpDrain();
    await this.#allWithin(patienceMs - firstMs);
    this.#settled = true;
    for (const exchange of this.#open.keys()) exchange.interrupt();
    await this.#all();
    this.#pulse.stop();
  }

  async #allWithin(ms: number): Promise<void> {
    if (ms <= 0 || this.#open.size === 0) return;
    const awake = new AbortController();
    await Promise.race([this.#all(), this.#clock.sleep(ms, awake.signal)]);
    awake.abort();
  }

  #all(): Promise<unknown> {
    return Promise.allSettled([...this.#open.values()]);
  }

  /** Gives false when no exchange is open. */
  #lookAfterOpen(): boolean {
    const { openAfterMs, everyMs } = this.#options.longSteps ?? defaultLongSteps;
    for (const exchange of this.#open.keys()) {
      exchange.writeOpen(openAfterMs, everyMs);
      exchange.endDrain();
    }
    return this.#open.size > 0;
  }
}
