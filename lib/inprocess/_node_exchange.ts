import type { ClientRequest } from "node:http";
import { announcesBody, requestedUpgrade } from "../engine/mod.ts";
import { type Header, headerValue } from "../step/mod.ts";
import { Http1Parser, type ParsedHead, type ParserEvent, PieceQueue } from "../wire/mod.ts";
import type { Door } from "./_door.ts";
import { MemoryChannel } from "./_memory_channel.ts";
import { NodeSink } from "./_node_sink.ts";
import { MemorySocket, type SocketPeer } from "./_node_socket.ts";

/** Bytes of a request that wait for the engine before its client is asked to wait. */
const waitingBytes = 64 * 1024;

/** The client broke off in the middle of its own request: nobody is left to answer. */
class ClientLeftError extends Error {
  override readonly name = "ClientLeftError";
}

/**
 * Answers one request of Node's client: gives it a socket, reads what it writes there, and has it answered.
 *
 * @param door Who answers.
 * @param request The client's, before it has a socket.
 * @param origin Where it is to go: `https://host:port`.
 */
export function answerNode(door: Door, request: ClientRequest, origin: string): void {
  const exchange = new NodeExchange(door, request, origin);
  const { socket } = exchange;
  const { timeout } = request as ClientRequest & { readonly timeout?: number };
  if (timeout !== undefined && timeout > 0) socket.setTimeout(timeout);
  request.onSocket(socket);
}

/** One request on a socket of its own: none is ever used again, so none serves another scope. */
class NodeExchange implements SocketPeer {
  readonly socket: MemorySocket;
  readonly #door: Door;
  readonly #request: ClientRequest;
  readonly #origin: string;
  readonly #parser = new Http1Parser();
  #body: PieceQueue | null = null;
  #trailers: readonly Header[] = [];
  #channel: MemoryChannel | null = null;
  /** The client's wish to write on, while too much waits. */
  #waiting: (() => void) | null = null;

  constructor(door: Door, request: ClientRequest, origin: string) {
    this.#door = door;
    this.#request = request;
    this.#origin = origin;
    this.socket = new MemorySocket(origin.startsWith("https:"), this);
  }

  take(bytes: Uint8Array, done: () => void): void {
    if (this.#channel !== null) return this.#channel.feed(bytes, done);
    this.#parser.push(bytes);
    for (let event = this.#parser.next(); event !== null; event = this.#parser.next()) {
      this.#takeEvent(event);
      if (event.kind === "error" || event.kind === "end") break; // behind an end there is another protocol, or nothing
    }
    if ((this.#body?.weight ?? 0) < waitingBytes) done();
    else this.#waiting = done;
  }

  takeEnd(): void {
    this.#channel?.feedEnd();
  }

  takeClose(): void {
    const error = new ClientLeftError("Cannot read the request: its client has broken off");
    this.#body?.breakOff(error);
    this.#channel?.feedBreak(error);
    this.#letOn();
  }

  #takeEvent(event: ParserEvent): void {
    switch (event.kind) {
      case "head":
        return this.#begin(event.head);
      case "body":
        return this.#body?.push(event.bytes);
      case "end":
        this.#trailers = event.trailers;
        this.#body?.end();
        return;
      case "error":
        this.socket.destroy(new TypeError(`Cannot send the request: ${event.reason}`));
    }
  }

  #begin(head: ParsedHead): void {
    // Said to its client only now, when its own head is written: this socket goes back to no agent.
    this.#request.shouldKeepAlive = false;
    const { method, version: httpVersion, headers, framing } = head;
    const body = announcesBody(headers) ? new PieceQueue(() => this.#letOn(), () => this.#body?.discard()) : null;
    this.#body = body;
    const upgrade = requestedUpgrade({ httpVersion, headers });
    const sink = new NodeSink({
      socket: this.socket,
      request: head,
      onAbandoned: () => this.takeClose(),
      ...(upgrade === undefined ? {} : { upgrade: { protocol: upgrade, take: () => this.#switch() } }),
    });
    this.#door.exchange({
      method,
      url: /^https?:\/\//i.test(head.target) ? head.target : `${this.#origin}${head.target}`,
      httpVersion,
      headers: headers.filter(([name]) => !/^proxy-/i.test(name)),
      body,
      trailers: () => this.#trailers,
      expectsContinue: headerValue(headers, "expect")?.toLowerCase() === "100-continue" && framing.kind !== "none",
      ...(upgrade === undefined ? {} : { upgrade }),
    }, sink);
  }

  #switch(): MemoryChannel {
    const channel = new MemoryChannel({
      receive: (bytes) => this.socket.give(bytes),
      receiveEnd: () => this.socket.giveEnd(),
      receiveBreak: () => {
        this.socket.giveEnd(); // what came before is still read
        this.socket.end();
      },
    });
    channel.feed(this.#parser.takeRest());
    this.#channel = channel;
    return channel;
  }

  #letOn(): void {
    this.#waiting?.();
    this.#waiting = null;
  }
}
