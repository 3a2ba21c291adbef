import type { InterimSink, LiveRequest, LiveResponse, OriginAddress, Protocol, Upstream } from "../engine/mod.ts";
import { exchangeByClient, isClientRequest } from "./_client_exchange.ts";
import { isCallRequest, liveCall } from "./_function_step.ts";
import type { Host } from "./host.ts";
import { outsideScopes } from "./_scope.ts";

/** Sends each request where it says. */
export class LiveUpstream implements Upstream {
  readonly #network: Upstream;
  #byClient = 0;

  /** @param network Where requests go that say nothing else; disposed of with this. */
  constructor(network: Upstream) {
    this.#network = network;
  }

  get calls(): number {
    return this.#network.calls + this.#byClient;
  }

  protocolOf(origin: OriginAddress, offers: readonly Protocol[]): Protocol | Promise<Protocol> {
    return outsideScopes(() => this.#network.protocolOf(origin, offers));
  }

  exchange(request: LiveRequest, interim: InterimSink, signal: AbortSignal): Promise<LiveResponse> {
    // What goes out for a scope is none of its requests, and what a function asks of the network is its own affair.
    if (isCallRequest(request)) return outsideScopes(() => request[liveCall]());
    if (!isClientRequest(request)) return outsideScopes(() => this.#network.exchange(request, interim, signal));
    this.#byClient++;
    return outsideScopes(() => exchangeByClient(request, interim, signal));
  }

  [Symbol.dispose](): void {
    this.#network[Symbol.dispose]();
  }
}

/** Opens the way out; what it needs is loaded only now, for a replay needs none of it. */
export async function openLiveUpstream(host: Host): Promise<LiveUpstream> {
  const { NetworkUpstream, proxiesOf } = await import("../upstream/mod.ts");
  return new LiveUpstream(new NetworkUpstream({ proxies: proxiesOf(host.variables() ?? {}) }));
}
