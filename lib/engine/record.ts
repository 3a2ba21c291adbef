/**
 * Records: the live exchange goes on at full speed, its copy is cleaned, keyed and written.
 *
 * @module
 */
import type { RecordedError } from "../step/mod.ts";
import type { StepSink } from "../store/mod.ts";
import { sendAnswer, upstreamErrorAnswer } from "./_answers.ts";
import { ExchangeCopy } from "./_exchange_copy.ts";
import { type StepOutput, StepTimer } from "./_recorded_step.ts";
import { relayBody } from "./_relay.ts";
import type { CopyContext } from "./_request_copy.ts";
import { TeedBody } from "./_teed_body.ts";
import {
  type Clock,
  type Engine,
  type LiveRequest,
  type ResponseSink,
  systemClock,
  type Upstream,
  UpstreamError,
} from "./exchange.ts";

/** What a recorder works with. */
export interface RecorderOptions extends CopyContext {
  readonly upstream: Upstream;
  /** Where steps go. */
  readonly sink: StepSink;
  /** Called with what could not be written; the child's traffic goes on. */
  readonly onLost: (url: string, error: unknown) => void;
  /** @default {systemClock} */
  readonly clock?: Clock;
}

/** Answers from the network and writes each exchange down. */
export class Recorder implements Engine {
  readonly #options: RecorderOptions;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #open = new Set<Promise<void>>();
  #nextSeq = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  exchange(request: LiveRequest, sink: ResponseSink): Promise<void> {
    const exchange = this.#record(request, sink);
    this.#open.add(exchange);
    return exchange.finally(() => this.#open.delete(exchange));
  }

  /**
   * Waits for the exchanges that are still open; those that outlast the patience are ended as `interrupted`.
   *
   * @param patienceMs How long they may take.
   */
  async settle(patienceMs: number): Promise<void> {
    const all = () => Promise.allSettled([...this.#open]);
    const awake = new AbortController();
    await Promise.race([all(), this.#clock.sleep(patienceMs, awake.signal)]);
    awake.abort();
    this.#stop.abort();
    await all();
  }

  async #record(request: LiveRequest, sink: ResponseSink): Promise<void> {
    const seq = this.#nextSeq++;
    const timer = new StepTimer(this.#clock);
    const copy = new ExchangeCopy(request, this.#options);
    const body = new TeedBody(request.body, (bytes) => copy.pushRequest(bytes));
    const output = await this.#relay({ request: { ...request, body: body.stream }, sink, timer, copy });
    await drainRequest(body, sink, this.#stop.signal);
    // A body that was refused before it began is not missing.
    const wholeRequest = body.ended ? !body.brokenOff : !body.begun;
    try {
      this.#options.sink.append(await copy.finish({ seq, request, wholeRequest, output, timer }));
    } catch (error) {
      copy.discard();
      this.#options.onLost(`${request.method} ${request.url}`, error);
    }
  }

  async #relay({ request, sink, timer, copy }: Live): Promise<StepOutput> {
    const { signal } = this.#stop;
    try {
      const response = await this.#options.upstream.exchange(request, sink, signal);
      timer.head();
      sink.sendHead(response);
      copy.beginResponse(response.headers);
      const toCopy = (bytes: Uint8Array) => copy.pushResponse(bytes, timer.sinceStart());
      const end = await relayBody({ response, sink, signal, copy: toCopy });
      return { kind: "response", head: response, trailers: response.trailers, end };
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      return { kind: "error", error: this.#answerError(error, sink) };
    } finally {
      timer.end();
    }
  }

  #answerError(failure: UpstreamError, sink: ResponseSink): RecordedError {
    const message = this.#options.redactor.text(failure.message).stored;
    const error = { phase: failure.phase, code: failure.code, message };
    sendAnswer(upstreamErrorAnswer(error), sink);
    return error;
  }
}

/** An exchange under way: its live side and its copy. */
interface Live {
  readonly request: LiveRequest;
  readonly sink: ResponseSink;
  readonly timer: StepTimer;
  readonly copy: ExchangeCopy;
}

/** A client may never send what its upstream did not want to read: the end of the run ends the wait. */
async function drainRequest(body: TeedBody, sink: ResponseSink, signal: AbortSignal): Promise<void> {
  if (sink.closed || body.ended) return;
  try {
    await Promise.race([body.drain(), aborted(signal)]);
  } catch {
    // The client broke off its own request after it had its answer; what was read stands in the step.
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
