/** WebSockets: recorded frame by frame while bytes pass untouched, replayed as a script. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Frame } from "../../lib/step/mod.ts";
import { opcodes } from "../../lib/wire/mod.ts";
import { RawSocket } from "../support/raw_socket.ts";
import { assertFaithful, Rig } from "../support/rig.ts";
import { assertOfSchema } from "../support/trace_schema.ts";
import {
  openSocket,
  type SocketScript,
  startSocketServer,
  takingSockets,
  type WirePeer,
} from "../support/wire_peer.ts";
import { startUpstream } from "../support/raw_upstream.ts";
import { createAuthority } from "../../lib/proxy/mod.ts";

/** Says everything back, and closes when it is told to. */
const echo: SocketScript = async (peer) => {
  for (let read = await peer.next(); read !== null; read = await peer.next()) {
    const { frame: { opcode, payload }, message } = read;
    if (opcode === opcodes.close) {
      peer.frame(opcode, payload);
      return void peer.raw.socket.end();
    }
    if (opcode === opcodes.ping) peer.frame(opcodes.pong, payload);
    else if (message !== null) peer.frame(message.opcode, message.payload);
  }
};

/** The frames of the only step: whose, opcode, and the payload as text. */
function framesOf(rig: Rig): unknown[] {
  return (rig.steps()[0]?.response?.frames ?? []).map(shown);
}

function shown([, from, opcode, payload]: Frame): unknown[] {
  return [from, opcode, payload !== null && "text" in payload ? payload.text : payload];
}

/** A client that does what it is told, and gives what it saw up to the end. */
function talk(host: string, speak: (peer: WirePeer) => Promise<string[] | void>, headers = "") {
  return async (port: number): Promise<string[]> => {
    await using peer = await openSocket(port, { host, headers });
    const seen = await speak(peer) ?? [];
    return [...seen, ...await peer.rest()];
  };
}

Deno.test("a WebSocket passes through, is recorded frame by frame, and replays as it was", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(echo);
  const seen = await rig.both(talk(server.host, async (peer) => {
    peer.text("hello");
    peer.frame(opcodes.binary, Uint8Array.of(0, 255));
    const answers = await peer.sees(2);
    peer.close(1000, "bye");
    return answers;
  }));
  deepEqual(seen, ["text hello", "binary \0\ufffd", "close 1000 bye", "end"]);
  deepEqual(framesOf(rig).slice(0, 1), [["client", 1, "hello"]]);
  const [step] = rig.steps();
  deepEqual([step?.response?.status, step?.response?.end, step?.response?.body], [101, "complete", null]);
  assertOfSchema(rig.tracePath);
});

Deno.test("a replayed 101 answers the live client's own key, and that is no difference", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(echo);
  const ask = (key: string) => async (port: number) => {
    await using peer = await openSocket(port, { host: server.host, key });
    peer.close();
    return await peer.rest();
  };
  await rig.record(ask("dGhlIHNhbXBsZSBub25jZQ=="));
  const { value, outcome } = await rig.replay(ask("AAAAAAAAAAAAAAAAAAAAAA=="));
  deepEqual(value, ["close 1000", "end"]);
  assertFaithful(outcome);
});

Deno.test("fragments stay fragments, a character cut in two included, and a ping between them", async () => {
  await using rig = new Rig();
  const text = Buffer.from("grüße");
  const inFragments = (peer: WirePeer) => {
    peer.frame(opcodes.text, text.subarray(0, 3), { fin: false });
    peer.frame(opcodes.ping, "between");
    peer.frame(opcodes.continuation, text.subarray(3, 3), { fin: false });
    peer.frame(opcodes.continuation, text.subarray(3));
  };
  await using server = await startSocketServer(async (peer) => {
    await peer.sees(4);
    peer.frame(opcodes.pong, "between");
    inFragments(peer);
    await echo(peer, 0);
  });
  const seen = await rig.both(talk(server.host, async (peer) => {
    inFragments(peer);
    const answers = await peer.sees(5);
    peer.close();
    return answers;
  }));
  deepEqual(seen.slice(2), ["ping between", "more…", "more grüße", "close 1000", "end"]);
  deepEqual(framesOf(rig)[0], ["client", 1, { base64: "Z3LD" }]);
});

Deno.test("a ping is answered at once by a replay, and the recorded pong is not sent again", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(async (peer) => {
    peer.frame(opcodes.pong, "unasked");
    await echo(peer, 0);
  });
  const seen = await rig.both(talk(server.host, async (peer) => {
    const answers = [await peer.saw()];
    for (const payload of ["one", "two"]) {
      peer.frame(opcodes.ping, payload);
      answers.push(await peer.saw());
    }
    peer.close();
    return answers;
  }));
  deepEqual(seen, ["pong unasked", "pong one", "pong two", "close 1000", "end"]);
  const { value } = await rig.replay(talk(server.host, async (peer) => {
    peer.frame(opcodes.ping, "another");
    const answers = await peer.sees(2);
    peer.close();
    return answers;
  }));
  deepEqual(value.toSorted(), ["close 1000", "end", "pong another", "pong unasked"]);
});

