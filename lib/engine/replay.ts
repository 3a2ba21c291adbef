/**
 * Replays: redact, key, look up, serve the recorded bytes. There is no way out to the network in here.
 *
 * @module
 */
import { type Candidate, explainMiss, type Fidelity, fidelityOf, type MissExplanation } from "../diff/mod.ts";
import { decodeContent } from "../key/mod.ts";
import { classify } from "../lens/mod.ts";
import { Lookup, type Miss, type OnExhausted } from "../lookup/mod.ts";
import { decodeUtf8, type Header, headerValue, type RequestHead, type Step, TraceFormatError } from "../step/mod.ts";
import type { TraceEntry, TraceFile } from "../store/mod.ts";
import { damagedAnswer, missAnswer, sendAnswer } from "./_answers.ts";
import { announcesBody, contentEncoding } from "./_content.ts";
import { type CopiedRequest, type CopyContext, RequestCopy } from "./_request_copy.ts";
import { type Pace, serveStep } from "./_serve_step.ts";
import { serveSocket } from "./_serve_socket.ts";
import { explainUnsendable } from "./_unsendable.ts";
import { requestedUpgrade } from "./requested_upgrade.ts";
import { RecordedOrigins } from "./_recorded_origins.ts";
import {
  type Clock,
  type Engine,
  type LiveRequest,
  type OriginAddress,
  type Protocol,
  type ResponseSink,
  systemClock,
} from "./exchange.ts";

/** What a replayer works with. */
export interface ReplayerOptions extends CopyContext {
  readonly trace: TraceFile;
  /** The trace's steps; with keys of their own where other rules than the trace's hold. */
  readonly entries: readonly TraceEntry[];
  /** @default {"fail"} */
  readonly onExhausted?: OnExhausted;
  /** How fast recorded chunks go out. @default {"none"} */
  readonly pace?: Pace;
  /** Where a miss goes instead of being answered; counted all the same. */
  readonly fallback?: Engine;
  /** Called once per distinct miss that counts, when it happens. */
  readonly onMiss?: (miss: MissExplanation) => void;
  /** @default {systemClock} */
  readonly clock?: Clock;
}

/** A miss and how often it was asked. */
export interface CountedMiss {
  readonly miss: MissExplanation;
  readonly attempts: number;
  /** Of a package registry, an update check: answered like any other, and no divergence. */
  readonly optional: boolean;
}

/** How a replay went. */
export interface ReplayOutcome extends Fidelity {
  readonly hits: number;
  /** One per distinct key. */
  readonly misses: readonly CountedMiss[];
  /** Recorded, not optional, never asked for: `seq`s in order. */
  readonly unused: readonly number[];
  /** What differed from the recording, by `seq`. */
  readonly differences: ReadonlyMap<number, string>;
  /** Steps that could not be read when they were asked for. */
  readonly damaged: readonly string[];
}

/** The headers by which equal requests are told apart (design: lookup). */
const telling = ["accept", "range", "if-none-match", "last-event-id"] as const;

/** Answers from a trace. */
export class Replayer implements Engine {
  readonly #options: ReplayerOptions;
  readonly #lookup: Lookup<TraceEntry>;
  readonly #clock: Clock;
  readonly #origins: RecordedOrigins;
  readonly #http2Origins: RecordedOrigins;
  /** Per `seq` that was served, or is being served: what differs. */
  readonly #served = new Map<number, () => string | null>();
  readonly #misses = new Map<string, { miss: MissExplanation; attempts: number; optional: boolean }>();
  readonly #damaged: string[] = [];
  #candidates: Candidate[] | null = null;
  /** The step that will most likely be asked for next, read while nobody waits. */
  #ahead: { readonly entry: TraceEntry; readonly step: Step } | null = null;
  #hits = 0;

  constructor(options: ReplayerOptions) {
    this.#options = options;
    this.#lookup = new Lookup(options.entries, options.onExhausted);
    const { trace, entries } = options;
    this.#origins = new RecordedOrigins(trace, entries);
    this.#http2Origins = new RecordedOrigins(trace, entries.filter((entry) => entry.http2));
    this.#clock = options.clock ?? systemClock;
  }

