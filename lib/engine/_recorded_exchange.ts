import type { Header, RecordedError, ResponseEnd, ResponseHead } from "../step/mod.ts";
import { clientClosed, sendAnswer, upstreamErrorAnswer } from "./_answers.ts";
import { ExchangeCopy, type ExchangeCopyOptions } from "./_exchange_copy.ts";
import { type StepOutput, StepTimer } from "./_recorded_step.ts";
import { drainedAfterCloseMs, drainOver, relayBody } from "./_relay.ts";
import { type ChannelEnd, relayChannels, type Side } from "./_relay_channels.ts";
import { TeedBody } from "./_teed_body.ts";
import {
  type Channel,
  type Clock,
  type LiveRequest,
  type LiveResponse,
  type ResponseSink,
  type Upstream,
  UpstreamError,
} from "./exchange.ts";

/** What an exchange is recorded with. */
export interface RecordedExchangeOptions extends ExchangeCopyOptions {
  readonly upstream: Upstream;
  /** Called with what could not be written. */
  readonly onLost: (url: string, error: unknown) => void;
  /** Called with each failure of an upstream that a client was told of. */
  readonly onFailed?: (url: string, error: RecordedError) => void;
  /** Called with each connection that was switched to a protocol of which nothing is kept. */
  readonly onUnrecorded?: (url: string, protocol: string) => void;
}

/** Frames are not held in memory beyond this until the next line is due. */
const heldLimitBytes = 4 * 1024 * 1024;

/** One exchange under record: its live side and its copy. */
export class RecordedExchange {
  readonly #seq: number;
  readonly #request: LiveRequest;
  readonly #sink: ResponseSink;
  readonly #options: RecordedExchangeOptions;
  readonly #timer: StepTimer;
  readonly #copy: ExchangeCopy;
  readonly #body: TeedBody;
  readonly #stop = new AbortController();
  /** Of a response that is on its way. */
  #head: ResponseHead | null = null;
  #draining: Promise<void> | null = null;
  /** When the client was first seen to be gone. */
  #goneMs: number | null = null;
  /** When the last line was written. */
  #lineMs: number | null = null;

  constructor(
    { seq, request, sink }: { readonly seq: number; readonly request: LiveRequest; readonly sink: ResponseSink },
    options: RecordedExchangeOptions,
    clock: Clock,
  ) {
    this.#seq = seq;
    this.#request = request;
    this.#sink = sink;
    this.#options = options;
    this.#timer = new StepTimer(clock);
    this.#copy = new ExchangeCopy(request, options);
    this.#body = new TeedBody(request.body, (bytes) => this.#copy.pushRequest(bytes));
  }

  /** True once nobody waits for the answer any more. */
  get clientGone(): boolean {
    return this.#sink.closed;
  }