Deno.test("a server's close waits for the client's in a replay, whatever code it has", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(async (peer) => {
    peer.text("going");
    peer.close(4001, "enough");
    await peer.saw();
    peer.raw.socket.end();
  });
  const seen = await rig.both(talk(server.host, async (peer) => {
    const answers = await peer.sees(2);
    peer.close(4001);
    return answers;
  }));
  deepEqual(seen, ["text going", "close 4001 enough", "end"]);
  equal(rig.steps()[0]?.response?.end, "complete");
});

Deno.test("a server that answers a close with data first is replayed in that order", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(async (peer) => {
    await peer.saw();
    peer.text("one more thing");
    peer.close(1000, "now");
    peer.raw.socket.end();
  });
  const close = talk(server.host, (peer) => Promise.resolve(void peer.close()));
  deepEqual(await rig.both(close), ["text one more thing", "close 1000 now", "end"]);
});

Deno.test("1,000 messages go back and forth, each after the one it answers", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(echo);
  const seen = await rig.both(talk(server.host, async (peer) => {
    const answers: string[] = [];
    for (let count = 0; count < 1000; count++) {
      peer.text(`message ${count}`);
      answers.push(await peer.saw());
    }
    peer.close();
    return answers;
  }));
  equal(seen.filter((each, index) => each === `text message ${index}`).length, 1000);
});

Deno.test("a message of 1 MiB passes both ways, and lies in blobs", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(echo);
  const large = Buffer.from(Array.from({ length: 1024 * 1024 }, (_, index) => (index * 7919) >> 5));
  const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  const seen = await rig.both(talk(server.host, async (peer) => {
    peer.frame(opcodes.binary, large);
    const read = await peer.next();
    peer.close();
    return [digest(read?.message?.payload ?? Buffer.of())];
  }));
  equal(seen[0], digest(large));
  const [step] = rig.steps();
  deepEqual(step?.response?.frames?.slice(0, 2).map(([, , , payload]) => payload !== null && "blob" in payload), [
    true,
    true,
  ]);
  assertOfSchema(rig.tracePath);
});

Deno.test("two sockets to one URL at once are two steps, each with its own script", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(async (peer, index) => {
    peer.text(`you are ${index}`);
    await echo(peer, index);
  });
  const both = async (port: number) => {
    await using first = await openSocket(port, server);
    const seen = [await first.saw()];
    await using second = await openSocket(port, server);
    seen.push(await second.saw());
    for (const peer of [second, first]) peer.text(`hello from ${peer === first ? "first" : "second"}`);
    seen.push(await first.saw(), await second.saw());
    for (const peer of [first, second]) peer.close();
    return [...seen, ...await first.rest(), ...await second.rest()];
  };
  const seen = await rig.both(both);
  deepEqual(seen.slice(0, 4), ["text you are 0", "text you are 1", "text hello from first", "text hello from second"]);
  equal(rig.steps().length, 2);
});

Deno.test("wss goes through the tunnel, is recorded and replayed", async () => {
  await using rig = new Rig();
  const authority = createAuthority();
  const { keyPem, certPem } = authority.leafFor("localhost");
  await using server = await startSocketServer(echo, { secure: { key: keyPem, cert: certPem } });
  const host = `localhost:${server.port}`;
  const seen = await rig.both(async (port) => {
    await using peer = await openSocket(port, { host, ca: rig.authority.certificatePem });
    peer.text("over TLS");
    const answer = await peer.saw();
    peer.close();
    return [answer, ...await peer.rest()];
  }, { trust: [authority.certificatePem] });
  deepEqual(seen, ["text over TLS", "close 1000", "end"]);
  match(rig.steps()[0]?.request.url ?? "", /^https:\/\/localhost:\d+\/ws$/);
});

Deno.test("a client that hangs up ends its step, and a replay to one that hangs up has not diverged", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(async (peer) => {
    peer.text("first");
    peer.text("second");
    await peer.rest();
  });
  const hangUp = async (port: number) => {
    await using peer = await openSocket(port, server);
    return await peer.sees(2);
  };
  deepEqual(await rig.both(hangUp), ["text first", "text second"]);
  equal(rig.steps()[0]?.response?.end, "client_closed");
});

Deno.test("a client that leaves earlier than it did, with a close or without, has not diverged", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(echo);
  await rig.record(talk(server.host, async (peer) => {
    const answers: string[] = [];
    for (const text of ["one", "two", "three"]) {
      peer.text(text);
      answers.push(await peer.saw());
    }
    peer.close();
    return answers;
  }));
  const closing = await rig.replay(talk(server.host, async (peer) => {
    peer.text("one");
    const answers = [await peer.saw()];
    peer.close(1001, "leaving");
    return answers;
  }));
  deepEqual(closing.value, ["text one", "close 1001", "end"]);
  assertFaithful(closing.outcome);
  const gone = await rig.replay(async (port) => {
    await using peer = await openSocket(port, server);
    peer.text("one");
    return await peer.saw();
  });
  equal(gone.value, "text one");
  assertFaithful(gone.outcome);
});

