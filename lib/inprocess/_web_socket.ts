import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers";
import { headerValue, type ResponseHead } from "../step/mod.ts";
import {
  acceptOf,
  closePayload,
  encodeFrame,
  MessageReader,
  negotiatedDeflate,
  opcodes,
  type ReadFrame,
} from "../wire/mod.ts";
import type { Door } from "./_door.ts";
import { captureClass, defineHandlers } from "./_event_handlers.ts";
import type { MemoryChannel } from "./_memory_channel.ts";
import { type SocketRequest, toSocketRequest } from "./_socket_request.ts";
import { SocketSink } from "./_socket_sink.ts";

/**
 * Puts a WebSocket of ours in the place of the global one.
 *
 * @param scopeNow The scope that the caller is in.
 * @returns Puts the genuine one back.
 */
export function captureWebSocket(scopeNow: () => Door | undefined): () => void {
  return captureClass("WebSocket", ScopedWebSocket, (args) => {
    const scope = scopeNow();
    return scope === undefined ? undefined : new ScopedWebSocket(scope, toSocketRequest(args));
  });
}

const states = { connecting: 0, open: 1, closing: 2, closed: 3 } as const;

/** What a close frame said: RFC 6455 7.4.1 has codes for none, and for a connection that was lost. */
interface Closing {
  readonly code: number;
  readonly reason: string;
}

const noStatus: Closing = { code: 1005, reason: "" };
const lost: Closing = { code: 1006, reason: "" };

