import type { LiveRequest, ResponseSink } from "../engine/mod.ts";

/** Where an answer goes in this process. */
export interface ScopedSink extends ResponseSink {
  /** From here on nobody waits for the reader: what is still to come is kept until it is read. */
  release(): void;
  /** The reader has left, or is made to leave. */
  close(error?: unknown): void;
  /** Tells the reader that nothing more comes. */
  fail(error: unknown): void;
}

/** The way into the engine. */
export interface Door {
  /** Aborted once nothing that was begun in the function goes on any more. */
  readonly over: AbortSignal;
  /** Has a request answered into the sink; what fails is told there. */
  exchange(request: LiveRequest, sink: ScopedSink): void;
}
