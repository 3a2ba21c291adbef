import { Buffer } from "node:buffer";
import { Socket } from "node:net";
import { nextTick } from "node:process";

/** The side of a socket that Node's client does not see. */
export interface SocketPeer {
  /**
   * Takes what the client has written.
   *
   * @param bytes They do not change afterwards.
   * @param done Called when more may come.
   */
  take(bytes: Uint8Array, done: () => void): void;
  /** The client has ended its side. */
  takeEnd(): void;
  /** The socket is gone. */
  takeClose(): void;
}

/** What Node's clients look at on a connection with TLS. */
const secureFacts = {
  encrypted: true,
  authorized: true,
  authorizationError: null,
  alpnProtocol: false,
  servername: false,
  getPeerCertificate: () => ({}),
  getProtocol: () => "TLSv1.3",
  getCipher: () => ({ name: "TLS_AES_128_GCM_SHA256", standardName: "TLS_AES_128_GCM_SHA256", version: "TLSv1.3" }),
  getSession: () => undefined,
  isSessionReused: () => false,
} as const;

type Chunk = Uint8Array | string;
type WriteDone = (error?: Error | null) => void;

/** One call of `write`, as Node's streams hand it on. */
interface Write {
  readonly chunk: Chunk;
  readonly encoding: BufferEncoding;
}

/** A socket that leads nowhere but to its peer in this process: Node's own client speaks HTTP over it, and never knows. */
export class MemorySocket extends Socket {
  readonly #peer: SocketPeer;
  #wake: (() => void) | null = null;
  #idleMs = 0;
  #idleTimer: ReturnType<typeof setTimeout> | null = null;

  /** @param secure Whether it is to look as if there were TLS. */
  constructor(secure: boolean, peer: SocketPeer) {
    super();
    this.#peer = peer;
    if (secure) Object.assign(this, secureFacts);
  }

  /**
   * Gives bytes to the client.
   *
   * @returns A promise to wait for before the next, when the client is slower.
   */
  give(bytes: Uint8Array): Promise<void> | undefined {
    this.#refresh();
    // Of its own: whoever reads may keep it, and what the engine sends may be a part of a larger thing.
    if (this.destroyed || this.readableEnded || this.push(Buffer.from(bytes))) return undefined;
    return new Promise((resolve) => this.#wake = resolve);
  }

  /** Nothing more comes. */
  giveEnd(): void {
    if (!this.destroyed) this.push(null);
  }

  override _read(): void {
    this.#letOn();
  }

  override _write(chunk: Chunk, encoding: BufferEncoding, done: WriteDone): void {
    this._writev([{ chunk, encoding }], done);
  }

  override _writev(writes: readonly Write[], done: WriteDone): void {
    this.#refresh();
    const pieces = writes.map(({ chunk, encoding }) =>
      typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk
    );
    this.#peer.take(Buffer.concat(pieces), () => done()); // a copy: the writer may use its memory again
  }

  override _final(done: WriteDone): void {
    this.#peer.takeEnd();
    done();
  }

  override _destroy(error: Error | null, done: WriteDone): void {
    this.#stopTimer();
    this.#letOn();
    this.#peer.takeClose();
    done(error);
    nextTick(() => this.emit("close", error !== null)); // Node's sockets say so themselves, behind the error
  }

  /** Node's own wants a handle of the system's. */
  override setTimeout(timeoutMs: number, onTimeout?: () => void): this {
    this.#idleMs = timeoutMs;
    this.#stopTimer();
    this.#refresh();
    if (onTimeout !== undefined) {
      if (timeoutMs > 0) this.once("timeout", onTimeout);
      else this.off("timeout", onTimeout);
    }
    return this;
  }

  override setNoDelay(): this {
    return this;
  }

  override setKeepAlive(): this {
    return this;
  }

  override ref(): this {
    return this;
  }

  override unref(): this {
    return this;
  }

  #letOn(): void {
    this.#wake?.();
    this.#wake = null;
  }

  /** Begins to wait anew for a silence. */
  #refresh(): void {
    if (this.#idleMs <= 0 || this.destroyed) return;
    this.#stopTimer();
    this.#idleTimer = setTimeout(() => this.emit("timeout"), this.#idleMs);
  }

  #stopTimer(): void {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
  }
}
