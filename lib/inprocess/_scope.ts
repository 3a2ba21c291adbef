import { AsyncLocalStorage } from "node:async_hooks";
import { type Engine, type LiveRequest, type Protocol, systemClock } from "../engine/mod.ts";
import type { Door, ScopedSink } from "./_door.ts";
import { captureEventSource } from "./_event_source.ts";
import { captureFetch } from "./_fetch.ts";
import { captureNodeHttp } from "./_node_http.ts";
import { originAddress, overHttp2 } from "./_spoken_version.ts";
import { captureWebSocket } from "./_web_socket.ts";

const current = new AsyncLocalStorage<Scope | undefined>();

/** Puts something of ours in the place of something global, and gives what undoes it. */
type Capture = (scopeNow: () => Door | undefined) => () => void;

/** What stands in for something global while a function runs: one file each. */
const captures: readonly Capture[] = [captureFetch, captureNodeHttp, captureWebSocket, captureEventSource];

let users = 0;
let restores: readonly (() => void)[] = [];

/** One request on its way. */
interface Running {
  readonly request: LiveRequest;
  readonly done: Promise<void>;
}

/** What a function asks of the outside. */
export class Scope implements Door {
  readonly #engine: Engine;
  readonly #open = new Map<ScopedSink, Running>();
  readonly #over = new AbortController();
  #failure: { readonly error: unknown } | null = null;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** A bug of ours, if one showed. */
  get failure(): { readonly error: unknown } | null {
    return this.#failure;
  }

  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Runs a function in this scope; what is captured is put back behind the last one. */
  async run<Value>(fn: () => Value | Promise<Value>): Promise<Value> {
    if (users++ === 0) restores = captures.map((capture) => capture(() => current.getStore()));
    try {
      return await current.run(this, fn);
    } finally {
      if (--users === 0) { for (const restore of restores.toReversed()) restore(); }
    }
  }

  /** Has the engine answer a request. */
  exchange(request: LiveRequest, sink: ScopedSink, offers: readonly Protocol[] = ["http/1.1"]): void {
    if (this.#over.signal.aborted) {
      const [place] = request.url.split("?"); // what is behind may be a secret
      return sink.fail(new TypeError(`Cannot send ${request.method} ${place}: its function has ended`));
    }
    const done = this.#answer(request, sink, offers).catch((error) => {
      if (sink.closed) return; // its client left, and took the rest of its request along
      this.#failure ??= { error };
      sink.fail(error);
    });
    this.#open.set(sink, { request, done });
    done.finally(() => this.#open.delete(sink));
  }

  /** What is spoken is asked of the origin first: the request is under way already, and may be given up meanwhile. */
  async #answer(request: LiveRequest, sink: ScopedSink, offers: readonly Protocol[]): Promise<void> {
    const origin = offers.length > 1 ? originAddress(request.url) : null;
    if (origin?.secure !== true) return await this.#engine.exchange(request, sink);
    const protocol = await this.#engine.protocolOf(origin, offers);
    if (!sink.closed) await this.#engine.exchange(protocol === "h2" ? overHttp2(request) : request, sink);
  }

  /**
   * The function has ended: nothing new may begin, and nobody is made to wait for a reader any more.
   *
   * @param patienceMs What has begun may take this long to end.
   * @returns What has not; what its client has left is of no interest.
   */
  async leave(patienceMs: number): Promise<LiveRequest[]> {
    this.#over.abort();
    for (const sink of this.#open.keys()) sink.release();
    const wanted = [...this.#open].filter(([sink]) => !sink.closed);
    const enough = new AbortController();
    const settled = Promise.all(wanted.map(([, { done }]) => done));
    if (wanted.length > 0) await Promise.race([settled, systemClock.sleep(patienceMs, enough.signal)]);
    enough.abort();
    return wanted.filter(([sink]) => this.#open.has(sink) && !sink.closed).map(([, { request }]) => request);
  }

  /** Breaks off what is under way. */
  breakOff(): void {
    for (const sink of this.#open.keys()) sink.abandon();
  }

  /** Waits for all that is under way. */
  async settled(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ done }) => done));
  }
}

/**
 * Captures for good what is asked outside of every function's scope: a whole program's requests.
 *
 * @param scope Answers them.
 */
export function captureProgram(scope: Scope): void {
  for (const capture of captures) capture(() => current.getStore() ?? scope);
}

/** Runs a function outside of every scope: what it asks of the network is not captured. */
export function outsideScopes<Value>(fn: () => Value): Value {
  return current.run(undefined, fn);
}
