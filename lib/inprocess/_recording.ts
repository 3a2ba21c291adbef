import { Recorder } from "../engine/mod.ts";
import type { Redactor } from "../redact/mod.ts";
import { type Step, type TraceHeader, version } from "../step/mod.ts";
import { CassetteWriter, newRunId } from "../store/mod.ts";
import { CassetteInUseError } from "./cassette_in_use_error.ts";
import { type SessionOptions, toKeyRules } from "./cassette_options.ts";
import type { CassettePlace } from "./_cassette_path.ts";
import { compileFor, redactorFor, toShown } from "./_engine_parts.ts";
import { isolate, type Isolation } from "./isolation.ts";
import { type LiveUpstream, openLiveUpstream } from "./_live_upstream.ts";
import { RequestsLeftRunningError } from "./requests_left_running_error.ts";
import { Scope } from "./_scope.ts";
import type { Ended, Session, SessionParts } from "./_session.ts";

/** What was begun in the function may take this long to end behind it; and what nobody reads any more, half of it. */
const settleMs = 2000;

/** Records into a cassette. */
export class Recording implements Session {
  readonly mode = "record";
  readonly scope: Scope;
  readonly isolation: Isolation;
  readonly #writer: CassetteWriter;
  readonly #recorder: Recorder;
  readonly #redactor: Redactor;
  readonly #upstream: LiveUpstream;
  readonly #startMs = performance.now();
  readonly #lost: unknown[] = [];

  private constructor(writer: CassetteWriter, upstream: LiveUpstream, { options, host }: SessionParts) {
    this.isolation = isolate("record", options.isolation, host);
    this.#writer = writer;
    this.#upstream = upstream;
    this.#redactor = redactorFor(options, host);
    this.#recorder = new Recorder({
      upstream,
      sink: writer,
      redactor: this.#redactor,
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
    const running = await this.scope.leave(failed ? 0 : settleMs);
    const broken = failed || running.length > 0;
    if (broken) this.scope.breakOff();
    await this.#recorder.settle(broken ? 0 : settleMs / 2);
    if (failed) return; // half a cassette would be replayed as if it were whole
    if (running.length > 0) throw new RequestsLeftRunningError(this.#writer.path, toShown(running, this.#redactor));
    if (this.#lost.length > 0) throw this.#lost[0];
    if (this.#writer.steps().length === 0) throw new TypeError(nothingRecorded(this.#writer.path));
    const durationMs = Math.round(performance.now() - this.#startMs);
    const finished = this.#writer.finish({ status: "completed", exitCode: null, durationMs });
    if (finished === "written") return;
    throw new CassetteInUseError(this.#writer.path, "another recording has replaced it meanwhile");
  }

  [Symbol.dispose](): void {
    this.#upstream[Symbol.dispose]();
  }
}

/** An empty cassette would let every later run pass that asks nothing, whatever it asks by ways of its own. */
function nothingRecorded(path: string): string {
  return `Cannot record "${path}": nothing that its function asked was captured, expected a request or a t.tool(). ` +
    "Nothing was written. A client that was made before withReplay(), or kept `fetch`, goes past it: make it inside of " +
    "the function, or give it `fetch: (...args) => fetch(...args)`";
}

/** A cassette goes to other machines: no variable and no folder of this one is named in it. */
function newHeader({ name }: CassettePlace, options: SessionOptions): TraceHeader {
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
