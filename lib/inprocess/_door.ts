import type { LiveRequest } from "../engine/mod.ts";
import type { MemorySink } from "./_memory_sink.ts";

/** The way into the engine. */
export interface Door {
  /** Has a request answered into the sink; what fails is told there. */
  exchange(request: LiveRequest, sink: MemorySink): void;
}
