import { AsyncLocalStorage } from "node:async_hooks";
import type { Engine, LiveRequest } from "../engine/mod.ts";
import type { Door } from "./_door.ts";
import { captureFetch } from "./_fetch.ts";
import type { MemorySink } from "./_memory_sink.ts";

const current = new AsyncLocalStorage<Scope | undefined>();

/** What stands in for something global while a function runs: one file each. Each gives what undoes it. */
const captures: readonly ((scopeNow: () => Door | undefined) => () => void)[] = [captureFetch];

let users = 0;
let restores: readonly (() => void)[] = [];

/** What a function asks of the outside. */
export class Scope implements Door {
  readonly #engine: Engine;
  readonly #open = new Map<MemorySink, Promise<void>>();
  #failure: { readonly error: unknown } | null = null;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** A bug of ours, if one showed. */
  get failure(): { readonly error: unknown } | null {
    return this.#failure;
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
  exchange(request: LiveRequest, sink: MemorySink): void {
    const done = this.#engine.exchange(request, sink).catch((error) => {
      if (sink.closed) return; // its client left, and took the rest of its request along
      this.#failure ??= { error };
      sink.fail(error);
    });
    this.#open.set(sink, done);
    done.finally(() => this.#open.delete(sink));
  }

  /** Nobody is made to wait for a reader any more: what is still to come is kept until it is read. */
  release(): void {
    for (const sink of this.#open.keys()) sink.release();
  }

  /** Breaks off what is under way. */
  breakOff(): void {
    for (const sink of this.#open.keys()) sink.close();
  }

  /** Waits for all that is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#open.values());
  }
}

/** Runs a function outside of every scope: what it asks of the network is not captured. */
export function outsideScopes<Value>(fn: () => Value): Value {
  return current.run(undefined, fn);
}
