import { deepEqual, equal, match, notEqual, ok, rejects, throws } from "node:assert/strict";
import { Buffer } from "node:buffer";
import http, { get as namedGet, request as namedRequest } from "node:http";
import * as everything from "node:http";
import https from "node:https";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { ReplayDivergenceError, replayOn } from "../../lib/inprocess/mod.ts";
import { ask, errorOf, readAnswer } from "./node_client.ts";
import { both, CassetteRoom, Loopback, openHost } from "./room.ts";

const echo = async (request: Request) => {
  const { pathname } = new URL(request.url);
  return new Response(`${request.method} ${pathname} ${await request.text()}`);
};

const requireHere = createRequire(import.meta.url);
type Get = (url: string, onAnswer: (response: http.IncomingMessage) => void) => unknown;

const ways: Readonly<Record<string, Get>> = {
  "http.get": http.get,
  "a named get": namedGet,
  "get of a namespace": everything.get,
  "get of a required module": requireHere("node:http").get,
  "a named request": (url, onAnswer) => namedRequest(url, onAnswer).end(),
};

for (const [name, get] of Object.entries(ways)) {
  Deno.test(`withReplay() catches ${name}, taken before it began`, async () => {
    using room = new CassetteRoom();
    const { recorded, replayed } = await both(room, echo, async (url) => {
      const response = await new Promise<http.IncomingMessage>((resolve) => get(url("/a"), resolve));
      return (await readAnswer(response)).text;
    });
    deepEqual([recorded, replayed], ["GET /a ", "GET /a "]);
  });
}

Deno.test("withReplay() answers default agents, own agents, and none", async () => {
  using room = new CassetteRoom();
  const { recorded, replayed } = await both(room, echo, async (url) => {
    const own = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const agents = [{}, { agent: own }, { agent: own }, { agent: false }, { agent: http.globalAgent }] as const;
    const answers = agents.map((agent, at) => ask(url(`/${at}`), { ...agent, method: "POST", body: `body ${at}` }));
    return (await Promise.all(answers)).map(({ text }) => text);
  });
  deepEqual(recorded, [0, 1, 2, 3, 4].map((at) => `POST /${at} body ${at}`));
  deepEqual(replayed, recorded);
});

Deno.test("withReplay() answers a request that brings a connection of its own, or a foreign agent", async () => {
  using room = new CassetteRoom();
  const { replayed } = await both(room, echo, async (url) => {
    const { port } = new URL(url("/"));
    const createConnection = () => connect(Number(port), "127.0.0.1");
    const foreign = { addRequest: () => ok(false, "it was asked") } as unknown as http.Agent;
    const answers = [ask(url("/own"), { createConnection }), ask(url("/foreign"), { agent: foreign })];
    return (await Promise.all(answers)).map(({ text }) => text);
  });
  deepEqual(replayed, ["GET /own ", "GET /foreign "]);
});

Deno.test("withReplay() replays https by the global agent, and tells a client that there was TLS", async () => {
  using room = new CassetteRoom();
  const run = async () => {
    const { promise, resolve } = Promise.withResolvers<unknown[]>();
    const request = https.get("https://127.0.0.1:1/x", { agent: https.globalAgent });
    request.on("socket", (socket) => {
      request.on("error", (error) => resolve([Reflect.get(error, "code"), Reflect.get(socket, "authorized")]));
    });
    return await promise;
  };
  deepEqual(await room.record(run), ["ECONNREFUSED", true]); // nobody listens there
  deepEqual(await room.replay(run), ["ECONNREFUSED", true]);
  equal(room.steps()[0]?.request.url, "https://127.0.0.1:1/x");
});

