import type { Header, More, Step } from "../step/mod.ts";
import type { BodySpool, StepSink } from "../store/mod.ts";
import { type StepParts, toMore, toStep } from "./_recorded_step.ts";
import { type CopiedRequest, type CopyContext, RequestCopy } from "./_request_copy.ts";
import type { Side } from "./_relay_channels.ts";
import { type CopiedBody, type CopiedOutput, copyResponse, type ResponseCopy } from "./_response_copy.ts";
import { SocketCopy } from "./_socket_copy.ts";
import type { LiveRequest } from "./exchange.ts";

/** What an exchange's copy is made with. */
export interface ExchangeCopyOptions extends CopyContext {
  readonly sink: StepSink;
}

/** What the exchange itself knows of a step. */
export type LiveParts = Omit<StepParts, "copied" | "body" | "redactor">;

/** Both messages of one exchange, taken aside. What fails in here ends the copy, never the exchange. */
export class ExchangeCopy {
  readonly #options: ExchangeCopyOptions;
  readonly #spools: { request?: BodySpool; response?: BodySpool } = {};
  #request: RequestCopy | null = null;
  #copied: CopiedRequest | null = null;
  #response: ResponseCopy | null = null;
  #socket: SocketCopy | null = null;
  /** The push of the response that the disk has not taken yet. */
  #pushing: Promise<void> | null = null;
  /** The line that is being written while the exchange goes on. */
  #writing: Promise<void> | null = null;
  #opened = false;
  #ended = false;
  #failure: { readonly error: unknown } | null = null;

  constructor(request: LiveRequest, options: ExchangeCopyOptions) {
    this.#options = options;
    this.#guard(() => {
      this.#request = new RequestCopy(request, options, this.#spool("request"));
    });
  }

  /** Takes bytes of the request; the promise is the disk's back-pressure. */
  pushRequest(bytes: Uint8Array): Promise<void> | undefined {
    return this.#guard(() => this.#request?.push(bytes));
  }

  beginResponse(headers: readonly Header[]): void {
    this.#guard(() => {
      this.#response = copyResponse(headers, this.#options.redactor, this.#spool("response"));
    });
  }

  /** Takes bytes of the response; the promise is the disk's back-pressure. */
  pushResponse(bytes: Uint8Array, atMs: number): Promise<void> | undefined {
    const pushed = this.#guard(() => this.#response?.push(bytes, atMs));
    if (pushed === undefined) return undefined;
    this.#pushing = pushed.then(() => void (this.#pushing = null));
    return this.#pushing;
  }

  /**
   * Begins the copy of a WebSocket's frames, in place of a response's.
   *
   * @param headers Of the 101.
   * @param onUnreadable Called once, when its bytes are no frames any more.
   */
  beginSocket(headers: readonly Header[], onUnreadable: (reason: string) => void): void {
    const { redactor, sink } = this.#options;
    this.#guard(() => {
      this.#socket = new SocketCopy({ headers, redactor, spool: () => sink.spool(), onUnreadable });
    });
  }

  /** Takes bytes of a WebSocket; the promise is the disk's back-pressure. */
  pushSocket(from: Side, bytes: Uint8Array, atMs: number): Promise<void> | undefined {
    return this.#guard(() => this.#socket?.push(from, bytes, atMs));
  }

  /** The WebSocket that is copied, where it is one. */
  get socket(): Pick<SocketCopy, "closed" | "unreadable" | "heldBytes"> | null {
    return this.#socket;
  }

  /**
   * Writes what has come since the last line, of a step that goes on.
   *
   * @param parts Of a request that is whole, and a response that has begun.
   */
  writeOpen(parts: LiveParts): void {
    const output = this.#output;
    if (this.#ended || output === null || this.#writing !== null) return;
    const writing = this.#guard(() => this.#writeOpen(parts, output)) ?? Promise.resolve();
    this.#writing = writing.then(() => void (this.#writing = null));
  }

  /**
   * Ends both messages, and writes the last line of the step.
   *
   * @throws {unknown} what went wrong first, now or while the bytes passed.
   */
  async finish(parts: LiveParts): Promise<void> {
    this.#ended = true;
    if (this.#writing !== null) await this.#writing;
    if (this.#pushing !== null) await this.#pushing; // of an exchange that is ended while it goes on
    if (this.#failure !== null) throw this.#failure.error;
    const copied = await this.#finishRequest();
    const body = await this.#output?.finish() ?? null;
    this.#options.sink.append(this.#toLine({ ...parts, copied, body }));
  }

  /** Forgets what has been kept. */
  discard(): void {
    this.#spools.request?.discard();
    this.#spools.response?.discard();
  }

  get #output(): CopiedOutput | null {
    return this.#socket ?? this.#response;
  }

  async #writeOpen(parts: LiveParts, output: CopiedOutput): Promise<void> {
    const copied = await this.#finishRequest();
    while (this.#pushing !== null) await this.#pushing;
    const body = output.cut(() => this.#spool("response"));
    if (body === null || (this.#opened && isEmpty(body))) return;
    this.#options.sink.append(this.#toLine({ ...parts, copied, body }));
    this.#opened = true;
  }

  async #finishRequest(): Promise<CopiedRequest> {
    this.#copied ??= await this.#request?.finish() ?? null;
    if (this.#copied === null) throw new TypeError("Cannot end a copy that never began: expected a request");
    return this.#copied;
  }

  #toLine(parts: Omit<StepParts, "redactor">): Step | More {
    const whole = { ...parts, redactor: this.#options.redactor };
    return this.#opened ? toMore(whole) : toStep(whole);
  }

  #spool(of: "request" | "response"): BodySpool {
    const spool = this.#options.sink.spool();
    this.#spools[of] = spool;
    return spool;
  }

  #guard(work: () => Promise<void> | undefined | void): Promise<void> | undefined {
    if (this.#failure !== null) return undefined;
    try {
      return work()?.catch((error) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
  }
}

function isEmpty({ chunks, frames = [] }: CopiedBody): boolean {
  return chunks.length === 0 && frames.length === 0;
}
