import { Http2Session, type Http2Stream } from "../wire/mod.ts";
import { ConnReader } from "./_conn_reader.ts";
import { ConnWriter } from "./_conn_writer.ts";

/** What is taken of an answer before it was handed on: a second's worth of a fast line to the other side of the world. */
const streamWindowBytes = 1024 * 1024;

/** Who is told of a connection's end. */
export interface Http2ClientOptions {
  /** No further stream can be begun; those that are open may go on. */
  readonly onUnusable: () => void;
  readonly onClosed: () => void;
}

/** One HTTP/2 connection to an origin. */
export class Http2Client {
  readonly #connection: Deno.Conn;
  readonly #session: Http2Session;
  readonly #options: Http2ClientOptions;
  readonly #reader: ConnReader;
  readonly #writer: ConnWriter;
  #closing = false;
  /** Those who wait for room for another stream. */
  #waiting: (() => void)[] = [];

  constructor(connection: Deno.Conn, options: Http2ClientOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#reader = new ConnReader(connection);
    this.#writer = new ConnWriter(connection, () => this.close());
    this.#session = new Http2Session({
      role: "client",
      write: (bytes) => this.#writer.write(bytes),
      onStream: () => {}, // pushes are refused
      onEnd: () => this.#end(),
      onRoom: () => this.#tellRoom(),
      streamLimit: 0,
      streamWindowBytes,
    });
    void this.#read();
  }

  /** True while streams may still be begun, if not at once. */
  get usable(): boolean {
    return !this.#session.draining && !this.#closing;
  }

  /**
   * Begins a stream, when there is room for one.
   *
   * @param signal Ends the wait.
   * @returns `null` when there never will be.
   */
  async open(signal: AbortSignal): Promise<Http2Stream | null> {
    while (this.usable && !signal.aborted) {
      if (this.#session.hasRoom) return this.#session.open();
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    return null;
  }

  /** @returns A promise while the origin has enough to read. */
  drained(): Promise<void> | undefined {
    return this.#writer.drained();
  }

  /** Ends the connection at once, and every stream on it. */
  close(): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#connection.close();
    this.#session.lose();
    this.#tellRoom();
    this.#options.onClosed();
  }

  async #read(): Promise<void> {
    while (!this.#closing) {
      const bytes = await this.#reader.read().catch(() => null); // however it ended
      if (bytes === null) break;
      this.#session.receive(bytes, performance.now());
    }
    this.close();
  }

  /** Nothing is left to do on the connection; what was written last says why. */
  #end(): void {
    void this.#writer.flushed().then(() => this.close());
  }

  #tellRoom(): void {
    if (this.usable && !this.#session.hasRoom) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
    if (!this.usable) this.#options.onUnusable();
  }
}
