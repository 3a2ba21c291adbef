/** One TLS record holds at most 16 KiB (RFC 8446 5.1), and a read gives at most one. */
const readBytes = 16 * 1024;

/** A connection without TLS that has more than that to give is asked for more at once. */
const largeReadBytes = 64 * 1024;

/** Reads a connection, piece by piece, when it is asked to. */
export class ConnReader {
  readonly #connection: Deno.Conn;
  #buffer = new Uint8Array(readBytes);
  #ahead: Promise<Uint8Array | null> | null = null;

  constructor(connection: Deno.Conn) {
    this.#connection = connection;
  }

  /**
   * Gives the next piece; `null` at the end. One at a time.
   *
   * @throws {Error} when the connection breaks.
   */
  read(): Promise<Uint8Array | null> {
    const ahead = this.#ahead;
    this.#ahead = null;
    return ahead ?? this.#read();
  }

  /** Reads what nobody has asked for yet: the next {@link read} gives it. */
  peek(): Promise<Uint8Array | null> {
    this.#ahead ??= this.#read();
    return this.#ahead;
  }

  async #read(): Promise<Uint8Array | null> {
    const count = await this.#connection.read(this.#buffer);
    if (count === null) return null;
    // Copied: a stream's events are short, and each would keep a whole buffer in memory.
    const piece = this.#buffer.slice(0, count);
    if (count === this.#buffer.length && count < largeReadBytes) this.#buffer = new Uint8Array(largeReadBytes);
    return piece;
  }
}
