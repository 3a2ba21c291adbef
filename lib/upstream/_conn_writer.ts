import { Buffer } from "node:buffer";
import { writeAll } from "./_tunnel.ts";

/** What waits beyond this makes whoever writes wait. */
const waitingLimitBytes = 64 * 1024;

/** Writes to a connection in order; what comes while a write is under way goes out together. */
export class ConnWriter {
  readonly #connection: Deno.Conn;
  readonly #onFailed: (error: unknown) => void;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | null = null;

  /** @param onFailed Called when the connection takes no more. */
  constructor(connection: Deno.Conn, onFailed: (error: unknown) => void) {
    this.#connection = connection;
    this.#onFailed = onFailed;
  }

  write(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#writing ??= this.#writeAll();
  }

  /** @returns A promise while the other side has enough to read. */
  drained(): Promise<void> | undefined {
    return this.#waitingBytes >= waitingLimitBytes ? this.flushed() : undefined;
  }

  /** Waits until all that was written is on its way, or never will be. */
  flushed(): Promise<void> {
    return this.#writing ?? Promise.resolve();
  }

  async #writeAll(): Promise<void> {
    await Promise.resolve(); // what else comes in this turn
    try {
      while (this.#waitingBytes > 0) {
        const [only = Buffer.alloc(0)] = this.#waiting;
        const bytes = this.#waiting.length === 1 ? only : Buffer.concat(this.#waiting);
        this.#waiting = [];
        this.#waitingBytes = 0;
        await writeAll(this.#connection, bytes);
      }
    } catch (error) {
      this.#onFailed(error);
    } finally {
      this.#writing = null;
    }
  }
}
