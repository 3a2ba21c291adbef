import { Buffer } from "node:buffer";
import { Http2Session, type Http2Stream } from "../wire/mod.ts";
import { writeAll } from "./_tunnel.ts";

/** One TLS record holds at most 16 KiB (RFC 8446 5.1), and a read gives at most one. */
const readBytes = 16 * 1024;

/** What is taken of an answer before it was handed on: a second's worth of a fast line to the other side of the world. */
const streamWindowBytes = 1024 * 1024;

/** What waits to be written beyond this makes whoever writes wait. */
const unwrittenLimitBytes = 64 * 1024;

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
  #unwritten: Uint8Array[] = [];
  #unwrittenBytes = 0;
  #writing: Promise<void> | null = null;
  #closing = false;
  /** Those who wait for room for another stream. */
  #waiting: (() => void)[] = [];

  constructor(connection: Deno.Conn, options: Http2ClientOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#session = new Http2Session({
      role: "client",
      write: (bytes) => this.#write(bytes),
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
    return this.#unwrittenBytes >= unwrittenLimitBytes ? this.#writing ?? undefined : undefined;
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
    try {
      while (!this.#closing) {
        const buffer = new Uint8Array(readBytes);
        const count = await this.#connection.read(buffer);
        if (count === null) break;
        this.#session.receive(buffer.subarray(0, count), performance.now());
      }
    } catch (error) {
      if (!isConnectionEnd(error)) throw error;
    }
    this.close();
  }

  #write(bytes: Uint8Array): void {
    this.#unwritten.push(bytes);
    this.#unwrittenBytes += bytes.length;
    this.#writing ??= this.#writeAll();
  }

  /** What comes in one turn of the event loop goes out together. */
  async #writeAll(): Promise<void> {
    await Promise.resolve();
    try {
      while (this.#unwritten.length > 0) {
        const bytes = Buffer.concat(this.#unwritten);
        this.#unwritten = [];
        this.#unwrittenBytes = 0;
        await writeAll(this.#connection, bytes);
      }
    } catch (error) {
      if (!isConnectionEnd(error)) throw error;
      this.close();
    } finally {
      this.#writing = null;
    }
  }

  /** Nothing is left to do on the connection; what was written last says why. */
  #end(): void {
    void (this.#writing ?? Promise.resolve()).then(() => this.close());
  }

  #tellRoom(): void {
    if (this.usable && !this.#session.hasRoom) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
    if (!this.usable) this.#options.onUnusable();
  }
}

/** What a connection's end looks like from our own calls, whoever ended it. */
function isConnectionEnd(error: unknown): boolean {
  return Object.values(Deno.errors).some((type) => error instanceof type);
}
