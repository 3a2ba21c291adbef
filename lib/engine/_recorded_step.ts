import { classify } from "../lens/mod.ts";
import type { Header, RecordedError, ResponseHead, Step, StreamEnd } from "../step/mod.ts";
import type { CopiedRequest } from "./_request_copy.ts";
import type { ResponseCopy } from "./_response_copy.ts";
import type { Clock, LiveRequest } from "./exchange.ts";

/** What became of a recorded request. */
export type StepOutput =
  | {
    readonly kind: "response";
    readonly head: ResponseHead;
    readonly copy: ResponseCopy;
    readonly trailers: () => readonly Header[];
    readonly end: StreamEnd;
  }
  | { readonly kind: "error"; readonly error: RecordedError };

/** A step's times: when it began, when the head came, when it ended. */
export class StepTimer {
  readonly timestamp: string;
  readonly #clock: Clock;
  readonly #startMs: number;
  #ttfbMs: number | null = null;
  #latencyMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startMs = clock.elapsedMs();
    this.timestamp = new Date(clock.now()).toISOString();
  }

  get ttfbMs(): number | null {
    return this.#ttfbMs;
  }

  get latencyMs(): number {
    return this.#latencyMs;
  }

  /** Milliseconds since the request began, to the microsecond. */
  sinceStart(): number {
    return Math.round((this.#clock.elapsedMs() - this.#startMs) * 1000) / 1000;
  }

  head(): void {
    this.#ttfbMs = this.sinceStart();
  }

  end(): void {
    this.#latencyMs = this.sinceStart();
  }
}

/** The parts of a step, once both sides are through. */
export interface StepParts {
  readonly seq: number;
  readonly request: LiveRequest;
  readonly copied: CopiedRequest;
  readonly output: StepOutput;
  readonly timer: StepTimer;
}

/** Puts a step together from the copies of its two messages. */
export async function toStep({ seq, request, copied, output, timer }: StepParts): Promise<Step> {
  const { method, url, headers, body, decoded, text } = copied;
  const lens = classify({ method, url, headers, bodyText: text });
  const trailers = request.trailers();
  return {
    kind: "step",
    seq,
    type: lens.type,
    key: copied.key,
    timestamp: timer.timestamp,
    latencyMs: timer.latencyMs,
    ttfbMs: timer.ttfbMs,
    ...(lens.optional ? { optional: true } : {}),
    request: {
      method,
      url,
      httpVersion: request.httpVersion,
      headers,
      body,
      ...(decoded ? { decoded } : {}),
      ...(trailers.length > 0 ? { trailers } : {}),
    },
    ...(await recordedOutput(output)),
  };
}

async function recordedOutput(output: StepOutput): Promise<Pick<Step, "response" | "error">> {
  if (output.kind === "error") return { error: output.error };
  const { headers, body, decoded, chunks } = await output.copy.finish();
  const { status, statusText, httpVersion } = output.head;
  const trailers = output.trailers();
  const { end } = output;
  return {
    response: {
      status,
      statusText,
      httpVersion,
      headers,
      body,
      ...(decoded ? { decoded } : {}),
      chunks,
      trailers,
      end,
    },
  };
}