Deno.test("withReplay() gives headers in their order and case, repeats, trailers, and the reason phrase", async () => {
  const server = http.createServer((_request, response) => {
    response.sendDate = false;
    response.writeHead(299, "Fine So Far", ["X-B", "1", "x-a", "2", "X-B", "3", "Trailer", "X-Sum"]);
    response.addTrailers({ "X-Sum": "9" });
    response.end("text");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  using room = new CassetteRoom();
  const run = async () => {
    const response = await new Promise<http.IncomingMessage>((resolve) =>
      http.get({ port, host: "127.0.0.1" }, resolve)
    );
    await readAnswer(response);
    const { statusMessage, rawHeaders, trailers, complete } = response;
    return [statusMessage, rawHeaders.slice(0, 6), { ...trailers }, complete];
  };
  const recorded = await room.record(run);
  await new Promise((resolve) => server.close(resolve));
  deepEqual(recorded, ["Fine So Far", ["X-B", "1", "x-a", "2", "X-B", "3"], { "x-sum": "9" }, true]);
  deepEqual(await room.replay(run), recorded);
});

Deno.test("withReplay() streams both ways: a large body, read slowly, arrives whole", async () => {
  using room = new CassetteRoom();
  const { recorded, replayed } = await both(room, (request) => new Response(request.body), async (url) => {
    const request = http.request(url("/"), { method: "POST" });
    const answered = new Promise<http.IncomingMessage>((resolve) => request.on("response", resolve));
    for (let at = 0; at < 64; at++) {
      if (!request.write(Buffer.alloc(65_536, at))) await new Promise((resolve) => request.once("drain", resolve));
    }
    request.end();
    return (await readAnswer(await answered)).text.length;
  });
  deepEqual([recorded, replayed], [64 * 65_536, 64 * 65_536]);
});

Deno.test("withReplay() tells a client that waits to go on", async () => {
  using room = new CassetteRoom();
  const server = http.createServer((request, response) => void request.pipe(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const run = async () => {
    const headers = { expect: "100-continue", "content-length": 4 };
    const request = http.request({ port, host: "127.0.0.1", method: "PUT", headers });
    const answered = new Promise<http.IncomingMessage>((resolve) => request.on("response", resolve));
    request.flushHeaders();
    await new Promise((resolve) => request.on("continue", resolve));
    request.end("body");
    return (await readAnswer(await answered)).text;
  };
  equal(await room.record(run), "body");
  await new Promise((resolve) => server.close(resolve));
  equal(await room.replay(run), "body");
});

Deno.test("withReplay() ends a request that its client destroys, and one that runs into its time limit", async () => {
  using room = new CassetteRoom();
  const { promise: never, resolve: letGo } = Promise.withResolvers<void>();
  await using server = new Loopback(() => never.then(() => new Response("late")));
  const run = async () => {
    const destroyed = http.get(server.url("/destroyed"));
    const late = http.get(server.url("/late"), { timeout: 30 });
    late.on("timeout", () => late.destroy(new RangeError("too late")));
    const ends = Promise.all([errorOf(destroyed), errorOf(late)]);
    setTimeout(() => destroyed.destroy(), 20);
    return await ends;
  };
  deepEqual(await room.record(run), ["ECONNRESET", "too late"]);
  letGo();
  deepEqual(await room.replay(run), ["ECONNRESET", "too late"]);
});

Deno.test("withReplay() breaks an answer off where the upstream did", async () => {
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { "content-length": "10" });
    response.write("half", () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  using room = new CassetteRoom();
  const run = () => ask(`http://127.0.0.1:${port}/`).then(() => "whole", (error) => error.code);
  equal(await room.record(run), "ECONNRESET");
  await new Promise((resolve) => server.close(resolve));
  equal(await room.replay(run), "ECONNRESET");
});

Deno.test("withReplay() replays an upgrade of Node's client", async () => {
  using room = new CassetteRoom();
  const handler = (request: Request) => {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onopen = () => socket.send("hi");
    socket.onmessage = () => socket.close();
    return response;
  };
  const { recorded, replayed } = await both(room, handler, async (url) => {
    const headers = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    };
    const request = http.get(url("/"), { headers });
    const { promise, resolve } = Promise.withResolvers<unknown[]>();
    request.on("upgrade", (response, socket, head) => {
      const bytes = [...head];
      const take = (piece: Uint8Array) => {
        bytes.push(...piece);
        if (bytes.length < 4) return;
        socket.off("data", take).resume();
        socket.end(Buffer.from([0x88, 0x80, 0, 0, 0, 0])); // a close without a code
        resolve([response.headers["sec-websocket-accept"], Buffer.from(bytes.slice(0, 4)).toString("latin1")]);
      };
      socket.on("data", take);
      take(Buffer.alloc(0));
    });
    return await promise;
  });
  deepEqual(recorded, ["s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "\x81\x02hi"]);
  deepEqual(replayed, recorded);
});

Deno.test("withReplay() takes for no HTTP what a client says in the very moment of an upgrade", async () => {
  using room = new CassetteRoom();
  const handler = (request: Request) => {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) => socket.send(`${data}!`);
    return response;
  };
  const { recorded, replayed } = await both(room, handler, async (url) => {
    const headers = { ...upgradeHeaders, "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };
    const { promise, resolve } = Promise.withResolvers<string>();
    http.get(url("/"), { headers }).on("upgrade", (_response, socket) => {
      socket.write(Buffer.from([0x81, 0x82, 10, 10, 10, 10, 0x68 ^ 10, 0x69 ^ 10])); // "hi", masked with line feeds
      socket.on("data", (piece: Uint8Array) => {
        socket.end(Buffer.from([0x88, 0x80, 0, 0, 0, 0])).resume();
        resolve(Buffer.from(piece).toString("latin1", 2, 5));
      }).on("error", (error) => resolve(error.message));
    });
    return await promise;
  });
  deepEqual([recorded, replayed], ["hi!", "hi!"]);
});

const upgradeHeaders = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" } as const;

Deno.test("withReplay() puts Node's modules back, also when its function throws", async () => {
  const taken =
    () => [http.request, http.get, https.request, https.get, Reflect.get(http.Agent.prototype, "addRequest")];
  const genuine = taken();
  using room = new CassetteRoom();
  await room.record(() => {
    for (const [at, each] of taken().entries()) notEqual(each, genuine[at]);
    return Promise.reject(new RangeError("no"));
  }).catch((error) => equal(error.name, "RangeError"));
  deepEqual(taken(), genuine);
});

Deno.test("a connection that was kept before a function, or in one, serves no other", async () => {
  using one = new CassetteRoom();
  using two = new CassetteRoom();
  await using server = new Loopback(echo);
  const agent = new http.Agent({ keepAlive: true });
  const hit = (path: string) => ask(server.url(path), { agent }).then(({ text }) => text);
  try {
    equal(await hit("/before"), "GET /before ");
    deepEqual(await Promise.all([one.record(() => hit("/one")), two.record(() => hit("/two"))]), [
      "GET /one ",
      "GET /two ",
    ]);
    equal(await hit("/behind"), "GET /behind ");
    deepEqual(await Promise.all([one.replay(() => hit("/one")), two.replay(() => hit("/two"))]), [
      "GET /one ",
      "GET /two ",
    ]);
  } finally {
    agent.destroy();
  }
  deepEqual([one, two].map((room) => room.steps().length), [1, 1]);
});

Deno.test("withReplay() answers a miss of Node's client as any other", async () => {
  using room = new CassetteRoom();
  await both(room, echo, async (url) => (await ask(url("/"))).text);
  const { url = "" } = room.steps()[0]?.request ?? {};
  const missed = await room.replay(async () => {
    const { status, headers } = await ask(`${url}other`);
    deepEqual([status, headers["x-agrepl"], headers["x-should-retry"]], [502, "miss", "false"]);
  }).catch((error) => error);
  match(missed.message, /1 miss, 1 step never asked for/);
});

Deno.test("withReplay() falls back on the network for Node's clients too, and tells what was missing", async () => {
  await using server = new Loopback(echo);
  using room = new CassetteRoom();
  await room.record(async () => (await ask(server.url("/a"))).text);
  const seen: string[] = [];
  const run = replayOn(openHost, { path: room.path, mode: "fallback" }, async () => {
    for (const path of ["/a", "/b"]) seen.push((await ask(server.url(path), { method: "GET" })).text);
  });
  await rejects(run, (error) => error instanceof ReplayDivergenceError && error.misses.length === 1);
  deepEqual(seen, ["GET /a ", "GET /b "]);
});

Deno.test("withReplay() leaves a CONNECT and a Unix socket to the genuine client", async () => {
  const server = http.createServer().on("connect", (_request, socket) => {
    socket.end("HTTP/1.1 200 OK\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  using room = new CassetteRoom();
  await room.record(async (t) => {
    const request = http.request({ port, host: "127.0.0.1", method: "CONNECT", path: "h:443", agent: false });
    await new Promise<void>((resolve) => {
      request.on("connect", (_response, socket) => resolve(void socket.destroy())).end();
    });
    // Tests may reach no Unix socket: it is the genuine client that says so.
    throws(() => http.get({ socketPath: `${room.folder}/none.sock`, agent: false }), { name: "NotCapable" });
    await t.system("end", () => 1);
  });
  await new Promise((resolve) => server.close(resolve));
  deepEqual(room.steps().map((step) => step.type), ["SYSTEM"]);
});
