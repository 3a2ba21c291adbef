/**
 * A recorder and a replayer behind a real proxy, over a store in a folder of its own.
 *
 * @module
 */
import { deepEqual, equal } from "node:assert/strict";
import { tablesOnly, type TraceDifference, traceDifference } from "../../lib/diff/mod.ts";
import {
  type Clock,
  comparedTrace,
  type Engine,
  Keeper,
  type KeeperOptions,
  type LongSteps,
  PassThrough,
  Recorder,
  rekey,
  Replayer,
  type ReplayOutcome,
} from "../../lib/engine/mod.ts";
import { compileRules } from "../../lib/key/mod.ts";
import type { OnExhausted } from "../../lib/lookup/mod.ts";
import { type Authority, createAuthority, Proxy, type ProxyNotice } from "../../lib/proxy/mod.ts";
import { Redactor } from "../../lib/redact/mod.ts";
import { defaultKeyRules, type KeyRules, type Step } from "../../lib/step/mod.ts";
import { type StepSink, storeLayout, TraceFile, TraceWriter } from "../../lib/store/mod.ts";
import { NetworkUpstream, type UpstreamProxies } from "../../lib/upstream/mod.ts";

/** How to record. */
export interface RigRecording {
  readonly trust?: readonly string[];
  readonly drop?: readonly string[];
  /** What stands between agrepl and the network. */
  readonly proxies?: UpstreamProxies;
  readonly clock?: Clock;
  /** How long exchanges may go on after the client. @default {2000} */
  readonly patienceMs?: number;
  /** How long they may go on when their client is gone. @default {patienceMs} */
  readonly goneMs?: number;
  /** When a step that is still open is written. */
  readonly longSteps?: LongSteps;
  /** What stands between the recorder and the trace. */
  readonly wrapSink?: (sink: StepSink) => StepSink;
}

/** How to replay. */
export interface RigReplay {
  readonly pace?: "none" | number;
  readonly clock?: Clock;
  readonly onExhausted?: OnExhausted;
  readonly fallback?: boolean;
  /** Rules other than the trace's. */
  readonly rules?: KeyRules;
  /** Keep what is asked and answered as a trace of its own. */
  readonly keep?: boolean;
}

/** What uses a proxy: a client. */
export type Client<Value> = (proxyPort: number) => Promise<Value>;

const folders = { cwd: "/work", home: "/home/me" };

/** One run, recorded and replayed in this process. */
export class Rig implements AsyncDisposable {
  readonly folder: string;
  readonly authority: Authority = createAuthority();
  readonly notices: ProxyNotice[] = [];
  /** What the recorder could not write. */
  readonly lost: string[] = [];
  /** What was switched to a protocol of which nothing is kept. */
  readonly unrecorded: string[] = [];
  /** The trace that was recorded last. */
  tracePath = "";
  /** The trace of a replay that was kept last. */
  keptPath = "";
  #wake = () => {};
  #growing = "";

  constructor() {
    this.folder = Deno.makeTempDirSync({ prefix: "rig-" });
  }

  /** Records what a client does; gives what it gave. */
  async record<Value>(client: Client<Value>, options: RigRecording = {}): Promise<Value> {
    const layout = storeLayout(this.folder);
    const writer = new TraceWriter(layout, header());
    const sink = options.wrapSink?.(writer) ?? writer;
    using upstream = new NetworkUpstream({
      trust: options.trust ?? [],
      ...(options.proxies === undefined ? {} : { proxies: options.proxies }),
    });
    const recorder = new Recorder({
      upstream,
      sink,
      redactor: new Redactor(),
      rules: compileRules(defaultKeyRules, folders),
      onUnrecorded: (url, protocol) => this.unrecorded.push(`${protocol} ${url}`),
      onLost: (url, error) => this.lost.push(`${url}: ${error instanceof Error ? error.message : error}`),
      ...(options.clock === undefined ? {} : { clock: options.clock }),
      ...(options.longSteps === undefined ? {} : { longSteps: options.longSteps }),
    });
    this.#growing = `${layout.runs}/${writer.header.runId}.ndjson`;
    await using proxy = await Proxy.listen({
      engine: recorder,
      authority: this.authority,
      drop: options.drop ?? [],
      onNotice: (notice) => this.#take(notice),
    });
    const value = await client(proxy.port);
    await recorder.settle(options.patienceMs ?? 2000, options.goneMs);
    const { digest } = writer.finish({ status: "completed", exitCode: 0, durationMs: 1 });
    this.tracePath = `${layout.traces}/${digest?.slice(7)}.ndjson`;
    return value;
  }

