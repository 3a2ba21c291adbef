import type { ClientRequestArgs } from "node:http";
import https from "node:https";
import type { Duplex } from "node:stream";
import { agentOptions } from "./_agent_options.ts";
import { SecureDial } from "./_secure_dial.ts";
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
  readonly #dials = new Set<SecureDial>();

  constructor(options: SecureAgentOptions) {
    super(agentOptions);
    this.#options = options;
  }

  /** One pool per host and port: all else is the same for every connection. */
  override getName({ host, port }: ClientRequestArgs): string {
    return `${host}:${port}`;
  }

  override createConnection({ host, port }: ClientRequestArgs, connected?: Connected): Duplex {
    this.#dial(host ?? "", Number(port)).then(
      (stream) => connected?.(null, stream),
      (error) => connected?.(error, none),
    );
    return none;
  }

  override destroy(): void {
    for (const dial of this.#dials) dial.giveUp("ECANCELED", "the run ended before there was a connection");
    super.destroy();
  }

  async #dial(host: string, port: number): Promise<Duplex> {
    const { trust, proxies, limitMs } = this.#options;
    const proxy = proxyFor(proxies, { secure: true, host, port });
    const dial = new SecureDial({ host, port, proxy, trust, limitMs });
    this.#dials.add(dial);
    try {
      return await dial.connect();
    } finally {
      this.#dials.delete(dial);
    }
  }
}
