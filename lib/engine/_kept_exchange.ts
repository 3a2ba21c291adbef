import type { Header, RecordedError, ResponseEnd, ResponseHead, StreamEnd } from "../step/mod.ts";
import { clientClosed } from "./_answers.ts";
import { ExchangeCopy, type ExchangeCopyOptions } from "./_exchange_copy.ts";
import { type AnswerTap, type ChannelTap, KeptSink } from "./_kept_sink.ts";
import { type StepOutput, StepTimer } from "./_recorded_step.ts";
import type { Side } from "./_relay_channels.ts";
import { TeedBody } from "./_teed_body.ts";
import type { Clock, Engine, LiveRequest, ResponseSink } from "./exchange.ts";

/** What an exchange is kept with. */
export interface KeptExchangeOptions extends ExchangeCopyOptions {
  /** Called with what could not be written. */
  readonly onLost: (url: string, error: unknown) => void;
  /** Called with each connection that was switched to a protocol of which nothing is kept. */
  readonly onUnrecorded?: (url: string, protocol: string) => void;
}

/** Frames are not held in memory beyond this. */
const heldLimitBytes = 4 * 1024 * 1024;

/** How the sending side of an answer came to its end. */
type Sent =
  | { readonly kind: "ended"; readonly clientGone: boolean }
  | { readonly kind: "aborted"; readonly code: number | undefined };

/** One exchange of a replay, as it was asked and as it was answered. */
export class KeptExchange implements AnswerTap {
  readonly #seq: number;
  readonly #request: LiveRequest;
  readonly #sink: ResponseSink;
  readonly #options: KeptExchangeOptions;
  readonly #timer: StepTimer;
  readonly #copy: ExchangeCopy;
  readonly #body: TeedBody;
  #head: ResponseHead | null = null;
  #trailers: readonly Header[] = [];
  #failure: RecordedError | null = null;
  /** How the stream ended that the answer stands for. */
  #stoodFor: StreamEnd | null = null;
  #sent: Sent | null = null;
  /** Of a switched connection: which side ended first. */
  #first: { readonly side: Side; readonly broken: boolean } | null = null;
  #unrecorded = false;
  /** The piece of the request that the disk was given last. */
  #asking: Promise<void> | undefined;
  #finishing: Promise<void> | null = null;

  constructor(
    { seq, request, sink }: { readonly seq: number; readonly request: LiveRequest; readonly sink: ResponseSink },
    options: KeptExchangeOptions,
    clock: Clock,
  ) {
    this.#seq = seq;
    this.#request = request;
    this.#sink = sink;
    this.#options = options;
    this.#timer = new StepTimer(clock);
    this.#copy = new ExchangeCopy(request, options);
    this.#body = new TeedBody(request.body, (bytes) => this.#pushRequest(bytes));
  }

