/** Streams of all kinds: each chunk at once, the same bytes and the same boundaries at replay. */
import { Buffer } from "node:buffer";
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { testWith } from "../support/machine_test_case.ts";
import { bodyOf, get } from "../support/raw_client.ts";
import { chunkSizes, RawSocket } from "../support/raw_socket.ts";
import { type RawUpstream, startUpstream } from "../support/raw_upstream.ts";
import { assertFaithful, Rig } from "../support/rig.ts";
import { assertOfSchema } from "../support/trace_schema.ts";

/** One message of the binary framing that AWS streams use: lengths and checksums around a payload of any bytes. */
function awsMessage(payload: Uint8Array): Uint8Array {
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(payload.length + 16, 0);
  prelude.writeUInt32BE(0xdeadbeef, 8); // a checksum is bytes like others here
  return Buffer.concat([prelude, payload, Buffer.from([0, 0xff, 0x0d, 0x0a])]);
}

const face = Buffer.from("\u{1f600}");

/** Streams by content type, as they are written piece by piece. */
const streams: Record<string, readonly Uint8Array[]> = {
  "text/event-stream": ['data: {"n":1}\n\n', ": ping\n\n", "event: x\ndata: 2\n\n", "data: [DONE]\n\n"].map(bytes),
  "application/x-ndjson": ['{"a":1}\n{"b":', '"split"}\n', '{"c":3}\n'].map(bytes),
  "application/vnd.amazon.eventstream": [
    awsMessage(bytes("one")),
    awsMessage(Uint8Array.of(0x80, 0xc3)),
    awsMessage(face),
  ],
  "text/plain; charset=utf-8": [bytes("a"), face.subarray(0, 1), face.subarray(1, 3), face.subarray(3), bytes("z")],
};

function bytes(text: string): Uint8Array {
  return Buffer.from(text);
}

function chunk(piece: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]);
}

/** An upstream that sends the next piece once the one before has reached the client. */
class Stepping {
  readonly #pieces: readonly Uint8Array[];
  readonly #type: string;
  #arrived = Promise.withResolvers<void>();

  constructor(pieces: readonly Uint8Array[], type = "text/event-stream") {
    this.#pieces = pieces;
    this.#type = type;
  }

  start(): Promise<RawUpstream> {
    return startUpstream(async (connection) => {
      await connection.request();
      connection.send(`HTTP/1.1 200 OK\r\nContent-Type: ${this.#type}\r\nTransfer-Encoding: chunked\r\n\r\n`);
      for (const piece of this.#pieces) {
        await this.#arrived.promise;
        this.#arrived = Promise.withResolvers();
        connection.send(chunk(piece));
      }
      connection.send("0\r\n\r\n");
    });
  }

  /** A client that lets the upstream go on with each piece that it has. */
  client({ host }: RawUpstream) {
    return async (proxyPort: number): Promise<string> => {
      await using client = await RawSocket.connect(proxyPort);
      client.send(get(host));
      let wanted = await client.take((bytes) => bytes.includes("\r\n\r\n") ? 0 : null).then(() => headLength(client));
      for (const piece of this.#pieces) {
        this.#arrived.resolve();
        wanted += chunk(piece).length;
        await client.take((bytes) => bytes.length >= wanted ? 0 : null);
      }
      return await client.response();
    };
  }
}

function headLength({ received }: RawSocket): number {
  return received.indexOf("\r\n\r\n") + 4;
}

for (const [type, pieces] of Object.entries(streams)) {
  Deno.test(`a stream of ${type} arrives piece by piece, each before the next exists, the same at replay`, async () => {
    await using rig = new Rig();
    const stepping = new Stepping(pieces, type);
    await using upstream = await stepping.start();
    const answer = await rig.both(stepping.client(upstream));
    deepEqual(chunkSizes(answer), pieces.map((piece) => piece.length));
    const expected = Buffer.concat([...pieces.map(chunk), bytes("0\r\n\r\n")]).toString("latin1");
    equal(bodyOf(answer), expected);
    deepEqual(rig.steps()[0]?.response?.chunks.map(([, count]) => count), pieces.map((piece) => piece.length));
    assertOfSchema(rig.tracePath);
  });
}

/** Takes a whole answer. */
function reads({ host }: RawUpstream) {
  return async (proxyPort: number): Promise<string> => {
    await using client = await RawSocket.connect(proxyPort);
    client.send(get(host));
    return await client.response();
  };
}

