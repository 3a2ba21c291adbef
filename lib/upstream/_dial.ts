import type { ClientRequest } from "node:http";
import type { Socket } from "node:net";
import { UpstreamError } from "../engine/mod.ts";
import type { ErrorPhase } from "../step/mod.ts";
import { timeoutWords } from "./_origin_dial.ts";

/** How far a request has come: what a code like ECONNRESET, which may come at any time, does not tell. */
export class Dial {
  #phase: ErrorPhase = "connect";
  #reused = false;

  /** @param limitMs How long a connection may take to come; `null` when the agent itself sees to that. */
  constructor(outgoing: ClientRequest, limitMs: number | null) {
    outgoing.once("socket", (socket) => {
      this.#reused = outgoing.reusedSocket;
      // Deno 2.9.6 sends a request again by itself when a kept connection breaks: even a POST, and without the body that
      // it has streamed away, so that both sides wait for ever. It does so only while this is set.
      outgoing.reusedSocket = false;
      this.#follow(socket);
      if (socket.connecting && limitMs !== null) this.#limit(outgoing, socket, limitMs);
    });
  }

  /** True when the request went out on a connection that had served another before. */
  get reused(): boolean {
    return this.#reused;
  }

  get phase(): ErrorPhase {
    return this.#phase;
  }

  /** A model may think for as long as it likes, but a connection comes soon or never. */
  #limit(outgoing: ClientRequest, socket: Socket, limitMs: number): void {
    const timer = setTimeout(() => {
      outgoing.destroy(new UpstreamError(this.#phase, "ETIMEDOUT", timeoutWords(limitMs)));
    }, limitMs);
    const clear = () => clearTimeout(timer);
    socket.once("connect", clear);
    outgoing.once("close", clear);
  }

  #follow(socket: Socket): void {
    if (!socket.connecting) {
      this.#phase = "read";
      return;
    }
    socket.once("connect", () => this.#phase = "read");
  }
}
