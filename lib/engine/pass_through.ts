/**
 * Passes exchanges through to the network and keeps nothing: what a replay falls back on.
 *
 * @module
 */
import { sendAnswer, upstreamErrorAnswer } from "./_answers.ts";
import { relayBody } from "./_relay.ts";
import { relayChannels } from "./_relay_channels.ts";
import {
  type Engine,
  type LiveRequest,
  type OriginAddress,
  type Protocol,
  type ResponseSink,
  type Upstream,
  UpstreamError,
} from "./exchange.ts";

/** Answers from the network. */
export class PassThrough implements Engine {
  readonly #upstream: Upstream;
  readonly #signal = new AbortController().signal;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  protocolOf(origin: OriginAddress, offers: readonly Protocol[]): Protocol | Promise<Protocol> {
    return this.#upstream.protocolOf(origin, offers);
  }

  async exchange(request: LiveRequest, sink: ResponseSink): Promise<void> {
    try {
      const response = await this.#upstream.exchange(request, sink, this.#signal);
      const { channel } = response;
      const client = channel === undefined ? undefined : sink.upgrade?.(response);
      if (channel !== undefined && client !== undefined) {
        await relayChannels({ client, server: channel, signal: this.#signal, copy: () => undefined });
        return;
      }
      sink.sendHead(response);
      const { end } = await relayBody({ response, sink, signal: this.#signal, copy: () => undefined });
      sink.witness?.ended(end);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      const { phase, code, message } = error;
      sink.witness?.failed({ phase, code, message });
      if (sink.failWith !== undefined) sink.failWith({ phase, code, message });
      else sendAnswer(upstreamErrorAnswer(error), sink);
    }
  }
}
