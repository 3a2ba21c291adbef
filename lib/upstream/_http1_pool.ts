import { Http1Client } from "./_http1_client.ts";
import { type DialTarget, OriginDial } from "./_origin_dial.ts";

/** The connections that are there, by where they lead. */
export class Http1Pool {
  readonly #idle = new Map<string, Http1Client[]>();
  readonly #open = new Set<Http1Client>();
  readonly #dials = new Set<OriginDial>();

  /** Gives the connection that was used last; `null` when none is free. */
  take(name: string): Http1Client | null {
    return this.#idle.get(name)?.pop() ?? null;
  }

  /**
   * Makes a connection.
   *
   * @param name Where it leads, for those that ask later.
   * @throws {UpstreamError} when none comes.
   */
  async connect(name: string, target: DialTarget, signal: AbortSignal): Promise<Http1Client> {
    const dial = new OriginDial(target);
    const giveUp = () => dial.giveUp("ABORT_ERR", "the exchange was given up");
    this.#dials.add(dial);
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) giveUp();
    try {
      return this.#newClient(name, (await dial.connect()).connection);
    } finally {
      signal.removeEventListener("abort", giveUp);
      this.#dials.delete(dial);
    }
  }

  /** Takes a connection that is there already. */
  adopt(name: string, connection: Deno.Conn): void {
    this.#free(name, this.#newClient(name, connection));
  }

  /** Ends every connection. */
  close(): void {
    for (const dial of this.#dials) dial.giveUp("ECANCELED", "the run ended before there was a connection");
    for (const client of [...this.#open]) client.close();
  }

  #newClient(name: string, connection: Deno.Conn): Http1Client {
    const client = new Http1Client(connection, () => this.#free(name, client));
    this.#open.add(client);
    return client;
  }

  #free(name: string, client: Http1Client): void {
    const others = this.#idle.get(name)?.filter((each) => each !== client) ?? [];
    if (client.closed) this.#open.delete(client);
    else void client.watch();
    this.#idle.set(name, client.closed ? others : [...others, client]);
  }
}
