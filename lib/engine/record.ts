/**
 * Records: the live exchange goes on at full speed, its copy is cleaned, keyed and written.
 *
 * @module
 */
import type { RecordedError } from "../step/mod.ts";
import type { StepSink } from "../store/mod.ts";
import { sendAnswer, upstreamErrorAnswer } from "./_answers.ts";
import { type CopyContext, RequestCopy } from "./_request_copy.ts";
import { type StepOutput, StepTimer, toStep } from "./_recorded_step.ts";
import { relayBody } from "./_relay.ts";
import { copyResponse } from "./_response_copy.ts";
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
    await Promise.race([all(), this.#clock.sleep(patienceMs)]);
    this.#stop.abort();
    await all();
  }

  async #record(request: LiveRequest, sink: ResponseSink): Promise<void> {
    const seq = this.#nextSeq++;
    const timer = new StepTimer(this.#clock);
    const copy = new RequestCopy(request, this.#options, this.#options.sink.spool());
    const body = new TeedBody(request.body, copy);
    const output = await this.#relay({ ...request, body: body.stream }, sink, timer);
    await drainRequest(body, sink);
    try {
      const copied = await copy.finish();
      this.#options.sink.append(await toStep({ seq, request, copied, output, timer }));
    } catch (error) {
      this.#options.onLost(`${request.method} ${request.url}`, error);
    }
  }

  async #relay(request: LiveRequest, sink: ResponseSink, timer: StepTimer): Promise<StepOutput> {
    try {
      const response = await this.#options.upstream.exchange(request, sink, this.#stop.signal);
      timer.head();
      sink.sendHead(response);
      const copy = copyResponse(response.headers, this.#options.redactor, this.#options.sink.spool());
      const end = await relayBody({
        response,
        sink,
        signal: this.#stop.signal,
        copy: (bytes) => copy.push(bytes, timer.sinceStart()),
      });
      return { kind: "response", head: response, copy, trailers: response.trailers, end };
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

async function drainRequest(body: TeedBody, sink: ResponseSink): Promise<void> {
  if (sink.closed) return;
  try {
    await body.drain();
  } catch {
    // The client broke off its own request after it had its answer; what was read stands in the step.
  }
}