/** A WebSocket that the engine answers (WHATWG WebSockets). */
class ScopedWebSocket extends EventTarget {
  readonly url: string;
  binaryType: BinaryType = "blob";
  readonly #request: SocketRequest;
  readonly #sink = new SocketSink({
    opened: (head, channel) => this.#open(head, channel),
    received: (bytes) => this.#receive(bytes),
    ended: () => this.#lose("the connection was lost"),
    refused: (reason) => this.#lose(reason),
  });
  readonly #tasks: (() => void)[] = [];
  #state: number = states.connecting;
  #protocol = "";
  #extensions = "";
  #reader = new MessageReader({ from: "server", deflate: null });
  #channel: MemoryChannel | null = null;
  #sentClose = false;
  /** What is being read to be sent: what follows has to wait. */
  #sending: Promise<void> | null = null;

  constructor(door: Door, request: SocketRequest) {
    super();
    this.url = request.url;
    this.#request = request;
    // Whoever asked is to have its listeners by then.
    setImmediate(() => {
      if (this.#state === states.connecting) door.exchange(request.live, this.#sink);
    });
  }

  get readyState(): number {
    return this.#state;
  }

  get protocol(): string {
    return this.#protocol;
  }

  get extensions(): string {
    return this.#extensions;
  }

  /** What is sent has left at once. */
  get bufferedAmount(): number {
    return 0;
  }

  send(data: string | ArrayBufferLike | ArrayBufferView | Blob): void {
    if (this.#state === states.connecting) {
      throw new DOMException("Cannot send: the WebSocket is connecting, expected it open", "InvalidStateError");
    }
    if (data instanceof Blob || this.#sending !== null) this.#sendLater(data);
    else this.#sendNow(data);
  }

  close(code?: number, reason = ""): void {
    checkClosing(code, reason);
    if (this.#state >= states.closing) return;
    if (this.#state === states.connecting) return this.#sink.close(new TypeError("the WebSocket was closed"));
    this.#state = states.closing;
    const closeNow = () => this.#sendClose(code === undefined ? new Uint8Array(0) : closePayload(code, reason));
    if (this.#sending === null) closeNow();
    else this.#sending = this.#sending.then(closeNow);
  }

  #open(head: ResponseHead, channel: MemoryChannel): void {
    this.#channel = channel;
    if (headerValue(head.headers, "sec-websocket-accept") !== acceptOf(this.#request.key)) {
      return this.#lose("the server did not understand the handshake");
    }
    this.#reader = new MessageReader({ from: "server", deflate: negotiatedDeflate(head.headers) });
    this.#protocol = headerValue(head.headers, "sec-websocket-protocol") ?? "";
    this.#extensions = headerValue(head.headers, "sec-websocket-extensions") ?? "";
    this.#soon(() => {
      if (this.#state !== states.connecting) return;
      this.#state = states.open;
      this.dispatchEvent(new Event("open"));
    });
  }

  #receive(bytes: Uint8Array): void {
    for (const read of this.#reader.push(bytes)) this.#take(read);
    if (this.#reader.failure !== null) this.#lose(this.#reader.failure);
  }

  #take({ frame: { opcode, payload }, message }: ReadFrame): void {
    if (opcode === opcodes.ping) this.#sendFrame(opcodes.pong, payload);
    else if (opcode === opcodes.close) this.#takeClose(payload);
    else if (message !== null) {
      const data = this.#toData(message.opcode, message.payload);
      this.#soon(() => {
        if (this.#state === states.open || this.#state === states.closing) {
          this.dispatchEvent(new MessageEvent("message", { data, origin: new URL(this.url).origin }));
        }
      });
    }
  }

  #toData(opcode: number, payload: Uint8Array): unknown {
    if (opcode === opcodes.text) return Buffer.from(payload).toString("utf8");
    const bytes = Uint8Array.from(payload);
    return this.binaryType === "blob" ? new Blob([bytes]) : bytes.buffer;
  }

  #takeClose(payload: Uint8Array): void {
    const bytes = Buffer.from(payload);
    const closing = bytes.length < 2 ? noStatus : { code: bytes.readUInt16BE(0), reason: bytes.toString("utf8", 2) };
    this.#sendClose(payload.subarray(0, 2));
    this.#channel?.feedEnd();
    this.#soon(() => this.#finish(closing, true));
  }

  #sendLater(data: string | ArrayBufferLike | ArrayBufferView | Blob): void {
    const before = this.#sending ?? Promise.resolve();
    const sent = before.then(async () => this.#sendNow(data instanceof Blob ? await data.arrayBuffer() : data));
    this.#sending = sent;
    void sent.then(() => {
      if (this.#sending === sent) this.#sending = null;
    });
  }

  #sendNow(data: string | ArrayBufferLike | ArrayBufferView): void {
    if (typeof data === "string") return this.#sendFrame(opcodes.text, Buffer.from(data.toWellFormed()));
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data);
    this.#sendFrame(opcodes.binary, bytes);
  }

  #sendClose(payload: Uint8Array): void {
    if (this.#sentClose) return;
    this.#sendFrame(opcodes.close, payload);
    this.#sentClose = true;
  }

  #sendFrame(opcode: number, payload: Uint8Array): void {
    if (this.#sentClose) return; // RFC 6455 5.5.1: nothing behind a close
    const mask = crypto.getRandomValues(new Uint8Array(4));
    this.#channel?.feed(encodeFrame({ fin: true, deflated: false, opcode, payload }, mask));
  }

  /** The connection is no WebSocket, or not any more. */
  #lose(reason: string): void {
    this.#channel?.feedEnd();
    this.#soon(() => {
      if (this.#state === states.closed) return;
      this.#state = states.closed; // its handlers see it so
      this.dispatchEvent(new ErrorEvent("error", { message: `Cannot go on with "${this.url}": ${reason}` }));
      this.#finish(lost, false);
    });
  }

  #finish({ code, reason }: Closing, wasClean: boolean): void {
    if (this.#state === states.closed && wasClean) return;
    this.#state = states.closed;
    this.dispatchEvent(new CloseEvent("close", { code, reason, wasClean }));
  }

  /** Each event has a turn of the event loop of its own, as those of a connection do: who awaits one sees the next. */
  #soon(task: () => void): void {
    if (this.#tasks.push(task) > 1) return;
    const next = () => {
      this.#tasks[0]?.();
      this.#tasks.shift();
      if (this.#tasks.length > 0) setImmediate(next);
    };
    setImmediate(next);
  }
}

defineHandlers(ScopedWebSocket.prototype, ["open", "message", "error", "close"]);
for (const [name, value] of Object.entries(states)) {
  const constant = { value, enumerable: true };
  Object.defineProperty(ScopedWebSocket.prototype, name.toUpperCase(), constant);
}

function checkClosing(code: number | undefined, reason: string): void {
  if (code !== undefined && code !== 1000 && !(code >= 3000 && code <= 4999)) {
    throw new DOMException(`Cannot close with ${code}: expected 1000, or 3000 to 4999`, "InvalidAccessError");
  }
  if (Buffer.byteLength(reason) > 123) {
    throw new DOMException("Cannot close: the reason is longer than 123 bytes", "SyntaxError");
  }
}
