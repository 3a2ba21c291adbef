import type { ClientRequest } from "node:http";
import type { Socket } from "node:net";
import type { ErrorPhase } from "../step/mod.ts";

/** How far a request has come: what a code like ECONNRESET, which may come at any time, does not tell. */
export class Dial {
  #phase: ErrorPhase = "connect";
  #reused = false;

  constructor(outgoing: ClientRequest) {
    outgoing.once("socket", (socket) => {
      this.#reused = outgoing.reusedSocket;
      // Deno 2.9.6 sends a request again by itself when a kept connection breaks: even a POST, and without the body that
      // it has streamed away, so that both sides wait for ever. It does so only while this is set.
      outgoing.reusedSocket = false;
      this.#follow(socket);
    });
  }

  /** True when the request went out on a connection that had served another before. */
  get reused(): boolean {
    return this.#reused;
  }

  get phase(): ErrorPhase {
    return this.#phase;
  }

  #follow(socket: Socket): void {
    if (!socket.connecting) {
      this.#phase = "read";
      return;
    }
    const secure = "encrypted" in socket;
    socket.once("connect", () => this.#phase = secure ? "tls" : "read");
    if (secure) socket.once("secureConnect", () => this.#phase = "read");
  }
}