  protocolOf(origin: OriginAddress, offers: readonly Protocol[]): Protocol | Promise<Protocol> {
    const [first = "http/1.1"] = offers;
    if (offers.length < 2) return first;
    if (this.#http2Origins.has(origin)) return "h2";
    const { fallback } = this.#options;
    const unknown = fallback !== undefined && !this.#origins.has(origin);
    return unknown ? fallback.protocolOf(origin, offers) : "http/1.1";
  }

  async exchange(request: LiveRequest, sink: ResponseSink): Promise<void> {
    if (request.expectsContinue && await this.#serveRefusal(request, sink)) return;
    const copy = new RequestCopy(request, this.#options, null);
    const kept = request.body === null ? [] : await this.#readBody(copy, request, sink);
    const finished = copy.finish();
    // A turn of the event loop's microtasks costs about as much as the key itself, and most requests need none.
    const copied = finished instanceof Promise ? await finished : finished;
    const suits = (entry: TraceEntry) => this.#suits(entry, request);
    const found = this.#lookup.take(copied.key, suits, (entry) => this.#mayAnswer(entry, request));
    if (found.kind === "hit") return await this.#serve(found.entry, { asked: copied, headers: request.headers, sink });
    const miss = this.#count(found, { ...copied, upgrade: request.upgrade });
    if (this.#options.fallback === undefined) return sendAnswer(missAnswer(miss), sink);
    const body = request.body === null ? null : again(kept);
    await this.#options.fallback.exchange({ ...request, body }, sink);
  }

  /** How it has gone so far. */
  outcome(): ReplayOutcome {
    const { entries } = this.#options;
    const served = new Map([...this.#served].map(([seq, difference]) => [seq, difference()]));
    const differences = [...served].filter((each): each is [number, string] => each[1] !== null);
    return {
      ...fidelityOf(entries, served),
      hits: this.#hits,
      misses: [...this.#misses.values()],
      unused: this.#lookup.unused().filter((entry) => !entry.optional).map((entry) => entry.seq).sort((a, b) => a - b),
      differences: new Map(differences),
      damaged: this.#damaged,
    };
  }

  /** Reads a body into the copy; gives its pieces when it may have to be sent on. */
  async #readBody(copy: RequestCopy, request: LiveRequest, sink: ResponseSink): Promise<Uint8Array[]> {
    const kept: Uint8Array[] = [];
    if (request.expectsContinue) sink.sendContinue();
    for await (const bytes of request.body ?? []) {
      if (this.#options.fallback !== undefined) kept.push(bytes);
      await copy.push(bytes);
    }
    return kept;
  }

  /** Gives the recorded refusal of an expectation (RFC 9110 10.1.1): that client never sent its body. */
  async #serveRefusal(request: LiveRequest, sink: ResponseSink): Promise<boolean> {
    const copied = await new RequestCopy(request, this.#options, null).finish();
    const { key } = copied;
    const refusals = this.#options.entries.filter((entry) =>
      entry.key === key && this.#mayAnswer(entry, request) && this.#isRefusal(entry)
    );
    if (refusals.length === 0) return false;
    const found = this.#lookup.take(key, (entry) => refusals.includes(entry));
    if (found.kind === "miss") return false;
    await this.#serve(found.entry, { asked: copied, headers: request.headers, sink });
    return true;
  }

  #isRefusal(entry: TraceEntry): boolean {
    const request = this.#stepOrNull(entry)?.request;
    return request !== undefined && request.body === null && announcesBody(request.headers) &&
      headerValue(request.headers, "expect") !== undefined;
  }

  /** What was recorded as one protocol is never replayed as another, but to a client that cannot tell the two apart. */
  #mayAnswer(entry: TraceEntry, request: LiveRequest): boolean {
    if (request.anyVersion !== true && entry.http2 !== (request.httpVersion === "2")) return false;
    const step = this.#stepOrNull(entry);
    if (step === null) return true;
    this.#ahead = { entry, step }; // it is asked for again at once
    return requestedUpgrade(step.request) === request.upgrade;
  }

  #suits(entry: TraceEntry, request: RequestHead): boolean {
    const step = this.#stepOrNull(entry);
    if (step === null) return true; // passed over, it would shift the answers to all that ask the same
    if (entry.http2 !== (request.httpVersion === "2")) return false;
    return telling.every((name) => headerValue(step.request.headers, name) === headerValue(request.headers, name));
  }

  #step(entry: TraceEntry): Step {
    return this.#ahead?.entry === entry ? this.#ahead.step : this.#options.trace.step(entry);
  }

  /** Programs mostly ask in the order of the recording. */
  #readAhead(served: TraceEntry): void {
    const next = entryAfter(this.#options.entries, served.seq);
    if (next === undefined) return;
    setImmediate(() => {
      const step = this.#stepOrNull(next);
      this.#ahead = step === null ? null : { entry: next, step };
    });
  }

  /** `null` for a damaged step: whoever is served it is told. */
  #stepOrNull(entry: TraceEntry): Step | null {
    try {
      return this.#step(entry);
    } catch (error) {
      if (!(error instanceof TraceFormatError)) throw error;
      return null;
    }
  }

  async #serve(entry: TraceEntry, { asked, headers, sink }: Asker): Promise<void> {
    this.#hits++;
    try {
      const step = this.#step(entry);
      const unsendable = step.response === undefined ? null : explainUnsendable(step.response, step.response.trailers);
      if (unsendable !== null) {
        const reason = `Cannot send step ${entry.seq}: ${unsendable}, expected latin1 without line breaks`;
        return this.#answerDamaged(entry, reason, sink);
      }
      const { trace, pace = "none" } = this.#options;
      const watch = (difference: () => string | null) => void this.#served.set(entry.seq, difference);
      const serving = { trace, entry, step, sink, pace, clock: this.#clock, watch };
      const { response, error } = step;
      const { upgrade, witness } = sink;
      if (response !== undefined) witness?.ended(response.end);
      if (error !== undefined) witness?.failed(error);
      const differs = response?.frames === undefined || upgrade === undefined
        ? await serveStep({ ...serving, asked })
        : await serveSocket({
          ...serving,
          response,
          upgrade,
          headers,
          context: this.#options,
          onMiss: this.#missMessage,
        });
      this.#served.set(entry.seq, () => differs);
      if (!sink.closed) this.#readAhead(entry); // a client that left may have been the last: its trace is closed by then
    } catch (error) {
      if (!(error instanceof TraceFormatError)) throw error;
      this.#answerDamaged(entry, error.message, sink);
    }
  }

  #answerDamaged(entry: TraceEntry, reason: string, sink: ResponseSink): void {
    sink.meter = null;
    this.#damaged.push(reason);
    this.#served.set(entry.seq, () => reason);
    sendAnswer(damagedAnswer(reason), sink);
  }

