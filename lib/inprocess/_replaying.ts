import { type Clock, PassThrough, rekey, Replayer, type ReplayOutcome, systemClock } from "../engine/mod.ts";
import { hasDiverged } from "../report/mod.ts";
import type { Step } from "../step/mod.ts";
import { TraceFile } from "../store/mod.ts";
import { type CassetteOptions, joinKeyRules, toOnExhausted, toPace } from "./cassette_options.ts";
import type { CassettePlace } from "./_cassette_path.ts";
import { compileFor, redactorFor } from "./_engine_parts.ts";
import { isolate, type Isolation } from "./isolation.ts";
import { type LiveUpstream, openLiveUpstream } from "./_live_upstream.ts";
import type { SessionParts } from "./_recording.ts";
import { type Divergence, ReplayDivergenceError } from "./replay_divergence_error.ts";
import { Scope } from "./_scope.ts";
import type { Ended, Session } from "./_session.ts";

/** What was begun in the function may take this long to end behind it. */
const settleMs = 1000;

/** What a replay is made of. */
interface ReplayingParts extends SessionParts {
  readonly trace: TraceFile;
  readonly replayer: Replayer;
  /** The way out of a fallback; `null` in a strict replay. */
  readonly upstream: LiveUpstream | null;
  /** Ends the pauses between recorded chunks. */
  readonly hurry: AbortController;
}

/** Replays a cassette. */
export class Replaying implements Session {
  readonly mode: "replay" | "fallback";
  readonly scope: Scope;
  readonly isolation: Isolation;
  readonly #trace: TraceFile;
  readonly #replayer: Replayer;
  readonly #upstream: LiveUpstream | null;
  readonly #hurry: AbortController;
  readonly #options: CassetteOptions;
  #steps: Step[] | null = null;

  private constructor({ trace, replayer, upstream, hurry, options, host }: ReplayingParts) {
    this.mode = upstream === null ? "replay" : "fallback";
    this.isolation = isolate(this.mode, options.isolation, host);
    this.scope = new Scope(replayer);
    this.#trace = trace;
    this.#replayer = replayer;
    this.#upstream = upstream;
    this.#hurry = hurry;
    this.#options = options;
  }

  /**
   * Opens a cassette.
   *
   * @throws {TraceFormatError} when it is damaged or newer.
   */
  static async open(mode: "replay" | "fallback", { path }: CassettePlace, parts: SessionParts): Promise<Replaying> {
    using unopened = new DisposableStack();
    const trace = unopened.use(new TraceFile(path, null));
    const upstream = unopened.use(mode === "fallback" ? await openLiveUpstream(parts.host) : null);
    const hurry = new AbortController();
    const replayer = await makeReplayer(trace, upstream, { ...parts, clock: clockUntil(hurry.signal) });
    const replaying = new Replaying({ ...parts, trace, replayer, upstream, hurry });
    unopened.move();
    return replaying;
  }

  steps(): Step[] {
    this.#steps ??= this.#trace.entries.map((entry) => this.#trace.step(entry));
    return this.#steps;
  }

  fidelity(): number {
    return this.#replayer.outcome().fidelity;
  }

  async end(ended: Ended): Promise<void> {
    this.scope.release();
    const enough = new AbortController();
    await Promise.race([this.scope.settled(), systemClock.sleep(settleMs, enough.signal)]);
    enough.abort();
    this.scope.breakOff();
    this.#hurry.abort();
    await this.scope.settled();
    const outcome = this.#replayer.outcome();
    if (this.#hasDiverged(outcome)) throw new ReplayDivergenceError(this.#divergence(outcome), causeOf(ended));
  }

  [Symbol.dispose](): void {
    this.#upstream?.[Symbol.dispose]();
    this.#trace.close();
  }

  #hasDiverged(outcome: ReplayOutcome): boolean {
    return hasDiverged({
      ...outcome,
      runId: this.#trace.header.runId,
      mode: this.mode === "replay" ? "strict" : "fallback",
      networkCalls: this.#upstream?.calls ?? 0,
      isolation: { held: this.isolation.held, why: this.isolation.why },
      recordedMs: null,
      replayedMs: 0,
      exitCode: 0,
      recordedExitCode: null,
      allowUnused: this.#options.allowUnused === true,
      warnings: [],
    });
  }

  #divergence({ misses, unused, differences }: ReplayOutcome): Divergence {
    const forgiven = this.#options.allowUnused === true;
    const left = new Set(forgiven ? [] : unused);
    return {
      path: this.#trace.path,
      misses: misses.filter((each) => !each.optional).map((each) => each.miss),
      unused: this.steps().filter((step) => left.has(step.seq)).map(({ seq, request: { method, url } }) => {
        return { seq, method, url };
      }),
      differences: [...differences].map(([seq, what]) => ({ seq, what })),
    };
  }
}

async function makeReplayer(
  trace: TraceFile,
  upstream: LiveUpstream | null,
  { options, host, clock }: SessionParts & { readonly clock: Clock },
): Promise<Replayer> {
  const keyRules = joinKeyRules(trace.header.key, options);
  const context = { redactor: redactorFor(options, host), rules: compileFor(keyRules, host) };
  return new Replayer({
    ...context,
    trace,
    entries: keyRules === trace.header.key ? trace.entries : await rekey(trace, context),
    onExhausted: toOnExhausted(options),
    pace: toPace(options.timing),
    clock,
    ...(upstream === null ? {} : { fallback: new PassThrough(upstream) }),
  });
}

/** A clock whose sleepers are all woken at once. */
function clockUntil(signal: AbortSignal): Clock {
  return { ...systemClock, sleep: (ms) => systemClock.sleep(ms, signal) };
}

function causeOf({ failed, cause }: Ended): ErrorOptions | undefined {
  return failed ? { cause } : undefined;
}
