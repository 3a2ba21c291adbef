import http, { type ClientRequestArgs } from "node:http";
import type { Duplex } from "node:stream";
import { OriginDial } from "./_origin_dial.ts";
import { TlsStream } from "./_tls_stream.ts";
import type { UpstreamProxy } from "./proxies.ts";

type Connected = (error: Error | null, stream: Duplex) => void;

/** Node's agent takes nothing for "by callback"; its types know only of the stream. */
const none = undefined as unknown as Duplex;

/**
 * Connects without TLS through a proxy's tunnel, for one request: for what may be no HTTP after its first answer.
 *
 * A proxy that is given the request itself reads the answer as HTTP, and few carry an upgrade on; RFC 6455, 4.1 asks
 * for a tunnel, too.
 */
export class TunnelAgent extends http.Agent {
  readonly #proxy: UpstreamProxy;
  readonly #limitMs: number;

  constructor(proxy: UpstreamProxy, limitMs: number) {
    super({ keepAlive: false });
    this.#proxy = proxy;
    this.#limitMs = limitMs;
  }

  override createConnection({ host = "", port }: ClientRequestArgs, connected?: Connected): Duplex {
    const target = { host: host ?? "", port: Number(port), proxy: this.#proxy, tls: null, limitMs: this.#limitMs };
    new OriginDial(target).connect().then(
      ({ connection }) => connected?.(null, new TlsStream(connection)),
      (error) => connected?.(error, none),
    );
    return none;
  }
}
