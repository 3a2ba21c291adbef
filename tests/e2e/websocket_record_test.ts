/** How a socket comes into a trace: while it is open, cut off, unreadable, past a proxy; and what is no WebSocket. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { LongSteps } from "../../lib/engine/mod.ts";
import { parseLine, type TraceLine } from "../../lib/step/mod.ts";
import { proxiesOf } from "../../lib/upstream/mod.ts";
import { encodeFrame, opcodes } from "../../lib/wire/mod.ts";
import { startProxy } from "../support/raw_proxy.ts";
import { RawSocket } from "../support/raw_socket.ts";
import { startUpstream } from "../support/raw_upstream.ts";
import { assertFaithful, Rig } from "../support/rig.ts";
import { assertOfSchema } from "../support/trace_schema.ts";
import { openSocket, startSocketServer, type WirePeer } from "../support/wire_peer.ts";

const longSteps: LongSteps = { openAfterMs: 40, everyMs: 40 };

function linesOf(rig: Rig): TraceLine[] {
  return rig.growing().trimEnd().split("\n").map((line) => parseLine(line, { path: "growing", line: 0, offset: 0 }));
}

/** Waits until the trace has so many lines; nothing tells when. */
async function lines(rig: Rig, count: number): Promise<TraceLine[]> {
  for (let tries = 0; linesOf(rig).length < count && tries < 300; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return linesOf(rig);
}

function textsOf(line: TraceLine | undefined): unknown {
  const part = line?.kind === "step" ? line.response : line?.kind === "more" ? line : undefined;
  const payloads = (part?.frames ?? []).map((frame) => frame[3]);
  return [payloads.map((payload) => payload !== null && "text" in payload ? payload.text : payload), part?.end];
}

/** A server that says what it is told. */
async function toldServer() {
  const open = Promise.withResolvers<WirePeer>();
  const server = await startSocketServer((peer) => void open.resolve(peer));
  return { server, peer: open.promise };
}

Deno.test("a socket that is open for long is written as it goes on, and replays as one", async () => {
  await using rig = new Rig();
  const { server, peer } = await toldServer();
  await using _server = server;
  await rig.record(async (port) => {
    await using client = await openSocket(port, server);
    const told = await peer;
    told.text("one");
    await client.saw();
    deepEqual((await lines(rig, 2)).slice(1).map(textsOf), [[["one"], "open"]]);
    client.text("two");
    await told.saw();
    told.frame(opcodes.text, "thr", { fin: false });
    await client.saw();
    deepEqual((await lines(rig, 3)).slice(2).map(textsOf), [[["two"], "open"]]);
    told.frame(opcodes.continuation, "ee");
    await client.saw();
    deepEqual((await lines(rig, 4)).slice(3).map(textsOf), [[["thr", "ee"], "open"]]);
    client.close();
    await told.saw();
    told.close();
    told.raw.socket.end();
    await client.rest();
  }, { longSteps });
  equal(rig.steps()[0]?.response?.frames?.length, 6);
  assertOfSchema(rig.tracePath);
  const { value, outcome } = await rig.replay(async (port) => {
    await using client = await openSocket(port, server);
    const seen = [await client.saw()];
    client.text("two");
    seen.push(...await client.sees(2));
    client.close();
    return [...seen, ...await client.rest()];
  });
  deepEqual(value, ["text one", "text… thr", "more three", "close 1000", "end"]);
  assertFaithful(outcome);
});

Deno.test("a run that ends while a socket is open ends its step as interrupted; a replay keeps it open", async () => {
  await using rig = new Rig();
  const { server, peer } = await toldServer();
  await using _server = server;
  const listen = async (port: number) => {
    const client = await openSocket(port, server);
    return { client, first: await client.saw() };
  };
  void peer.then((told) => told.text("hello"));
  const { client } = await rig.record(listen, { patienceMs: 20 });
  await client[Symbol.asyncDispose]();
  equal(rig.steps()[0]?.response?.end, "interrupted");
  const { outcome } = await rig.replay(async (port) => {
    const { client: replayed } = await listen(port);
    replayed.frame(opcodes.ping, "still there?");
    equal(await replayed.saw(), "pong still there?");
    await replayed[Symbol.asyncDispose]();
  });
  assertFaithful(outcome);
});

Deno.test("bytes that are no frames pass on; the recording of that socket ends there, and is told", async () => {
  await using rig = new Rig();
  const { server, peer } = await toldServer();
  await using _server = server;
  const seen = await rig.record(async (port) => {
    await using client = await openSocket(port, server);
    const told = await peer;
    told.text("kept");
    await client.saw();
    told.raw.send("no frame at all");
    await client.raw.take((bytes) => bytes.includes("at all") ? 0 : null);
    client.raw.send("nor this");
    return (await told.raw.take((bytes) => bytes.length >= 8 ? 8 : null)).toString("latin1");
  });
  equal(seen, "nor this");
  match(
    rig.lost.join(),
    /^GET http:\/\/.*\/ws: the server sent the reserved opcode 14, .*what came before is recorded$/,
  );
  deepEqual(rig.steps().map(({ response }) => [response?.frames?.length, response?.end]), [[1, "open"]]);
});

const unreadable: Readonly<Record<string, Uint8Array>> = {
  "the reserved opcode 14": Buffer.from("no frame at all"),
  "a message of more than 67108864 bytes": Buffer.from("827f0000000004000001", "hex"),
};

for (const [reason, bytes] of Object.entries(unreadable)) {
  for (const options of [{}, { longSteps }]) {
    const how = "longSteps" in options ? "written open" : "short";
    Deno.test(`a socket with ${reason} ends as open with its reason, and a replay breaks it off there, ${how}`, async () => {
      await using rig = new Rig();
      const { server, peer } = await toldServer();
      await using _server = server;
      await rig.record(async (port) => {
        await using client = await openSocket(port, server);
        (await peer).text("kept");
        await client.saw();
        if ("longSteps" in options) await lines(rig, 2);
        (await peer).raw.send(bytes);
        await client.raw.take((received) => received.length >= bytes.length ? 0 : null);
      }, options);
      equal(rig.steps()[0]?.response?.end, "open");
      match(rig.stored(), new RegExp(`"end":"open",[^\n]*"unreadable":"the server sent ${reason}"`));
      assertOfSchema(rig.tracePath);
      const { value, outcome } = await rig.replay(async (port) => {
        await using client = await openSocket(port, server);
        return await client.rest();
      });
      deepEqual(value, ["text kept", "end"]);
      assertFaithful(outcome);
    });
  }
}

Deno.test("what passes while a message is under way is written before it, and replays where it was", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(async (peer) => {
    peer.frame(opcodes.text, "thr", { fin: false });
    peer.frame(opcodes.ping, "between");
    await peer.saw();
    peer.frame(opcodes.continuation, "ee");
    await peer.rest();
  });
  const speak = (beforeSpeaking: () => Promise<unknown>) => async (port: number) => {
    await using client = await openSocket(port, server);
    const begun = await client.sees(2);
    await beforeSpeaking();
    client.text("I have seen the beginning");
    return [...begun, await client.saw()];
  };
  const written = async () => deepEqual((await lines(rig, 2)).slice(1).map(textsOf), [[["between"], "open"]]);
  const seen = await rig.record(speak(written), { longSteps });
  deepEqual(seen, ["text… thr", "ping between", "more three"]);
  const { value, outcome } = await rig.replay(speak(() => Promise.resolve()));
  deepEqual(value, seen);
  assertFaithful(outcome);
});

