import {
  type InterimSink,
  type LiveRequest,
  type LiveResponse,
  type OriginAddress,
  UpstreamError,
} from "../engine/mod.ts";
import { Http2Client } from "./_http2_client.ts";
import { Http2Exchange, refusedCode } from "./_http2_exchange.ts";
import type { Dialled } from "./_origin_dial.ts";
import { splitUrl } from "./split_url.ts";

/** A connection that is there, or on its way. */
interface Place {
  client: Http2Client | null;
  readonly made: Promise<Http2Client>;
}

/** The origin chose HTTP/1.1 where HTTP/2 was asked of it. */
export const notChosenCode = "ERR_HTTP2_NOT_CHOSEN";

/** An origin that takes a connection and no request on it is asked so often. */
const attempts = 3;

/** One HTTP/2 connection per origin, shared by all requests to it. */
export class Http2Pool {
  readonly #dial: (origin: OriginAddress) => Promise<Dialled>;
  readonly #places = new Map<string, Place>();
  readonly #open = new Set<Http2Client>();

  /** @param dial Makes a connection; with TLS, its origin has to choose HTTP/2. */
  constructor(dial: (origin: OriginAddress) => Promise<Dialled>) {
    this.#dial = dial;
  }

  /** Takes a connection that is there already. */
  adopt(origin: OriginAddress, connection: Deno.Conn): void {
    const client = this.#newClient(connection);
    this.#places.set(nameOf(origin), { client, made: Promise.resolve(client) });
  }

  /** @throws {UpstreamError} when no answer comes. */
  async exchange(request: LiveRequest, interim: InterimSink, signal: AbortSignal): Promise<LiveResponse> {
    try {
      return await this.#exchange(request, interim, signal);
    } catch (error) {
      const unseen = error instanceof UpstreamError && error.code === refusedCode;
      if (!unseen || request.body !== null || signal.aborted) throw error;
      return await this.#exchange(request, interim, signal);
    }
  }

  /** Ends every connection. */
  close(): void {
    for (const client of [...this.#open]) client.close();
  }

  async #exchange(request: LiveRequest, interim: InterimSink, signal: AbortSignal): Promise<LiveResponse> {
    const origin = splitUrl(request.url);
    for (let attempt = 0; attempt < attempts && !signal.aborted; attempt++) {
      const client = await unlessAborted(this.#clientFor(origin), signal);
      const stream = await client.open(signal);
      if (stream !== null) return await new Http2Exchange({ client, stream }, request, interim).run(signal);
    }
    if (signal.aborted) throw new UpstreamError("connect", "ABORT_ERR", "the exchange was given up");
    throw new UpstreamError("connect", "ERR_HTTP2_GOAWAY", "it ends each connection before a request");
  }

  #clientFor(origin: OriginAddress): Promise<Http2Client> {
    const name = nameOf(origin);
    const known = this.#places.get(name);
    if (known !== undefined) return known.made;
    const place: Place = { client: null, made: this.#connect(origin) };
    this.#places.set(name, place);
    place.made.then((client) => {
      place.client = client;
      if (!client.usable) this.#forget(client);
    }, () => this.#places.delete(name)); // whoever asked is told; the next one tries anew
    return place.made;
  }

  async #connect(origin: OriginAddress): Promise<Http2Client> {
    const { connection, protocol } = await this.#dial(origin);
    if (!origin.secure || protocol === "h2") return this.#newClient(connection);
    connection.close();
    throw new UpstreamError("connect", notChosenCode, "it does not speak HTTP/2 any more; a new connection is told so");
  }

  #newClient(connection: Deno.Conn): Http2Client {
    const client: Http2Client = new Http2Client(connection, {
      onUnusable: () => this.#forget(client),
      onClosed: () => {
        this.#forget(client);
        this.#open.delete(client);
      },
    });
    this.#open.add(client);
    return client;
  }

  /** The next request to its origin gets another connection. */
  #forget(client: Http2Client): void {
    for (const [name, place] of this.#places) {
      if (place.client === client) this.#places.delete(name);
    }
  }
}

/** Others may wait for the same connection: it is made on, whoever gives up. */
function unlessAborted<Value>(made: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new UpstreamError("connect", "ABORT_ERR", "the exchange was given up"));
    if (signal.aborted) return giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    made.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}

function nameOf({ secure, host, port }: OriginAddress): string {
  return `${secure ? "https" : "http"}://${host}:${port}`;
}
