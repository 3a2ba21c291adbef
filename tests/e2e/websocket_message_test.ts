/** What is in a WebSocket's messages: compressed, secret, ignored, not the recorded one. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { constants, createDeflateRaw } from "node:zlib";
import { defaultKeyRules, type FramePayload } from "../../lib/step/mod.ts";
import { deflateMessage, opcodes } from "../../lib/wire/mod.ts";
import { assertFaithful, type Client, Rig } from "../support/rig.ts";
import { assertOfSchema } from "../support/trace_schema.ts";
import { openSocket, type SocketScript, startSocketServer, type WirePeer } from "../support/wire_peer.ts";

/** Answers each message with what `answer` gives for it. */
function answering(answer: (text: string) => string): SocketScript {
  return async (peer) => {
    for (let read = await peer.next(); read !== null; read = await peer.next()) {
      if (read.frame.opcode === opcodes.close) {
        peer.frame(opcodes.close, read.frame.payload);
        return void peer.raw.socket.end();
      }
      if (read.message !== null) peer.text(answer(Buffer.from(read.message.payload).toString()));
    }
  };
}

/** A client that sends texts, each after the answer to the one before, and closes. */
function asking(host: string, texts: readonly string[]): Client<string[]> {
  return async (port) => {
    await using peer = await openSocket(port, { host });
    const seen: string[] = [];
    for (const text of texts) {
      peer.text(text);
      seen.push(await peer.saw());
      if (seen.at(-1)?.startsWith("close")) break;
    }
    peer.close();
    return [...seen, ...await peer.rest()];
  };
}

/** The texts of the frames of the only step. */
function texts(rig: Rig): unknown[] {
  return (rig.steps()[0]?.response?.frames ?? []).map(([, , , payload]) =>
    payload !== null && "text" in payload ? payload.text : payload
  );
}

/** Compresses messages as one who keeps the window does. */
class WindowDeflater {
  readonly #stream = createDeflateRaw();
  #pieces: Buffer[] = [];

  constructor() {
    this.#stream.on("data", (piece: Buffer) => this.#pieces.push(piece));
  }

