import { classify } from "../lens/mod.ts";
import type { Redactor } from "../redact/mod.ts";
import type { Header, More, RecordedError, ResponseEnd, ResponseHead, Step } from "../step/mod.ts";
import type { CopiedRequest } from "./_request_copy.ts";
import type { CopiedBody } from "./_response_copy.ts";
import type { Clock, LiveRequest } from "./exchange.ts";

/** What became of a recorded request. */
export type StepOutput =
  | {
    readonly kind: "response";
    readonly head: ResponseHead;
    readonly trailers: () => readonly Header[];
  } & ResponseEnd
  | { readonly kind: "error"; readonly error: RecordedError }
  /** Of what passed nothing is kept. */
  | { readonly kind: "unrecorded" };

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

  /** Notes the latency, so far or for good. */
  end(): void {
    this.#latencyMs = this.sinceStart();
  }
}

/** The parts of a step, once both sides are through. */
export interface StepParts {
  readonly seq: number;
  readonly request: LiveRequest;
  /** False when the client broke off before its request was whole. */
  readonly wholeRequest: boolean;
  readonly copied: CopiedRequest;
  /** `null` when no response came. */
  readonly body: CopiedBody | null;
  readonly output: StepOutput;
  readonly timer: StepTimer;
  readonly redactor: Redactor;
}

/** Puts the line together that goes on with a step. */
export function toMore(
  { seq, body: part, output, timer, redactor }: Omit<StepParts, "copied" | "request" | "wholeRequest">,
): More {
  const answered = output.kind === "response";
  const trailers = answered ? redactor.headers(output.trailers()) : [];
  return {
    kind: "more",
    seq,
    latencyMs: timer.latencyMs,
    chunks: part?.chunks ?? [],
    body: part?.body ?? null,
    ...(trailers.length > 0 ? { trailers } : {}),
    ...framesOf(part),
    ...(answered ? endOf(output) : { end: "upstream_reset" }), // an error that comes behind a head is a break
  };
}

/** Puts a step together from the copies of its two messages. */
export function toStep(parts: StepParts): Step {
  const { seq, request, wholeRequest, copied, timer, redactor } = parts;
  const { method, url, headers, body, decoded, text } = copied;
  const lens = classify({ method, url, headers, bodyText: text });
  const trailers = redactor.headers(request.trailers());
  return {
    kind: "step",
    seq,
    type: lens.type,
    key: copied.key,
    timestamp: timer.timestamp,
    latencyMs: timer.latencyMs,
    ttfbMs: timer.ttfbMs,
    // Where a request is cut off depends on the moment: a replay that cuts it elsewhere has not diverged.
    ...(lens.optional || !wholeRequest ? { optional: true } : {}),
    request: {
      method,
      url,
      httpVersion: request.httpVersion,
      headers,
      body,
      ...(decoded ? { decoded } : {}),
      ...(trailers.length > 0 ? { trailers } : {}),
    },
    ...recordedOutput(parts),
  };
}

function framesOf(copied: CopiedBody | null): Pick<More, "frames"> {
  return copied?.frames === undefined ? {} : { frames: copied.frames };
}

function recordedOutput({ output, body: answer, redactor }: StepParts): Pick<Step, "response" | "error"> {
  if (output.kind === "error") return { error: output.error };
  if (output.kind === "unrecorded") return {};
  const { headers, body, decoded, chunks } = answer ?? { headers: [], body: null, decoded: false, chunks: [] };
  const { status, httpVersion } = output.head;
  const statusText = redactor.text(output.head.statusText).stored;
  const trailers = redactor.headers(output.trailers());
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
      ...endOf(output),
      ...framesOf(answer),
    },
  };
}

function endOf({ end, resetCode, unreadable }: ResponseEnd): ResponseEnd {
  return {
    end,
    ...(resetCode === undefined ? {} : { resetCode }),
    ...(unreadable === undefined ? {} : { unreadable }),
  };
}
