import type { Header, Step } from "../step/mod.ts";
import type { BodySpool, StepSink } from "../store/mod.ts";
import { type StepParts, toStep } from "./_recorded_step.ts";
import { type CopyContext, RequestCopy } from "./_request_copy.ts";
import { copyResponse, type ResponseCopy } from "./_response_copy.ts";
import type { LiveRequest } from "./exchange.ts";

/** What an exchange's copy is made with. */
export interface ExchangeCopyOptions extends CopyContext {
  readonly sink: StepSink;
}

/** Both messages of one exchange, taken aside. What fails in here ends the copy, never the exchange. */
export class ExchangeCopy {
  readonly #options: ExchangeCopyOptions;
  readonly #spools: BodySpool[] = [];
  #request: RequestCopy | null = null;
  #response: ResponseCopy | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(request: LiveRequest, options: ExchangeCopyOptions) {
    this.#options = options;
    this.#guard(() => {
      this.#request = new RequestCopy(request, options, this.#spool());
    });
  }

  /** Takes bytes of the request; the promise is the disk's back-pressure. */
  pushRequest(bytes: Uint8Array): Promise<void> | undefined {
    return this.#guard(() => this.#request?.push(bytes));
  }

  beginResponse(headers: readonly Header[]): void {
    this.#guard(() => {
      this.#response = copyResponse(headers, this.#options.redactor, this.#spool());
    });
  }

  /** Takes bytes of the response; the promise is the disk's back-pressure. */
  pushResponse(bytes: Uint8Array, atMs: number): Promise<void> | undefined {
    return this.#guard(() => this.#response?.push(bytes, atMs));
  }

  /**
   * Ends both messages.
   *
   * @throws {unknown} what went wrong first, now or while the bytes passed.
   */
  async finish(parts: Omit<StepParts, "copied" | "body" | "redactor">): Promise<Step> {
    if (this.#failure !== null) throw this.#failure.error;
    const copied = await this.#request?.finish();
    const body = await this.#response?.finish();
    if (copied === undefined) throw new TypeError("Cannot end a copy that never began: expected a request");
    const { redactor } = this.#options;
    return toStep({ ...parts, copied, body: body ?? null, redactor });
  }

  /** Forgets what has been kept. */
  discard(): void {
    for (const spool of this.#spools) spool.discard();
  }

  #spool(): BodySpool {
    const spool = this.#options.sink.spool();
    this.#spools.push(spool);
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