  async next(text: string): Promise<Uint8Array> {
    this.#pieces = [];
    this.#stream.write(text);
    await new Promise<void>((resolve) => this.#stream.flush(constants.Z_SYNC_FLUSH, resolve));
    return Buffer.concat(this.#pieces).subarray(0, -4);
  }

  [Symbol.dispose](): void {
    this.#stream.destroy();
  }
}

const words = ["a text that is said again and again", "a text that is said again and again!", "", "ümlaut ".repeat(9)];

for (
  const parameters of ["", "; client_no_context_takeover; server_no_context_takeover", "; server_max_window_bits=9"]
) {
  Deno.test(`compressed messages are kept decompressed and replay compressed, negotiated "${parameters}"`, async () => {
    await using rig = new Rig();
    const extensions = `Sec-WebSocket-Extensions: permessage-deflate${parameters}\r\n`;
    const takeover = !parameters.includes("no_context");
    const speak = async (peer: WirePeer) => {
      using deflater = new WindowDeflater();
      for (const text of words) {
        const payload = takeover ? await deflater.next(text) : deflateMessage(Buffer.from(text), 9);
        peer.frame(opcodes.text, payload, { deflated: true });
      }
    };
    await using server = await startSocketServer(async (peer) => {
      await peer.sees(words.length);
      await speak(peer);
      peer.text("not compressed");
      await peer.saw();
      peer.close();
      peer.raw.socket.end();
    }, { headers: extensions });
    const seen = await rig.both(async (port) => {
      await using peer = await openSocket(port, { host: server.host, headers: extensions });
      await speak(peer);
      const answers = await peer.sees(words.length + 1);
      peer.close();
      return [...answers, ...await peer.rest()];
    });
    deepEqual(seen.slice(0, 5), [...words.map((text) => `text ${text}`.trimEnd()), "text not compressed"]);
    deepEqual(texts(rig).slice(0, 8), [...words, ...words]);
    const compressed = (rig.steps()[0]?.response?.frames ?? []).map(([, , , payload]) =>
      payload !== null && "deflated" in payload
    );
    deepEqual(compressed, [...Array(8).fill(true), false, false, false]);
    assertOfSchema(rig.tracePath);
  });
}

Deno.test("a compressed message in fragments is kept in its last frame, and comes in as many", async () => {
  await using rig = new Rig();
  const extensions = "Sec-WebSocket-Extensions: permessage-deflate\r\n";
  const wire = deflateMessage(Buffer.from("in fragments, and compressed"), 15);
  await using server = await startSocketServer(async (peer) => {
    peer.frame(opcodes.text, wire.subarray(0, 5), { deflated: true, fin: false });
    peer.frame(opcodes.continuation, wire.subarray(5));
    await peer.rest();
  }, { headers: extensions });
  const seen = await rig.both(async (port) => {
    await using peer = await openSocket(port, { host: server.host, headers: extensions });
    const [first, last] = [await peer.next(), await peer.next()];
    return [first?.frame.fin, first?.frame.deflated, Buffer.from(last?.message?.payload ?? []).toString()];
  });
  deepEqual(seen, [false, true, "in fragments, and compressed"]);
  deepEqual(texts(rig), ["", "in fragments, and compressed"]);
});

const secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF";
const login = (key: string) => JSON.stringify({ type: "login", api_key: key });

Deno.test("a secret in a frame is not stored, and another key matches it at replay", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(answering((text) => `you said ${text}`));
  await rig.record(asking(server.host, [login(secret)]));
  ok(!rig.stored().includes("abcdefghijkl"), "the secret is stored");
  match(String(texts(rig)[0]), /"api_key":"\[redacted-1\*+\]"/);
  const { value, outcome } = await rig.replay(asking(server.host, [login("dummy-key")]));
  match(value[0] ?? "", /you said .*redacted-1/);
  deepEqual([outcome.misses, outcome.differences.size, outcome.fidelity], [[], 0, 1]);
});

/** Shakes hands and closes with one secret in all the places that a WebSocket has for them. */
const closing = (host: string, value: string): Client<string[]> => async (port) => {
  const headers = `Sec-WebSocket-Protocol: channel, base64url.bearer.authorization.k8s.io.${value}\r\n`;
  await using peer = await openSocket(port, { host: `me:${value}@${host}`, headers });
  peer.text(`{"session":{"client_secret":{"value":"${value}","expires_at":12}}}`);
  const answer = await peer.saw();
  peer.close(3000, `token=${value}`);
  return [answer, ...await peer.rest()];
};

Deno.test("no secret of a handshake, an object or a close is stored, and others match at replay", async () => {
  await using rig = new Rig();
  const [recorded, live] = ["aB3dE5fG7hI9jK1lM3nO5", "pQ7rS9tU1vW3xY5z"];
  await using server = await startSocketServer(answering((text) => text.slice(0, 20)));
  const seen = await rig.record(closing(server.host, recorded));
  deepEqual(seen, ['text {"session":{"client_', `close 3000 token=${recorded}`, "end"]);
  const encoded = Buffer.from(recorded).toString("base64").slice(4, -4);
  ok(!rig.stored().includes(recorded) && !rig.stored().includes(encoded), rig.stored());
  const closes = (rig.steps()[0]?.response?.frames ?? []).filter(([, , opcode]) => opcode === opcodes.close);
  deepEqual(closes.map(([, , , payload]) => closeOf(payload)), [
    [3000, "token=[redacted-1*********]"],
    [3000, "token=[redacted-1*********]"],
  ]);
  const { value, outcome } = await rig.replay(closing(server.host, live));
  deepEqual(value, ['text {"session":{"client_', "close 3000 token=[redacted-1*********]", "end"]);
  assertFaithful(outcome);
});

function closeOf(payload: FramePayload): [code: number, reason: string] {
  const bytes = payload !== null && "base64" in payload ? Buffer.from(payload.base64, "base64") : Buffer.of(0, 0);
  return [bytes.readUInt16BE(0), bytes.toString("utf8", 2)];
}

Deno.test("a secret that is cut over two fragments is not stored, and the fragments keep their lengths", async () => {
  await using rig = new Rig();
  const bytes = Buffer.from(login(secret));
  await using server = await startSocketServer(answering(() => "welcome"));
  const inFragments: Client<string[]> = async (port) => {
    await using peer = await openSocket(port, { host: server.host });
    peer.frame(opcodes.text, bytes.subarray(0, 45), { fin: false });
    peer.frame(opcodes.continuation, bytes.subarray(45));
    const answer = await peer.saw();
    peer.close();
    return [answer, ...await peer.rest()];
  };
  await rig.both(inFragments);
  const stored = texts(rig).slice(0, 2).map(String);
  deepEqual(stored.map((text) => text.length), [45, bytes.length - 45]);
  ok(!/abcdef|ABCDEF/.test(rig.stored()), rig.stored());
});

Deno.test("a message that is not the recorded one closes with 1011, and is told as a miss of that message", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(answering((text) => `answer to ${text}`));
  const say = (count: number) => JSON.stringify({ say: "hi", count });
  await rig.record(asking(server.host, [say(1), say(2)]));
  const { value, outcome } = await rig.replay(asking(server.host, [say(1), say(3)]));
  deepEqual(value.slice(1), ["close 1011 agrepl: message 2 is not the recorded one", "end"]);
  const miss = outcome.misses[0]?.miss;
  equal(miss?.reason, "Message 2 of the WebSocket of step 0 is not the recorded one; what differs: #/count");
  deepEqual(miss?.nearest[0]?.changes, [{ field: "message 2 #/count", recorded: "2", asked: "3" }]);
  equal(miss?.rule, "--ignore-json '#/count'");
  deepEqual(outcome.diverged, [0]);
});

