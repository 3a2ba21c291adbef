import { Buffer } from "node:buffer";
import { type InterimSink, type LiveRequest, type LiveResponse, UpstreamError } from "../engine/mod.ts";
import type { Header } from "../step/mod.ts";
import { formatHttp1Head, Http1ResponseParser, type ParsedResponseHead, type ResponseEvent } from "../wire/mod.ts";
import { ConnChannel } from "./_conn_channel.ts";
import { ConnReader } from "./_conn_reader.ts";
import { ConnWriter } from "./_conn_writer.ts";
import { toReadError } from "./_failure.ts";
import { sendHttp1Request } from "./_http1_body.ts";

/** What is asked on a connection. */
export interface Http1Ask {
  readonly request: LiveRequest;
  /** The request line. */
  readonly first: string;
  /** All headers, those of the connection included. */
  readonly headers: readonly Header[];
  readonly interim: InterimSink;
  readonly signal: AbortSignal;
}

/** One HTTP/1.1 connection to an origin: one exchange at a time. */
export class Http1Client {
  readonly #connection: Deno.Conn;
  readonly #reader: ConnReader;
  readonly #writer: ConnWriter;
  readonly #parser = new Http1ResponseParser();
  readonly #onFree: (client: Http1Client) => void;
  #asked = 0;
  /** True while half a request stands on the connection. */
  #sending = false;
  #sendError: unknown = null;
  #closed = false;

  /** @param onFree Called when an exchange is through: the connection may be asked again, unless it is closed. */
  constructor(connection: Deno.Conn, onFree: (client: Http1Client) => void) {
    this.#connection = connection;
    this.#onFree = onFree;
    this.#reader = new ConnReader(connection);
    this.#writer = new ConnWriter(connection, (error) => this.#sendError ??= error);
  }

  /** True when it has served another request before the one at hand. */
  get reused(): boolean {
    return this.#asked > 1;
  }

  /** True when nothing can be asked of it any more. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Watches a connection of which nothing is asked: its end, and what comes unasked, make it useless. */
  async watch(): Promise<void> {
    const asked = this.#asked;
    await this.#reader.peek().catch(() => null); // however it ended
    if (this.#asked === asked) this.close();
  }

  /**
   * Sends a request and waits for the response's head.
   *
   * @throws {UpstreamError} when none comes; the connection is closed then.
   */
  async exchange(ask: Http1Ask): Promise<LiveResponse> {
    const { request, signal } = ask;
    const giveUp = () => this.close();
    this.#asked++;
    this.#parser.expect(request.method);
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) giveUp();
    void this.#send(ask);
    try {
      const head = await this.#readHead(ask);
      if (head.status === 101) return this.#switched(head);
      return this.#answered(head, () => signal.removeEventListener("abort", giveUp));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Closes the connection, whatever is under way. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#connection.close();
    this.#onFree(this);
  }

  async #send({ request, first, headers }: Http1Ask): Promise<void> {
    this.#sending = true;
    try {
      const head = Buffer.from(formatHttp1Head(first, headers), "latin1");
      await sendHttp1Request({ request, head, writer: this.#writer, isOver: () => this.#closed });
      this.#sending = false;
    } catch (error) {
      this.#sendError ??= error; // the client broke off its own request
      this.close();
    }
  }

  async #readHead({ request, interim }: Http1Ask): Promise<ParsedResponseHead> {
    while (true) {
      const event = this.#nextEvent() ?? await this.#read();
      if (event === null) throw this.#failure(new Error("the connection closed before an answer came"));
      if (event.kind !== "head") continue; // the end of an interim answer
      const { status, headers } = event.head;
      if (status >= 200) return event.head;
      if (status === 101 && request.upgrade !== undefined) return event.head;
      if (status === 101) {
        throw new UpstreamError("read", "EPROTO", "it switched to another protocol, which was not asked for");
      }
      if (status === 100) interim.sendContinue();
      else interim.sendInformation(status, headers);
    }
  }

  #answered(head: ParsedResponseHead, onEnd: () => void): LiveResponse {
    const { status, statusText, version, headers } = head;
    let trailers: readonly Header[] = [];
    const body = this.#readBody(head, (found) => {
      trailers = found;
      onEnd();
    });
    return { status, statusText, httpVersion: version, headers, body, trailers: () => trailers };
  }

  async *#readBody(
    { keepAlive }: ParsedResponseHead,
    onEnd: (trailers: readonly Header[]) => void,
  ): AsyncGenerator<Uint8Array> {
    let reusable = false;
    try {
      let event = this.#nextEvent() ?? await this.#read();
      for (; event?.kind === "body"; event = this.#nextEvent() ?? await this.#read()) yield event.bytes;
      if (event === null && !this.#parser.untilClose) throw this.#failure(new Error("closed before the end"));
      onEnd(event?.kind === "end" ? event.trailers : []);
      // With half a request, or bytes of another answer, on it a connection serves nobody else.
      reusable = event !== null && keepAlive && !this.#sending && this.#parser.heldBytes === 0;
    } finally {
      if (reusable && !this.#closed) this.#onFree(this);
      else this.close();
    }
  }

  #switched({ status, statusText, version, headers }: ParsedResponseHead): LiveResponse {
    const channel = new ConnChannel({
      connection: this.#connection,
      reader: this.#reader,
      writer: this.#writer,
      first: this.#parser.takeRest(),
      close: () => this.close(),
    });
    const body = { async *[Symbol.asyncIterator]() {} };
    return { status, statusText, httpVersion: version, headers, body, trailers: () => [], channel };
  }

  /** Gives what has been read already. */
  #nextEvent(): ResponseEvent | null {
    const event = this.#parser.next();
    if (event?.kind !== "error") return event;
    const code = event.status === 431 ? "ERR_HTTP1_HEADER_OVERFLOW" : "ERR_HTTP1_INVALID_RESPONSE";
    throw new UpstreamError("read", code, `it sent ${event.reason}`);
  }

  /** Reads on; `null` at the connection's end. */
  async #read(): Promise<ResponseEvent | null> {
    while (true) {
      const bytes = await this.#reader.read().catch((error) => Promise.reject(this.#failure(error)));
      if (bytes === null) return null;
      this.#parser.push(bytes);
      const event = this.#nextEvent();
      if (event !== null) return event;
    }
  }

  /** What went wrong first: an origin that takes no more of a request may break off its answer, too. */
  #failure(error: unknown): UpstreamError {
    return toReadError(this.#sendError ?? error);
  }
}