  #count(found: Miss, copied: CopiedRequest & { readonly upgrade: string | undefined }): MissExplanation {
    const what = `${found.key} ${copied.upgrade ?? ""}`; // a plain request and an upgrade may have one key
    const known = this.#misses.get(what);
    if (known !== undefined) {
      known.attempts++;
      return known.miss;
    }
    this.#candidates ??= this.#options.entries.flatMap((entry) => this.#candidate(entry));
    const miss = explainMiss(copied, found, this.#candidates);
    const { method, url, headers, text } = copied;
    const { optional } = classify({ method, url, headers, bodyText: text });
    this.#misses.set(what, { miss, attempts: 1, optional });
    if (!optional) this.#options.onMiss?.(miss);
    return miss;
  }

  /** A message of a WebSocket that was not recorded there. */
  readonly #missMessage = (miss: MissExplanation): void => {
    const known = this.#misses.get(miss.key);
    this.#misses.set(miss.key, { miss, attempts: (known?.attempts ?? 0) + 1, optional: false });
    if (known === undefined) this.#options.onMiss?.(miss);
  };

  /** What a miss is held against; nothing where the step can no longer be read. */
  #candidate(entry: TraceEntry): Candidate[] {
    try {
      return [toCandidate(this.#options.trace, entry)];
    } catch (error) {
      if (!(error instanceof TraceFormatError)) throw error;
      return [];
    }
  }
}

/** Who asks, and where the answer goes. */
interface Asker {
  readonly asked: CopiedRequest;
  /** As they came. */
  readonly headers: readonly Header[];
  readonly sink: ResponseSink;
}

/** The first entry whose `seq` is greater, found by halving: entries are in the order of `seq`. */
function entryAfter(entries: readonly TraceEntry[], seq: number): TraceEntry | undefined {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.seq ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return entries[low];
}

function toCandidate(trace: TraceFile, entry: TraceEntry): Candidate {
  const { request } = trace.step(entry);
  const { method, url, headers, body, decoded } = request;
  const raw = trace.readBody(body, entry);
  const encoding = decoded === true ? null : contentEncoding(headers);
  const plain = encoding === null ? raw : decodeContent(raw, encoding, comparedBytes);
  const { seq, http2 } = entry;
  const text = plain === null ? null : decodeUtf8(plain);
  return { seq, http2, upgrade: requestedUpgrade(request), method, url, text, bodyBytes: raw.length };
}

/** A recorded body that decodes to more than this is compared by its length. */
const comparedBytes = 16 * 1024 * 1024;

async function* again(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