  /** Gives up an upstream that has fallen silent, once its client has been gone for as long as one is read on for. */
  endDrain(): void {
    if (!this.#sink.closed) return;
    const nowMs = this.#timer.sinceStart();
    this.#goneMs ??= nowMs;
    if (nowMs - this.#goneMs >= drainedAfterCloseMs) this.giveUpDrain();
  }

  /** Gives up what nobody waits for any more: the step ends as `client_closed`. */
  giveUpDrain(): void {
    this.#stop.abort(drainOver);
  }

  /** Gives up what is still to come: the step ends as `interrupted`. */
  interrupt(): void {
    this.#stop.abort();
  }

  /** Answers, and writes the step down. */
  async run(): Promise<void> {
    const output = await this.#relay();
    if (output.kind === "unrecorded" || this.#sink.withdrawn === true) return this.#copy.discard();
    await this.#drainRequest();
    // A body that was refused before it began is not missing.
    const wholeRequest = this.#body.ended ? !this.#body.brokenOff : !this.#body.begun;
    try {
      await this.#copy.finish({ ...this.#parts(), wholeRequest, output });
    } catch (error) {
      this.#copy.discard();
      this.#options.onLost(this.#name, error);
    }
  }

  get #name(): string {
    return `${this.#request.method} ${this.#request.url}`;
  }

  /**
   * Writes a line of a step that has been open for long (design: long streams), so that a kill takes little of it.
   *
   * @param openAfterMs How long a step is left to end by itself before it has a line.
   * @param everyMs How long a line must be ago before the next one.
   */
  writeOpen(openAfterMs: number, everyMs: number): void {
    const nowMs = this.#timer.sinceStart();
    if (this.#head === null || nowMs < (this.#lineMs === null ? openAfterMs : this.#lineMs + everyMs)) return;
    // The last of a counted body has been read, and nobody has asked what comes behind it: only then is it known whole.
    if (!this.#body.ended) return this.#body.begun ? void this.#drainRequest() : undefined;
    if (this.#body.brokenOff) return;
    this.#lineMs = nowMs;
    this.#timer.end();
    const output = { kind: "response", head: this.#head, trailers: (): Header[] => [], end: "open" } as const;
    this.#copy.writeOpen({ ...this.#parts(), wholeRequest: true, output });
  }

  #parts() {
    return { seq: this.#seq, request: this.#request, timer: this.#timer };
  }

  async #relay(): Promise<StepOutput> {
    const { signal } = this.#stop;
    const sink = this.#sink;
    try {
      const response = await this.#options.upstream.exchange(
        { ...this.#request, body: this.#body.stream },
        sink,
        signal,
      );
      this.#timer.head();
      if (response.channel !== undefined) return await this.#relayChannel(response, response.channel);
      sink.sendHead(response);
      this.#copy.beginResponse(response.headers);
      this.#head = response;
      const copy = (bytes: Uint8Array) => this.#copy.pushResponse(bytes, this.#timer.sinceStart());
      const end = await relayBody({ response, sink, signal, copy });
      return { kind: "response", head: response, trailers: response.trailers, ...end };
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      // Given up by the client before anything came: no failure of the upstream's, and a replay answers as little.
      return { kind: "error", error: sink.closed ? clientClosed : this.#answerError(error) };
    } finally {
      this.#head = null;
      this.#timer.end();
    }
  }

  /** The connection is no HTTP any more: its bytes pass untouched, and frames are kept where they are known. */
  async #relayChannel(head: LiveResponse, server: Channel): Promise<StepOutput> {
    const { upgrade = "" } = this.#request;
    const client = this.#sink.upgrade?.(head);
    if (client === undefined) {
      server.abort();
      throw new TypeError(`Cannot switch to "${upgrade}": the client's connection stays HTTP, expected an upgrade`);
    }
    const { signal } = this.#stop;
    const isSocket = upgrade === "websocket";
    if (isSocket) {
      this.#copy.beginSocket(head.headers, (reason) => this.#options.onLost(this.#name, toLoss(reason)));
      this.#head = head;
    } else this.#options.onUnrecorded?.(this.#request.url, upgrade);
    const copy = (from: Side, bytes: Uint8Array) => isSocket ? this.#copyFrames(from, bytes) : undefined;
    const ended = await relayChannels({ client, server, signal, copy });
    if (!isSocket) return { kind: "unrecorded" };
    return { kind: "response", head, trailers: () => [], ...this.#socketEnd(ended) };
  }

  #copyFrames(from: Side, bytes: Uint8Array): Promise<void> | undefined {
    const copied = this.#copy.pushSocket(from, bytes, this.#timer.sinceStart());
    if ((this.#copy.socket?.heldBytes ?? 0) > heldLimitBytes) this.writeOpen(0, 0);
    return copied;
  }

  #socketEnd(ended: ChannelEnd): ResponseEnd {
    const { closed = false, unreadable = null } = this.#copy.socket ?? {};
    if (closed) return { end: "complete" };
    if (unreadable !== null) return { end: "open", unreadable }; // as all that was cut off
    if (ended.kind === "interrupted") return { end: "interrupted" };
    if (ended.first === "client") return { end: "client_closed" };
    return { end: ended.broken ? "upstream_reset" : "complete" };
  }

  #answerError(failure: UpstreamError): RecordedError {
    const message = this.#options.redactor.text(failure.message).stored;
    const resetCode = this.#request.httpVersion === "2" ? failure.streamCode : null;
    const error = { phase: failure.phase, code: failure.code, message, ...(resetCode === null ? {} : { resetCode }) };
    if (this.#sink.failWith !== undefined) this.#sink.failWith(error);
    else if (resetCode === null) sendAnswer(upstreamErrorAnswer(error), this.#sink);
    else this.#sink.abort(resetCode); // clients know these, and some ask again
    if (failure.phase !== "read") this.#sink.retire?.();
    this.#options.onFailed?.(this.#name, error);
    return error;
  }

  /** A client may never send what its upstream did not want to read: the end of the run ends the wait. */
  #drainRequest(): Promise<void> {
    if (this.#draining === null) {
      if (this.#body.ended) return Promise.resolve();
      // What fails: the client broke off its own request after it had its answer; what was read stands in the step.
      this.#draining = Promise.race([this.#body.drain(), aborted(this.#stop.signal)]).catch(() => {});
    }
    return this.#draining;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function toLoss(reason: string): SyntaxError {
  return new SyntaxError(`${reason}, which is no WebSocket that can be kept; what came before is recorded`);
}