Deno.test("a message that its client never ends holds none of the server's back in memory", async () => {
  await using rig = new Rig();
  const { server, peer } = await toldServer();
  await using _server = server;
  const large = "x".repeat(60_000);
  await rig.record(async (port) => {
    await using client = await openSocket(port, server);
    client.frame(opcodes.text, "begun", { fin: false });
    const told = await peer;
    await told.saw();
    for (let count = 0; count < 100; count++) {
      told.text(large);
      await client.next();
    }
    ok((await lines(rig, 4)).length >= 4, "no line was written of 6 MB");
  }, { longSteps: { openAfterMs: 60_000, everyMs: 60_000 } });
  equal(rig.steps()[0]?.response?.frames?.length, 100);
  deepEqual(rig.lost, []);
});

Deno.test("a message that never ends is not kept, what came beside it is", async () => {
  await using rig = new Rig();
  const { server, peer } = await toldServer();
  await using _server = server;
  await rig.record(async (port) => {
    await using client = await openSocket(port, server);
    const told = await peer;
    told.frame(opcodes.text, "begun", { fin: false });
    told.frame(opcodes.ping, "alive");
    await client.sees(2);
  });
  deepEqual(rig.steps()[0]?.response?.frames?.map(([, , opcode]) => opcode), [opcodes.ping]);
  assertOfSchema(rig.tracePath);
});

Deno.test("frames faster than lines are written at once, not held in memory", async () => {
  await using rig = new Rig();
  const { server, peer } = await toldServer();
  await using _server = server;
  const large = "x".repeat(60_000);
  await rig.record(async (port) => {
    await using client = await openSocket(port, server);
    const told = await peer;
    for (let count = 0; count < 100; count++) {
      told.text(large);
      await client.next();
    }
    ok((await lines(rig, 2)).length >= 2, "no line was written of 6 MB");
  }, { longSteps: { openAfterMs: 60_000, everyMs: 60_000 } });
  equal(rig.steps()[0]?.response?.frames?.length, 100);
});

