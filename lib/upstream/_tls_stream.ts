import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";
import { writeAll } from "./_tunnel.ts";

/** One TLS record holds at most 16 KiB (RFC 8446 5.1), and a read gives at most one. */
const readBytes = 16 * 1024;

type Done = (error?: Error | null) => void;

/**
 * A TLS connection of Deno's own as a Node stream.
 *
 * Node's TLSSocket reads on under Deno while it is paused: a large answer ended up in memory, whole and in one piece.
 * Deno's connection gives bytes when it is asked for them and not before.
 */
export class TlsStream extends Duplex {
  readonly #connection: Deno.Conn;

  /** @param connection Of TLS; or of TCP, where it was dialled by hand. */
  constructor(connection: Deno.Conn) {
    // An origin that ends an idle connection must end it as a whole: half open, it would be used again, and that request
    // would wait for ever.
    super({ highWaterMark: readBytes, allowHalfOpen: false });
    this.#connection = connection;
  }

  override _read(): void {
    const buffer = new Uint8Array(readBytes);
    this.#connection.read(buffer).then(
      (count) => this.push(count === null ? null : buffer.subarray(0, count)),
      (error) => this.destroy(error),
    );
  }

  override _write(bytes: Uint8Array, _encoding: string, done: Done): void {
    writeAll(this.#connection, bytes).then(() => done(), done);
  }

  override _writev(pieces: { readonly chunk: Uint8Array }[], done: Done): void {
    // Head and body mostly come together; one record for both.
    writeAll(this.#connection, Buffer.concat(pieces.map((piece) => piece.chunk))).then(() => done(), done);
  }

  override _final(done: Done): void {
    this.#connection.closeWrite().then(() => done(), done);
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#connection.close();
    done(error);
  }

  /** Asked for by Node's client; it is set when the connection is made. */
  setNoDelay(): this {
    return this;
  }

  /** Asked for by Node's agent; an idle connection may stay. */
  setTimeout(): this {
    return this;
  }

  /** Asked for by Node's agent; the agent is disposed of with the run. */
  setKeepAlive(): this {
    return this;
  }

  /** As {@link setKeepAlive}. */
  ref(): this {
    return this;
  }

  /** As {@link setKeepAlive}. */
  unref(): this {
    return this;
  }
}
