import type { ClientRequestArgs } from "node:http";
import https from "node:https";
import type { Duplex } from "node:stream";
import { agentOptions } from "./_agent_options.ts";
import { OriginDial } from "./_origin_dial.ts";
import { TlsStream } from "./_tls_stream.ts";
import { proxyFor, type UpstreamProxies } from "./proxies.ts";

type Connected = (error: Error | null, stream: Duplex) => void;

/** Node's agent takes nothing for "by callback"; its types know only of the stream. */
const none = undefined as unknown as Duplex;

/** What all connections of an agent have in common. */
export interface SecureAgentOptions {
  readonly trust: readonly string[];
  readonly proxies: UpstreamProxies;
  readonly limitMs: number;
}

/** Keeps TLS connections for Node's client, over Deno's own TLS: the public roots, and what the user trusts besides. */
export class SecureAgent extends https.Agent {
  readonly #options: SecureAgentOptions;
  readonly #dials = new Set<OriginDial>();
  /** Connections that were made to ask an origin what it speaks, and have carried nothing yet. */
  readonly #ready = new Map<string, TlsStream[]>();

  constructor(options: SecureAgentOptions) {
    super(agentOptions);
    this.#options = options;
  }

  /** One pool per host and port: all else is the same for every connection. */
  override getName({ host, port }: ClientRequestArgs): string {
    return `${host}:${port}`;
  }

  /** Takes a connection that is there already, for the next request to its origin. */
  adopt(host: string, port: number, connection: Deno.Conn): void {
    const name = this.getName({ host, port });
    const stream = new TlsStream(connection);
    stream.on("error", () => {}); // it is looked at when it is used
    this.#ready.set(name, [...(this.#ready.get(name) ?? []), stream]);
  }

  override createConnection({ host, port }: ClientRequestArgs, connected?: Connected): Duplex {
    const ready = this.#takeReady(this.getName({ host, port }));
    if (ready !== undefined) return ready;
    this.#dial(host ?? "", Number(port)).then(
      (stream) => connected?.(null, stream),
      (error) => connected?.(error, none),
    );
    return none;
  }

  override destroy(): void {
    for (const dial of this.#dials) dial.giveUp("ECANCELED", "the run ended before there was a connection");
    for (const stream of [...this.#ready.values()].flat()) stream.destroy();
    super.destroy();
  }

  #takeReady(name: string): TlsStream | undefined {
    const streams = this.#ready.get(name) ?? [];
    this.#ready.delete(name);
    const [first, ...rest] = streams.filter((stream) => !stream.destroyed);
    if (rest.length > 0) this.#ready.set(name, rest);
    return first;
  }

  async #dial(host: string, port: number): Promise<Duplex> {
    const { trust, proxies, limitMs } = this.#options;
    const proxy = proxyFor(proxies, { secure: true, host, port });
    const dial = new OriginDial({ host, port, proxy, tls: { trust, offers: ["http/1.1"] }, limitMs });
    this.#dials.add(dial);
    try {
      return new TlsStream((await dial.connect()).connection);
    } finally {
      this.#dials.delete(dial);
    }
  }
}