Deno.test("a client that does not read slows its server down", async () => {
  await using rig = new Rig();
  const { server, peer } = await toldServer();
  await using _server = server;
  await rig.record(async (port) => {
    await using client = await openSocket(port, server);
    client.raw.socket.pause();
    const told = await peer;
    const frame = encodeFrame({
      fin: true,
      deflated: false,
      opcode: opcodes.binary,
      payload: Buffer.alloc(1024 * 1024),
    });
    let sent = 0;
    while (sent < 100 && (told.raw.socket.write(frame) || await drained(told))) sent++;
    ok(sent < 60, `${sent} MiB went into nowhere`);
  }, { patienceMs: 100 });
});

/** Gives false when nothing is taken for a while. */
function drained({ raw: { socket } }: WirePeer): Promise<boolean> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      resolve(true);
    };
    const timer = setTimeout(() => {
      socket.off("drain", done);
      resolve(false);
    }, 300);
    socket.once("drain", done);
  });
}

Deno.test("ws goes through a proxy's tunnel, with its credentials, and the origin sees none of them", async () => {
  await using rig = new Rig();
  await using outer = await startProxy({ credentials: "me:secret" });
  const heads: string[] = [];
  await using server = await startSocketServer(async (peer) => {
    heads.push(peer.head);
    peer.text("through two proxies");
    await peer.rest();
  });
  const proxies = proxiesOf({ HTTP_PROXY: `http://me:secret@${outer.host}` });
  const seen = await rig.both(async (port) => {
    await using client = await openSocket(port, server);
    return await client.saw();
  }, { proxies });
  equal(seen, "text through two proxies");
  match(outer.heads[0] ?? "", new RegExp(`^CONNECT ${server.host} HTTP/1\\.1\r\n[^]*Proxy-Authorization: Basic `));
  ok(!/proxy-authorization/i.test(heads[0] ?? ""), heads[0]);
});

Deno.test("a proxy that gives no tunnel is a failure that the step tells", async () => {
  await using rig = new Rig();
  await using outer = await startProxy({ answer: "HTTP/1.1 403 Not this port\r\nContent-Length: 0\r\n\r\n" });
  const proxies = proxiesOf({ HTTP_PROXY: `http://${outer.host}` });
  const failure = await rig.both(
    (port) => openSocket(port, { host: "127.0.0.1:9" }).then(() => "", String),
    { proxies },
  );
  match(failure, /502 Bad Gateway[^]*refused a tunnel: 403 Not this port/);
  equal(rig.steps()[0]?.error?.code, "ERR_PROXY_TUNNEL");
});

/** A server of a protocol that nobody knows: it says everything back in capitals. */
function startShouter() {
  return startUpstream(async (connection) => {
    match(await connection.requestHead(), /\r\nConnection: Upgrade\r\nUpgrade: Shout\r\n/);
    connection.send("HTTP/1.1 101 Go on\r\nConnection: Upgrade\r\nUpgrade: Shout\r\n\r\nREADY ");
    while (!connection.ended) {
      const bytes = await connection.take((received) => received.length > 0 ? received.length : null);
      connection.send(bytes.toString("latin1").toUpperCase());
    }
  });
}

const shout = (host: string) => async (port: number) => {
  await using raw = await RawSocket.connect(port);
  raw.send(`GET http://${host}/x HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: Shout\r\n\r\n`);
  const head = await raw.response();
  if (!head.startsWith("HTTP/1.1 101 Go on\r\nUpgrade: Shout\r\nConnection: Upgrade\r\n")) return head;
  raw.send("hello");
  return (await raw.take((bytes) => bytes.length >= 11 ? 11 : null)).toString("latin1");
};

Deno.test("another upgrade passes through both ways, and is named as not recorded", async () => {
  await using rig = new Rig();
  await using server = await startShouter();
  equal(await rig.record(shout(server.host)), "READY HELLO");
  deepEqual([rig.steps(), rig.unrecorded, rig.lost], [[], [`shout http://${server.host}/x`], []]);
  const { value, outcome } = await rig.replay(shout(server.host));
  match(value, /^HTTP\/1\.1 502 Bad Gateway\r\n/);
  equal(outcome.misses.length, 1);
});

Deno.test("an offer of h2c is dropped, and the request goes on as plain HTTP", async () => {
  await using rig = new Rig();
  await using server = await startUpstream(async (connection) => {
    const upgrade = /\r\nupgrade:/i.test(await connection.request());
    connection.send(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n${upgrade}`.padEnd(48));
  });
  const answer = await rig.both(async (port) => {
    await using raw = await RawSocket.connect(port);
    const offer = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";
    raw.send(`GET http://${server.host}/ HTTP/1.1\r\nHost: h\r\n${offer}\r\n`);
    return await raw.response();
  });
  match(answer, /false$/);
});
