import { endToEndHeaders } from "../diff/mod.ts";
import type { Channel, EmissionMeter } from "../engine/mod.ts";
import type { Header, RecordedError, ResponseHead } from "../step/mod.ts";
import type { ScopedSink } from "./_door.ts";
import { MemoryChannel } from "./_memory_channel.ts";

/** Who asked for a WebSocket. */
export interface SocketClient {
  /**
   * The answer was a 101.
   *
   * @param channel Takes what the client sends.
   */
  opened(head: ResponseHead, channel: MemoryChannel): void;
  received(bytes: Uint8Array): void;
  /** The other side has ended, or the connection is gone. */
  ended(): void;
  /** The answer was no 101, or there was none. */
  refused(reason: string): void;
}

/** Where the answer to a WebSocket's handshake goes. */
export class SocketSink implements ScopedSink {
  meter: EmissionMeter | null = null;
  readonly #client: SocketClient;
  #channel: MemoryChannel | null = null;
  #closed = false;
  readonly upgrade = (head: ResponseHead): Channel => this.#switch(head);

  constructor(client: SocketClient) {
    this.#client = client;
  }

  get closed(): boolean {
    return this.#closed;
  }

  sendContinue(): void {} // nobody waits for one

  sendInformation(): void {} // nobody is told

  flush(): void {} // nothing is held back

  release(): void {} // nothing waits for a reader

  /** The server did not switch: what it says instead is of no use to a WebSocket. */
  sendHead(head: ResponseHead): void {
    this.meter?.head(head.status, endToEndHeaders(head.headers));
    this.#client.refused(`the server answered ${head.status}, expected 101`);
  }

  write(bytes: Uint8Array): undefined {
    this.meter?.body(bytes);
  }

  end(trailers: readonly Header[]): void {
    this.meter?.end(trailers);
  }

  abort(): void {
    this.meter?.end([]);
    this.#client.refused("the connection was broken off");
  }

  failWith({ message, code }: RecordedError): void {
    this.#client.refused(`${message} (${code})`);
  }

  fail(error: unknown): void {
    this.close(error);
  }

  /** Its events tell, and nobody is harmed who does not listen. */
  abandon(): void {
    this.close(new TypeError("the function has ended"));
  }

  /** The client has left. */
  close(error: unknown): void {
    if (this.#closed) return;
    this.#closed = true;
    const cause = error instanceof Error ? error : new TypeError(String(error));
    if (this.#channel === null) this.#client.refused(cause.message);
    else {
      this.#channel.feedBreak(cause);
      this.#client.ended();
    }
  }

  #switch(head: ResponseHead): Channel {
    const headers = endToEndHeaders(head.headers);
    this.meter?.head(head.status, headers);
    const client = this.#client;
    this.#channel = new MemoryChannel({
      receive: (bytes) => {
        client.received(bytes);
        return undefined;
      },
      receiveEnd: () => client.ended(),
      receiveBreak: () => client.ended(),
    });
    client.opened({ ...head, headers }, this.#channel);
    return this.#channel;
  }
}
