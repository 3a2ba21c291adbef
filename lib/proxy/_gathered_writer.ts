import { Buffer } from "node:buffer";
import type { Socket } from "node:net";

/** What is gathered beyond this goes out at once. */
const gatheredLimitBytes = 64 * 1024;

/** Writes what comes in one turn of the event loop as one packet. */
export class GatheredWriter {
  readonly #socket: Socket;
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #flushing = false;
  /** The promise of all that wait for the socket. */
  #draining: Promise<void> | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** What the other side has not taken yet. */
  get waitingBytes(): number {
    return this.#bytes + this.#socket.writableLength;
  }

  write(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes >= gatheredLimitBytes) this.flush();
    else if (!this.#flushing) {
      this.#flushing = true;
      queueMicrotask(() => {
        this.#flushing = false;
        this.flush();
      });
    }
  }

  flush(): void {
    if (this.#bytes === 0) return;
    const bytes = Buffer.concat(this.#pieces, this.#bytes);
    this.#pieces = [];
    this.#bytes = 0;
    if (this.#socket.writable) this.#socket.write(bytes);
  }

  /** @returns A promise while the other side has enough to read, `undefined` otherwise. */
  drained(): Promise<void> | undefined {
    const socket = this.#socket;
    if (!socket.writableNeedDrain || socket.destroyed) return undefined;
    this.#draining ??= new Promise((resolve) => {
      const done = () => {
        socket.off("drain", done).off("close", done);
        this.#draining = null;
        resolve();
      };
      socket.on("drain", done).on("close", done);
    });
    return this.#draining;
  }
}