Deno.test("an upstream that breaks the connection is recorded as such, and a replay breaks it there", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(async (peer) => {
    peer.text("half a");
    await peer.saw();
    peer.raw.socket.resetAndDestroy();
  });
  const seen = await rig.both(talk(server.host, async (peer) => {
    const first = await peer.saw();
    peer.text("go on");
    return [first];
  }));
  deepEqual(seen, ["text half a", "end"]);
  equal(rig.steps()[0]?.response?.end, "upstream_reset");
});

Deno.test("an upstream that ends without a close has ended, and a replay ends there", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer((peer) => {
    peer.text("that was it");
    peer.raw.socket.end();
  });
  deepEqual(await rig.both(talk(server.host, () => Promise.resolve())), ["text that was it", "end"]);
  equal(rig.steps()[0]?.response?.end, "complete");
});

Deno.test("bytes that come with the handshake, from either side, are not lost", async () => {
  await using rig = new Rig();
  await using server = await startUpstream(async (connection) => {
    const answered = takingSockets(echo);
    await answered(connection, 0);
  });
  const eager = async (port: number) => {
    await using raw = await RawSocket.connect(port);
    const hello = Buffer.from("818537fa213d7f9f4d5158", "hex").toString("latin1"); // "Hello", masked (RFC 6455, 5.7)
    raw.send(
      `GET http://${server.host}/ws HTTP/1.1\r\nHost: ${server.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAA\r\n\r\n${hello}`,
    );
    await raw.response({ head: true });
    return (await raw.take((bytes) => bytes.length >= 7 ? 7 : null)).toString("latin1");
  };
  equal(await rig.both(eager), "\x81\x05Hello");
});

Deno.test("an upgrade that is refused is an ordinary answer, on a connection that goes on", async () => {
  await using rig = new Rig();
  await using server = await startUpstream(async (connection) => {
    while (!connection.ended) {
      const upgrade = /\r\nupgrade: websocket/i.test(await connection.request());
      connection.send(`HTTP/1.1 ${upgrade ? "403 No" : "200 OK"}\r\nContent-Length: 2\r\n\r\n${upgrade ? "no" : "ok"}`);
    }
  });
  const refused = async (port: number) => {
    await using raw = await RawSocket.connect(port);
    const ask = (headers: string) => raw.send(`GET http://${server.host}/ws HTTP/1.1\r\nHost: h\r\n${headers}\r\n`);
    ask("Connection: Upgrade\r\nUpgrade: websocket\r\n");
    const first = await raw.response();
    ask("");
    return [first, await raw.response()];
  };
  const [first, second] = await rig.both(refused);
  match(first ?? "", /^HTTP\/1\.1 403 No\r\n/);
  match(second ?? "", /^HTTP\/1\.1 200 OK\r\n/);
});

Deno.test("a socket answers no plain request of its URL, nor the reverse", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(echo);
  await rig.record(talk(server.host, (peer) => Promise.resolve(peer.close())));
  const { value, outcome } = await rig.replay(async (port) => {
    await using raw = await RawSocket.connect(port);
    raw.send(`GET http://${server.host}/ws HTTP/1.1\r\nHost: h\r\n\r\n`);
    return await raw.response();
  });
  match(value, /^HTTP\/1\.1 502 Bad Gateway\r\n[^]*x-agrepl: miss/);
  deepEqual(outcome.misses[0]?.miss.nearest[0]?.changes, [{ field: "upgrade", recorded: "websocket", asked: null }]);
  deepEqual([outcome.hits, outcome.unused], [0, [0]]);
});

Deno.test("a socket that was never recorded is a miss, told before the handshake", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(echo);
  await rig.record(() => Promise.resolve());
  const { value, outcome } = await rig.replay((port) => openSocket(port, server).then(() => "", String));
  match(value, /HTTP\/1\.1 502 Bad Gateway\r\n[^]*agrepl_miss/);
  equal(outcome.misses.length, 1);
});

Deno.test("a replay with a fallback carries a socket that was not recorded", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(echo);
  await rig.record(() => Promise.resolve());
  const ask = talk(server.host, async (peer) => {
    peer.text("live");
    const answers = [await peer.saw()];
    peer.close();
    return answers;
  });
  const { value, outcome } = await rig.replay(ask, { fallback: true });
  deepEqual(value, ["text live", "close 1000", "end"]);
  equal(outcome.misses.length, 1);
});

Deno.test("frames wait for their time at the recorded pace", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(async (peer) => {
    peer.text("at once");
    await new Promise((resolve) => setTimeout(resolve, 120));
    peer.text("later");
    await echo(peer, 0);
  });
  const timed = async (port: number) => {
    await using peer = await openSocket(port, server);
    await peer.saw();
    const startMs = performance.now();
    await peer.saw();
    peer.close();
    await peer.rest();
    return performance.now() - startMs;
  };
  await rig.record(timed);
  const paced = await rig.replay(timed, { pace: 1 });
  ok(paced.value > 100, `${paced.value} ms`);
  assertFaithful(paced.outcome);
  ok((await rig.replay(timed)).value < 100, "pace none waits for nothing");
});