Deno.test("the rule that a miss of a message names makes it match", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(answering(() => "answer"));
  await rig.record(asking(server.host, ['{"say":"hi","count":1}']));
  const rules = { ...defaultKeyRules, ignoreJson: ["#/count"] };
  const { value, outcome } = await rig.replay(asking(server.host, ['{"count": 7, "say": "hi"}']), { rules });
  deepEqual(value, ["text answer", "close 1000", "end"]);
  deepEqual([outcome.misses, outcome.fidelity], [[], 1]);
});

Deno.test("a message more than was recorded is a miss, and so is text in place of binary", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer(answering(() => "answer"));
  await rig.record(asking(server.host, ["one"]));
  const more = await rig.replay(asking(server.host, ["one", "two"]));
  deepEqual(more.value.slice(0, 2), ["text answer", "close 1011 agrepl: message 2 is not the recorded one"]);
  equal(more.outcome.misses[0]?.miss.reason, "Message 2 of the WebSocket of step 0 is one more than was recorded");
  const binary = await rig.replay(async (port) => {
    await using peer = await openSocket(port, { host: server.host });
    peer.frame(opcodes.binary, "one");
    return await peer.rest();
  });
  match(binary.value[0] ?? "", /^close 1011/);
  match(binary.outcome.misses[0]?.miss.reason ?? "", /what differs: kind$/);
});

Deno.test("an answer to JSON-RPC carries the id of the live call, a call of the server's its own", async () => {
  await using rig = new Rig();
  const call = (id: number | string) => JSON.stringify({ jsonrpc: "2.0", id, method: "add", params: [1, 2] });
  await using server = await startSocketServer(async (peer) => {
    peer.text(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "hello" }));
    await answering((text) => JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(text).id, result: 3 }))(peer, 0);
  });
  const ask = (id: number | string): Client<string[]> => async (port) => {
    await using peer = await openSocket(port, { host: server.host });
    const hello = await peer.saw();
    peer.text(call(id));
    return [hello, await peer.saw()];
  };
  await rig.record(ask(1));
  const { value, outcome } = await rig.replay(ask("a-longer-id"));
  deepEqual(value, [
    'text {"jsonrpc":"2.0","id":1,"method":"hello"}',
    'text {"jsonrpc":"2.0","id":"a-longer-id","result":3}',
  ]);
  deepEqual([outcome.misses, outcome.differences.size, outcome.fidelity], [[], 0, 1]);
});
