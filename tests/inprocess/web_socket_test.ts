import { deepEqual, equal, ok, rejects, throws } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import { ReplayDivergenceError } from "../../lib/inprocess/mod.ts";
import { acceptOf } from "../../lib/wire/mod.ts";
import { both, CassetteRoom } from "./room.ts";

/** Answers each message: a text in capitals, bytes reversed. `bye` closes with 4001. */
function chat(request: Request): Response {
  const wanted = request.headers.has("sec-websocket-protocol");
  const { socket, response } = Deno.upgradeWebSocket(request, wanted ? { protocol: "chat" } : {});
  socket.binaryType = "arraybuffer";
  socket.onopen = () => socket.send("hello");
  socket.onmessage = ({ data }) => {
    if (data === "bye") socket.close(4001, "so long");
    else if (typeof data === "string") socket.send(data.toUpperCase());
    else socket.send(new Uint8Array(data).toReversed());
  };
  return response;
}

/** What a WebSocket tells, one after the other. */
class Log {
  readonly socket: WebSocket;
  readonly #events: string[] = [];
  readonly #closed = Promise.withResolvers<void>();
  #wake = () => {};

  constructor(url: string, protocols: string[] = []) {
    this.socket = new WebSocket(url.replace("http", "ws"), protocols);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => this.#add(`open ${this.socket.protocol}`);
    this.socket.onmessage = ({ data }) => this.#add(typeof data === "string" ? data : `bytes ${new Uint8Array(data)}`);
    this.socket.addEventListener("error", () => this.#add("error"));
    this.socket.onclose = ({ code, reason, wasClean }) => {
      this.#add(`close ${code} ${reason} ${wasClean}`);
      this.#closed.resolve();
    };
  }

  /** Waits for so many events. */
  async until(count: number): Promise<readonly string[]> {
    while (this.#events.length < count) await new Promise<void>((resolve) => this.#wake = resolve);
    return this.#events;
  }

  async closed(): Promise<readonly string[]> {
    await this.#closed.promise;
    return this.#events;
  }

  #add(event: string): void {
    this.#events.push(event);
    this.#wake();
  }
}

Deno.test("withReplay() replays a WebSocket: texts, bytes, its protocol and how it closed", async () => {
  using room = new CassetteRoom();
  const { recorded, replayed } = await both(room, chat, async (url) => {
    const log = new Log(url("/chat"), ["chat", "other"]);
    await log.until(2);
    log.socket.send("one");
    log.socket.send(new Uint8Array([1, 2, 3]));
    log.socket.send(new Blob([new Uint8Array([4, 5])]));
    await log.until(5);
    log.socket.send("bye");
    return [...await log.closed(), log.socket.readyState, log.socket instanceof WebSocket];
  });
  const closed = "close 4001 so long true";
  deepEqual(recorded, ["open chat", "hello", "ONE", "bytes 3,2,1", "bytes 5,4", closed, 3, true]);
  deepEqual(replayed, recorded);
  deepEqual(room.steps().map(({ response }) => [response?.status, response?.end]), [[101, "complete"]]);
});

Deno.test("withReplay() replays a WebSocket that its client closes", async () => {
  using room = new CassetteRoom();
  const { recorded, replayed } = await both(room, chat, async (url) => {
    const log = new Log(url("/chat"));
    await log.until(2);
    log.socket.close(4100, "enough");
    return await log.closed();
  });
  deepEqual(recorded, ["open ", "hello", "close 4100 enough true"]);
  deepEqual(replayed, recorded);
});

Deno.test("withReplay() replays a WebSocket that was refused", async () => {
  using room = new CassetteRoom();
  const { recorded, replayed } = await both(room, () => new Response("no", { status: 403 }), async (url) => {
    return await new Log(url("/chat")).closed();
  });
  deepEqual(recorded, ["error", "close 1006  false"]);
  deepEqual(replayed, recorded);
});

Deno.test("withReplay() breaks a WebSocket off where its server did", async () => {
  using room = new CassetteRoom();
  const server = createServer().on("upgrade", (request, socket) => {
    const accept = acceptOf(request.headers["sec-websocket-key"] ?? "");
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n`);
    socket.write(`Sec-WebSocket-Accept: ${accept}\r\n\r\n`);
    socket.end(Buffer.from("\x81\x02hi", "latin1"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const run = () => new Log(`http://127.0.0.1:${port}/`).closed();
  const recorded = await room.record(run);
  await new Promise((resolve) => server.close(resolve));
  deepEqual(recorded, ["open ", "hi", "error", "close 1006  false"]);
  deepEqual(await room.replay(run), recorded);
});

Deno.test("withReplay() closes a WebSocket that says what was not recorded with 1011, and tells", async () => {
  using room = new CassetteRoom();
  let target = "";
  const say = async (text: string) => {
    const log = new Log(target);
    await log.until(2);
    log.socket.send(text);
    if (text === "one") {
      await log.until(3);
      log.socket.close();
    }
    return await log.closed();
  };
  await both(room, chat, (url) => {
    target = url("/chat");
    return say("one");
  });
  const seen: (readonly string[])[] = [];
  await rejects(room.replay(async () => seen.push(await say("two"))), ReplayDivergenceError);
  equal(seen[0]?.at(-1), "close 1011 agrepl: message 1 is not the recorded one true");
});

Deno.test("withReplay() hands a handler each event in a turn of its own", async () => {
  using room = new CassetteRoom();
  const { replayed } = await both(room, chat, async (url) => {
    const socket = new WebSocket(url("/").replace("http", "ws"));
    await new Promise((resolve) => socket.onopen = resolve);
    const first = await new Promise((resolve) => socket.onmessage = ({ data }) => resolve(data));
    const closed = new Promise((resolve) => socket.onclose = resolve);
    socket.close();
    await closed;
    return first;
  });
  equal(replayed, "hello");
});

Deno.test("a captured WebSocket refuses what the genuine one refuses", async () => {
  using room = new CassetteRoom();
  await room.record((t) => {
    for (const url of ["ftp://h/", "ws://h/#a", "nothing"]) throws(() => new WebSocket(url), { name: "SyntaxError" });
    throws(() => new WebSocket("ws://127.0.0.1:1/", ["a", "a"]), { name: "SyntaxError" });
    throws(() => new WebSocket("ws://127.0.0.1:1/", ["a b"]), { name: "SyntaxError" });
    return t.system("end", () => 1);
  });
  deepEqual(room.steps().map((step) => step.type), ["SYSTEM"]);
});

Deno.test("a captured WebSocket refuses to send before it is open, and to close with a code of the protocol's", async () => {
  using room = new CassetteRoom();
  await both(room, chat, async (url) => {
    const log = new Log(url("/"));
    throws(() => log.socket.send("x"), { name: "InvalidStateError" });
    await log.until(2);
    throws(() => log.socket.close(1006), { name: "InvalidAccessError" });
    throws(() => log.socket.close(1000, "x".repeat(124)), { name: "SyntaxError" });
    log.socket.close(1000);
    await log.closed();
  });
  equal(room.steps().length, 1);
});

Deno.test("withReplay() puts WebSocket and EventSource back, and leaves those outside alone", async () => {
  const genuine = [WebSocket, EventSource];
  using room = new CassetteRoom();
  await room.record((t) => t.system("ours", () => WebSocket !== genuine[0] && EventSource !== genuine[1])).then(ok);
  deepEqual([WebSocket, EventSource], genuine);
});
