import type { Channel } from "../engine/mod.ts";
import type { ConnReader } from "./_conn_reader.ts";
import type { ConnWriter } from "./_conn_writer.ts";
import { toReadError } from "./_failure.ts";

/** The other side has so long to end its side, too. */
const patienceMs = 5000;

/** What a channel is made of. */
export interface ConnChannelParts {
  readonly connection: Deno.Conn;
  readonly reader: ConnReader;
  readonly writer: ConnWriter;
  /** Bytes of the new protocol that have been read already. */
  readonly first: Uint8Array;
  /** Closes the connection, if it is open. */
  readonly close: () => void;
}

/** A connection that was switched to another protocol. */
export class ConnChannel implements Channel {
  readonly incoming: AsyncIterable<Uint8Array>;
  readonly #parts: ConnChannelParts;
  #ended = false;
  /** True once the other side has ended. */
  #over = false;
  /** Runs while the other side has not ended its side. */
  #patience: ReturnType<typeof setTimeout> | null = null;

  constructor(parts: ConnChannelParts) {
    this.#parts = parts;
    this.incoming = this.#read();
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#ended || bytes.length === 0) return undefined;
    this.#parts.writer.write(bytes);
    return this.#parts.writer.drained();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const { connection, writer } = this.#parts;
    if (this.#over) return void writer.flushed().then(() => this.#close());
    this.#patience ??= setTimeout(() => this.#close(), patienceMs);
    // A connection that is closed by now needs no end.
    writer.flushed().then(() => connection.closeWrite()).catch(() => this.#close());
  }

  abort(): void {
    this.#ended = true;
    void this.#parts.writer.flushed().then(() => this.#close()); // what was written before the break still arrives
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    const { reader, first } = this.#parts;
    try {
      if (first.length > 0) yield first;
      for (let piece = await reader.read(); piece !== null; piece = await reader.read()) yield piece;
    } catch (error) {
      this.#close();
      throw toReadError(error);
    }
    this.#over = true;
    if (this.#ended) this.#close();
  }

  #close(): void {
    if (this.#patience !== null) clearTimeout(this.#patience);
    this.#parts.close();
  }
}