  /** Has the request answered, and writes the step down. */
  async run(engine: Engine): Promise<void> {
    const request = { ...this.#request, body: this.#body.stream };
    try {
      await engine.exchange(request, new KeptSink(this.#sink, this));
    } finally {
      await this.finish();
    }
  }

  /** Writes the step down as it stands: what still comes is not kept. */
  finish(): Promise<void> {
    this.#finishing ??= this.#write();
    return this.#finishing;
  }

  head(head: ResponseHead): void {
    // What is recorded, or of our own making, goes out in what the client speaks.
    this.#head = this.#request.httpVersion === "2" ? { ...head, httpVersion: "2" } : head;
    this.#timer.head();
    if (!this.#isOver) this.#copy.beginResponse(head.headers);
  }

  body(bytes: Uint8Array): Promise<void> | undefined {
    return this.#isOver ? undefined : this.#copy.pushResponse(bytes, this.#timer.sinceStart());
  }

  end(trailers: readonly Header[], clientGone: boolean): void {
    this.#trailers = trailers;
    this.#sent ??= { kind: "ended", clientGone };
  }

  abort(code: number | undefined): void {
    this.#sent ??= { kind: "aborted", code };
  }

  failed(error: RecordedError): void {
    this.#failure = { ...error, message: this.#options.redactor.text(error.message).stored };
  }

  ended(end: StreamEnd): void {
    this.#stoodFor = end;
  }

  switched(head: ResponseHead): ChannelTap | null {
    const { url, upgrade = "" } = this.#request;
    this.#head = head;
    this.#timer.head();
    if (upgrade !== "websocket") {
      this.#unrecorded = true;
      this.#options.onUnrecorded?.(url, upgrade);
      return null;
    }
    if (!this.#isOver) this.#copy.beginSocket(head.headers, (reason) => this.#lose(new SyntaxError(reason)));
    return {
      bytes: (from, bytes) => this.#isOver ? undefined : this.#frames(from, bytes),
      ended: (side, broken) => void (this.#first ??= { side, broken }),
    };
  }

  get #isOver(): boolean {
    return this.#finishing !== null;
  }

  #pushRequest(bytes: Uint8Array): Promise<void> | undefined {
    if (!this.#isOver) this.#asking = this.#copy.pushRequest(bytes);
    return this.#asking;
  }

  #lose(error: unknown): void {
    this.#options.onLost(`${this.#request.method} ${this.#request.url}`, error);
  }

  #parts() {
    this.#timer.end();
    return { seq: this.#seq, request: this.#request, timer: this.#timer };
  }

  #frames(from: Side, bytes: Uint8Array): Promise<void> | undefined {
    const copied = this.#copy.pushSocket(from, bytes, this.#timer.sinceStart());
    if ((this.#copy.socket?.heldBytes ?? 0) <= heldLimitBytes || this.#head === null) return copied;
    const output = { kind: "response", head: this.#head, trailers: (): Header[] => [], end: "open" } as const;
    this.#copy.writeOpen({ ...this.#parts(), wholeRequest: true, output });
    return copied;
  }

  async #write(): Promise<void> {
    if (this.#unrecorded) return this.#copy.discard();
    // A body that was refused before it began is not missing.
    const wholeRequest = this.#body.ended ? !this.#body.brokenOff : !this.#body.begun;
    try {
      if (this.#asking !== undefined) await this.#asking;
      await this.#copy.finish({ ...this.#parts(), wholeRequest, output: this.#output() });
    } catch (error) {
      this.#copy.discard();
      this.#lose(error);
    }
  }

  #output(): StepOutput {
    if (this.#failure !== null) return { kind: "error", error: this.#failure };
    if (this.#head === null) return { kind: "error", error: clientClosed };
    const end = this.#copy.socket === null ? this.#streamEnd() : this.#socketEnd();
    return { kind: "response", head: this.#head, trailers: () => this.#trailers, ...end };
  }

  #streamEnd(): ResponseEnd {
    if (this.#sent === null) return { end: this.#sink.closed ? "client_closed" : "interrupted" };
    if (this.#sent.kind === "ended") return { end: this.#sent.clientGone ? "client_closed" : "complete" };
    const { code } = this.#sent;
    return { end: this.#broken(), ...(code === undefined ? {} : { resetCode: code }) };
  }

  #socketEnd(): ResponseEnd {
    const { closed = false, unreadable = null } = this.#copy.socket ?? {};
    if (closed) return { end: "complete" };
    if (unreadable !== null) return { end: "open", unreadable };
    if (this.#first === null) return { end: "interrupted" };
    if (this.#first.side === "client") return { end: "client_closed" };
    return { end: this.#first.broken ? this.#broken() : "complete" };
  }

  /** A connection breaks in one way only, whatever it stands for. */
  #broken(): StreamEnd {
    const end = this.#stoodFor;
    return end === null || end === "complete" || end === "client_closed" ? "upstream_reset" : end;
  }
}
