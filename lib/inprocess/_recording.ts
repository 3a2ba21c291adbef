import { randomInt } from "node:crypto";
import { Recorder } from "../engine/mod.ts";
import type { Step, TraceHeader } from "../step/mod.ts";
import { CassetteWriter } from "../store/mod.ts";
import { type CassetteOptions, toKeyRules } from "./cassette_options.ts";
import type { CassettePlace } from "./_cassette_path.ts";
import { compileFor, redactorFor } from "./_engine_parts.ts";
import type { Host } from "./host.ts";
import { isolate, type Isolation } from "./isolation.ts";
import { type LiveUpstream, openLiveUpstream } from "./_live_upstream.ts";
import { Scope } from "./_scope.ts";
import type { Ended, Session } from "./_session.ts";
import { version } from "./_version.ts";

/** What was begun in the function may take this long to end behind it; what nobody reads any more, half of it. */
const settleMs = 2000;

/** Records into a cassette. */
export class Recording implements Session {
  readonly mode = "record";
  readonly scope: Scope;
  readonly isolation: Isolation;
  readonly #writer: CassetteWriter;
  readonly #recorder: Recorder;
  readonly #upstream: LiveUpstream;
  readonly #startMs = performance.now();
  readonly #lost: unknown[] = [];

  private constructor(writer: CassetteWriter, upstream: LiveUpstream, { options, host }: SessionParts) {
    this.isolation = isolate("record", options.isolation, host);
    this.#writer = writer;
    this.#upstream = upstream;
    this.#recorder = new Recorder({
      upstream,
      sink: writer,
      redactor: redactorFor(options, host),
      rules: compileFor(toKeyRules(options), host),
      onLost: (_request, error) => this.#lost.push(error),
    });
    this.scope = new Scope(this.#recorder);
  }

  /** Begins to record; what it needs of the network is loaded only now. */
  static async open(place: CassettePlace, parts: SessionParts): Promise<Recording> {
    const writer = new CassetteWriter(place.path, newHeader(place, parts.options));
    return new Recording(writer, await openLiveUpstream(parts.host), parts);
  }

  steps(): Step[] {
    return this.#writer.steps();
  }

  /** What is recorded is what it is held against. */
  fidelity(): number {
    return 1;
  }

  async end({ failed }: Ended): Promise<void> {
    this.scope.release();
    await this.#recorder.settle(failed ? 0 : settleMs, failed ? 0 : settleMs / 2);
    if (failed) return; // half a cassette would be replayed as if it were whole
    if (this.#lost.length > 0) throw this.#lost[0];
    const durationMs = Math.round(performance.now() - this.#startMs);
    this.#writer.finish({ status: "completed", exitCode: null, durationMs });
  }

  [Symbol.dispose](): void {
    this.#upstream[Symbol.dispose]();
  }
}

/** What a session is made with. */
export interface SessionParts {
  readonly options: CassetteOptions;
  readonly host: Host;
}

/** A cassette goes to other machines: no variable and no folder of this one is named in it. */
function newHeader({ name }: CassettePlace, options: CassetteOptions): TraceHeader {
  const now = new Date();
  return {
    kind: "trace",
    version: 1,
    runId: newRunId(now),
    name,
    command: [],
    cwd: ".",
    timestamp: now.toISOString(),
    agrepl: version,
    env: [],
    key: toKeyRules(options),
    redaction: { version: 1 },
  };
}

function newRunId(now: Date): string {
  const digits = now.toISOString().replace(/\D/g, "");
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${randomInt(36 ** 4).toString(36).padStart(4, "0")}`;
}
