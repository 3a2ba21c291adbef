import { TraceFormatError } from "../step/mod.ts";
import type { TraceEntry, TraceFile } from "../store/mod.ts";
import type { OriginAddress } from "./exchange.ts";

/** Tells which of a set of steps went to an origin. Steps are read as far as a question needs it. */
export class RecordedOrigins {
  readonly #trace: TraceFile;
  readonly #entries: readonly TraceEntry[];
  readonly #origins = new Set<string>();
  #read = 0;

  constructor(trace: TraceFile, entries: readonly TraceEntry[]) {
    this.#trace = trace;
    this.#entries = entries;
  }

  has({ secure, host, port }: OriginAddress): boolean {
    const bracketed = host.includes(":") ? `[${host}]` : host;
    const origin = new URL(`${secure ? "https" : "http"}://${bracketed}:${port}`).origin;
    while (!this.#origins.has(origin) && this.#read < this.#entries.length) this.#readNext();
    return this.#origins.has(origin);
  }

  #readNext(): void {
    const entry = this.#entries[this.#read++];
    if (entry !== undefined) this.#origins.add(this.#originOf(entry));
  }

  #originOf(entry: TraceEntry): string {
    try {
      return URL.parse(this.#trace.step(entry).request.url)?.origin ?? "";
    } catch (error) {
      if (!(error instanceof TraceFormatError)) throw error;
      return ""; // whoever asks for the step itself is told
    }
  }
}
