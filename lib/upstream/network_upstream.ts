/**
 * The way out: HTTP/1.1 and HTTP/2, over TCP or TLS, directly or through a proxy.
 *
 * @module
 */
import {
  type InterimSink,
  type LiveRequest,
  type LiveResponse,
  type OriginAddress,
  type Protocol,
  type Upstream,
  UpstreamError,
} from "../engine/mod.ts";
import { Http2Pool, notChosenCode } from "./_http2_pool.ts";
import { type Dialled, OriginDial } from "./_origin_dial.ts";
import { Http1Upstream } from "./http1_upstream.ts";
import { type UpstreamOptions, withDefaults } from "./options.ts";
import { proxyFor } from "./proxies.ts";
import { splitUrl } from "./split_url.ts";

/** A client that was let in asks at once; a failure older than this is another request's. */
const failureLastsMs = 5_000;

/** Talks to whatever a request's URL names, in the version that the request came in. Certificates are always verified. */
export class NetworkUpstream implements Upstream {
  readonly #http1: Http1Upstream;
  readonly #http2: Http2Pool;
  readonly #options: Required<UpstreamOptions>;
  readonly #dials = new Set<OriginDial>();
  /** What each origin has chosen, or is being asked. */
  readonly #protocols = new Map<string, Promise<Protocol>>();
  /** Why an origin could not be asked, for the request that comes next. */
  readonly #failures = new Map<string, { readonly error: UpstreamError; readonly atMs: number }>();
  #calls = 0;

  constructor(options: UpstreamOptions = {}) {
    this.#options = withDefaults(options);
    this.#http1 = new Http1Upstream(this.#options);
    this.#http2 = new Http2Pool((origin) => this.#dial(origin, ["h2", "http/1.1"]));
  }

  get calls(): number {
    return this.#calls;
  }

  async protocolOf(origin: OriginAddress, offers: readonly Protocol[]): Promise<Protocol> {
    const [first = "http/1.1"] = offers;
    if (!offers.includes("h2")) return first;
    const name = nameOf(origin);
    this.#failures.delete(name);
    const asked = this.#protocols.get(name) ?? this.#ask(origin, offers);
    this.#protocols.set(name, asked);
    try {
      const protocol = await asked;
      return offers.includes(protocol) ? protocol : first;
    } catch (error) {
      this.#protocols.delete(name);
      if (!(error instanceof UpstreamError)) throw error;
      this.#failures.set(name, { error, atMs: performance.now() });
      return first;
    }
  }

  exchange(request: LiveRequest, interim: InterimSink, signal: AbortSignal): Promise<LiveResponse> {
    this.#calls++;
    const failure = this.#takeFailure(request);
    if (failure !== null) return Promise.reject(failure);
    if (request.httpVersion !== "2") return this.#http1.exchange(request, interim, signal);
    return this.#http2.exchange(request, interim, signal).catch((error) => {
      if (error instanceof UpstreamError && error.code === notChosenCode) {
        this.#protocols.delete(nameOf(splitUrl(request.url))); // whoever connects next asks anew
      }
      throw error;
    });
  }

  [Symbol.dispose](): void {
    for (const dial of this.#dials) dial.giveUp("ECANCELED", "the run ended before there was a connection");
    this.#http1[Symbol.dispose]();
    this.#http2.close();
  }

  /** The connection that tells is kept for the request that follows. */
  async #ask(origin: OriginAddress, offers: readonly Protocol[]): Promise<Protocol> {
    const { connection, protocol } = await this.#dial(origin, offers);
    if (protocol === "h2") this.#http2.adopt(origin, connection);
    else this.#http1.adopt(origin, connection);
    return protocol ?? "http/1.1";
  }

  async #dial(origin: OriginAddress, offers: readonly Protocol[]): Promise<Dialled> {
    const { secure, host, port } = origin;
    const { trust, proxies, connectLimitMs: limitMs } = this.#options;
    const proxy = proxyFor(proxies, origin);
    const dial = new OriginDial({ host, port, proxy, tls: secure ? { trust, offers } : null, limitMs });
    this.#dials.add(dial);
    try {
      return await dial.connect();
    } finally {
      this.#dials.delete(dial);
    }
  }

  #takeFailure({ url }: LiveRequest): UpstreamError | null {
    if (this.#failures.size === 0) return null;
    const name = nameOf(splitUrl(url));
    const failure = this.#failures.get(name);
    this.#failures.delete(name);
    return failure !== undefined && performance.now() - failure.atMs < failureLastsMs ? failure.error : null;
  }
}

function nameOf({ secure, host, port }: OriginAddress): string {
  return `${secure ? "https" : "http"}://${host}:${port}`;
}