Deno.test("10,000 tiny events keep their bytes, and their boundaries from the recording on", async () => {
  await using rig = new Rig();
  const events = Array.from({ length: 10_000 }, (_, index) => bytes(`data: ${index}\n\n`));
  await using upstream = await startUpstream(async (connection) => {
    await connection.request();
    connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (let at = 0; at < events.length; at += 100) {
      connection.send(Buffer.concat(events.slice(at, at + 100).map(chunk)));
      await new Promise((resolve) => setTimeout(resolve, 0)); // so that it takes many reads
    }
    connection.send("0\r\n\r\n");
  });
  const answer = await rig.both(reads(upstream));
  const sizes = chunkSizes(answer); // an event that two reads came with is two
  ok(sizes.length >= 10_000 && sizes.length < 10_100, `${sizes.length} pieces`);
  deepEqual(rig.steps()[0]?.response?.chunks.map(([, bytes]) => bytes), sizes);
});

Deno.test("a stream that stalls and goes on is whole, and its pause stands in its times", async () => {
  await using rig = new Rig();
  const stallMs = 150;
  await using upstream = await startUpstream(async (connection) => {
    await connection.request();
    connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n");
    await new Promise((resolve) => setTimeout(resolve, stallMs));
    connection.send("3\r\ntwo\r\n0\r\n\r\n");
  });
  const answer = await rig.both(reads(upstream));
  equal(bodyOf(answer), "3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n");
  const [[firstMs] = [0], [secondMs] = [0]] = rig.steps()[0]?.response?.chunks ?? [];
  ok(secondMs - firstMs > stallMs / 2, `${firstMs} ms, then ${secondMs} ms`);
});

/** Hangs up as SDKs do: at once when `data: [DONE]` has come. */
function hangsUp({ host }: RawUpstream) {
  return async (proxyPort: number): Promise<void> => {
    await using client = await RawSocket.connect(proxyPort);
    client.send(get(host));
    await client.take((bytes) => bytes.includes("data: [DONE]\n\n") ? 0 : null);
  };
}

Deno.test("a client that hangs up after [DONE] leaves a whole step; who reads on at replay gets all of it", async () => {
  await using rig = new Rig();
  const tail = ": the usage comes later\n\n";
  await using upstream = await startUpstream(async (connection) => {
    await connection.request();
    connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
    connection.send(chunk(bytes("data: [DONE]\n\n")));
    await new Promise((resolve) => setTimeout(resolve, 50)); // until the client has gone
    connection.send(Buffer.concat([chunk(bytes(tail)), bytes("0\r\n\r\n")]));
  });
  await rig.record(hangsUp(upstream));
  const { response } = rig.steps()[0] ?? {};
  deepEqual([response?.body, response?.end], [{ text: `data: [DONE]\n\n${tail}` }, "client_closed"]);
  const { value, outcome } = await rig.replay(reads(upstream));
  assertFaithful(outcome);
  match(bodyOf(value), /the usage comes later\n\n\r\n0\r\n\r\n$/);
  assertFaithful((await rig.replay(hangsUp(upstream))).outcome);
});

testWith(["curl"], "curl has each event of a stream at once, and the same bytes at replay", async () => {
  await using rig = new Rig();
  const pieces = streams["text/event-stream"] ?? [];
  const gates = pieces.map(() => Promise.withResolvers<void>());
  await using upstream = await startUpstream(async (connection) => {
    await connection.request();
    connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (const [index, piece] of pieces.entries()) {
      connection.send(chunk(piece));
      await gates[index]?.promise; // until curl has printed it
    }
    connection.send("0\r\n\r\n");
  });
  const printed = await rig.both((port) =>
    curlPrints(port, upstream.host, (text) => {
      const whole = pieces.findIndex((_, index) => text === Buffer.concat(pieces.slice(0, index + 1)).toString());
      gates[whole]?.resolve();
    })
  );
  equal(printed, Buffer.concat([...pieces]).toString());
});

/** Runs curl without a buffer and tells what it has printed so far. */
async function curlPrints(proxyPort: number, host: string, onText: (text: string) => void): Promise<string> {
  const args = ["-sN", "--max-time", "10", "-x", `http://127.0.0.1:${proxyPort}`, `http://${host}/`];
  const curl = new Deno.Command("curl", { args, stdout: "piped", stderr: "null", stdin: "null" }).spawn();
  let text = "";
  for await (const piece of curl.stdout) {
    text += Buffer.from(piece).toString();
    onText(text);
  }
  equal((await curl.status).code, 0);
  return text;
}