  /** Replays what was recorded last to a client; gives what it gave, and how it went. */
  async replay<Value>(
    client: Client<Value>,
    options: RigReplay = {},
  ): Promise<{ readonly value: Value; readonly outcome: ReplayOutcome }> {
    using trace = this.open();
    const context = { redactor: new Redactor(), rules: compileRules(options.rules ?? defaultKeyRules, folders) };
    using upstream = new NetworkUpstream();
    const { pace, clock, onExhausted } = options;
    const replayer = new Replayer({
      trace,
      entries: options.rules === undefined ? trace.entries : await rekey(trace, context),
      ...context,
      ...(pace === undefined ? {} : { pace }),
      ...(clock === undefined ? {} : { clock }),
      ...(onExhausted === undefined ? {} : { onExhausted }),
      ...(options.fallback === true ? { fallback: new PassThrough(upstream) } : {}),
    });
    const { authority } = this;
    const kept = options.keep === true
      ? this.#keep(replayer, { ...context, ...(clock === undefined ? {} : { clock }) })
      : null;
    await using proxy = await Proxy.listen({
      engine: kept?.keeper ?? replayer,
      authority,
      onNotice: (notice) => this.#take(notice),
    });
    const value = await client(proxy.port);
    await kept?.end();
    return { value, outcome: replayer.outcome() };
  }

  #keep(
    engine: Engine,
    context: Pick<KeeperOptions, "redactor" | "rules" | "clock">,
  ): { readonly keeper: Keeper; readonly end: () => Promise<void> } {
    const layout = storeLayout(this.folder);
    const sink = new TraceWriter(layout, header());
    const onLost = (url: string, error: unknown) =>
      void this.lost.push(`${url}: ${error instanceof Error ? error.message : error}`);
    const keeper = new Keeper({ engine, sink, onLost, ...context });
    const end = async () => {
      await keeper.settle(2000);
      const { digest } = sink.finish({ status: "completed", exitCode: 0, durationMs: 1 });
      this.keptPath = `${layout.traces}/${digest?.slice(7)}.ndjson`;
    };
    return { keeper, end };
  }

  /** What differs between the trace that was recorded last and the replay that was kept last. */
  keptDifference(): TraceDifference {
    using a = this.open();
    using b = this.openKept();
    return traceDifference(comparedTrace(a, a.entries), comparedTrace(b, b.entries), {
      rules: tablesOnly,
      keyRules: defaultKeyRules,
    });
  }

  /** A faithful replay, kept, differs from the recording in nothing that means something. */
  assertKeptAlike(): void {
    const signal = this.keptDifference().steps.flatMap(({ place, deltas }) => [
      ...(place?.tier === "signal" ? [place.why] : []),
      ...deltas.filter(({ tier }) => tier === "signal"),
    ]);
    deepEqual(signal, []);
  }

  /** The replay that was kept last. */
  openKept(): TraceFile {
    return new TraceFile(this.keptPath, storeLayout(this.folder));
  }

  /** The steps of the replay that was kept last. */
  keptSteps(): Step[] {
    using trace = this.openKept();
    return trace.entries.map((entry) => trace.step(entry));
  }

  /** Records and replays the same client, holds what it saw the second time against the first, and wants F = 1. */
  async both<Value>(client: Client<Value>, recording: RigRecording = {}): Promise<Value> {
    const recorded = await this.record(client, recording);
    const { value, outcome } = await this.replay(client, { keep: true });
    deepEqual(value, recorded);
    assertFaithful(outcome);
    this.assertKeptAlike();
    return recorded;
  }

  /** Waits until the proxy has given a notice. */
  async notice(): Promise<ProxyNotice> {
    while (true) {
      const [first] = this.notices;
      if (first !== undefined) return first;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  #take(notice: ProxyNotice): void {
    this.notices.push(notice);
    this.#wake();
  }

  /** The trace that was recorded last. */
  open(): TraceFile {
    return new TraceFile(this.tracePath, storeLayout(this.folder));
  }

  /** The steps that were recorded last. */
  steps(): Step[] {
    using trace = this.open();
    return trace.entries.map((entry) => trace.step(entry));
  }

  /** The trace that is being recorded, as far as it is written. */
  growing(): string {
    return Deno.readTextFileSync(this.#growing);
  }

  /** The whole trace and all its blobs, to be searched. */
  stored(): string {
    return [...filesIn(this.folder)].map((path) => new TextDecoder("latin1").decode(Deno.readFileSync(path))).join(
      "\n",
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** F = 1, D = ∅, nothing asked that was not there. */
export function assertFaithful(outcome: ReplayOutcome): void {
  const { fidelity, diverged, misses, damaged, differences } = outcome;
  deepEqual({ diverged, misses, damaged, differences: [...differences] }, {
    diverged: [],
    misses: [],
    damaged: [],
    differences: [],
  });
  equal(fidelity, 1);
}

function* filesIn(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* filesIn(path);
    else yield path;
  }
}

let runs = 0;

function header() {
  return {
    kind: "trace",
    version: 1,
    runId: `20261120-000000-${runs++}`,
    name: null,
    command: ["client"],
    cwd: ".",
    timestamp: "2026-11-20T00:00:00.000Z",
    agrepl: "0.0.0",
    env: [],
    key: defaultKeyRules,
    redaction: { version: 1 },
  } as const;
}
