import type { LiveRequest, Protocol, ResponseSink } from "../engine/mod.ts";

/** Where an answer goes in this process. */
export interface ScopedSink extends ResponseSink {
  /** From here on nobody waits for the reader: what is still to come is kept until it is read. */
  release(): void;
  /**
   * The function has ended before its answer: nothing more is sent, and nobody is told. A rejection that nobody awaits
   * any more would end the whole test file, and hide the error that names the request.
   */
  abandon(): void;
  /** Tells the reader that nothing more comes. */
  fail(error: unknown): void;
}

/** The way into the engine. */
export interface Door {
  /** Aborted once nothing that was begun in the function goes on any more. */
  readonly over: AbortSignal;
  /**
   * Has a request answered into the sink; what fails is told there.
   *
   * @param request As HTTP/1.1 says it.
   * @param offers What its client offers a secure origin, which chooses. @default {["http/1.1"]}
   */
  exchange(request: LiveRequest, sink: ScopedSink, offers?: readonly Protocol[]): void;
}
