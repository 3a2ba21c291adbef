import { type Clock, PassThrough, type Replayer, type ReplayOutcome, systemClock } from "../engine/mod.ts";
import { hasDiverged } from "../report/mod.ts";
import type { Step } from "../step/mod.ts";
import { TraceFile } from "../store/mod.ts";
import type { SessionOptions } from "./cassette_options.ts";
import type { CassettePlace } from "./_cassette_path.ts";
import { isolate, type Isolation } from "./isolation.ts";
import { toDivergence } from "./_divergence.ts";
import { redactorFor, toShown } from "./_engine_parts.ts";
import type { Host } from "./host.ts";
import { type LiveUpstream, openLiveUpstream } from "./_live_upstream.ts";
import { makeReplayer } from "./_make_replayer.ts";
import { ReplayDivergenceError } from "./replay_divergence_error.ts";
import { RequestsLeftRunningError } from "./requests_left_running_error.ts";
import { Scope } from "./_scope.ts";
import type { Ended, Session, SessionParts } from "./_session.ts";

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
  readonly #options: SessionOptions;
  readonly #host: Host;
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
    this.#host = host;
  }

  /**
   * Opens a cassette.
   *
   * @throws {TraceFormatError} when it is damaged or newer.
   */
  static async open(mode: "replay" | "fallback", { path }: CassettePlace, parts: SessionParts): Promise<Replaying> {
    using unopened = new DisposableStack();
    const trace = unopened.use(new TraceFile(path, null, { decode: "late" }));
    const upstream = unopened.use(mode === "fallback" ? await openLiveUpstream(parts.host) : null);
    const hurry = new AbortController();
    const replayer = await makeReplayer(trace, parts, {
      clock: clockUntil(hurry.signal),
      ...(upstream === null ? {} : { fallback: new PassThrough(upstream) }),
    });
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
    const left = await this.scope.leave(ended.failed ? 0 : settleMs);
    const running = ended.failed ? [] : toShown(left, redactorFor(this.#options, this.#host)); // who fails leaves what it began
    this.scope.breakOff();
    this.#hurry.abort();
    await this.scope.settled();
    const outcome = this.#replayer.outcome();
    if (this.#hasDiverged(outcome)) {
      const allowUnused = this.#options.allowUnused === true;
      const divergence = toDivergence(this.#trace, outcome, { ended, running, allowUnused });
      throw new ReplayDivergenceError(divergence, causeOf(ended));
    }
    if (running.length > 0) throw new RequestsLeftRunningError(this.#trace.path, running);
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
}

/** A clock whose sleepers are all woken at once. */
function clockUntil(signal: AbortSignal): Clock {
  return { ...systemClock, sleep: (ms) => systemClock.sleep(ms, signal) };
}

function causeOf({ failed, cause }: Ended): ErrorOptions | undefined {
  return failed ? { cause } : undefined;
}
