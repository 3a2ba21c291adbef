/** Bytes on their way: when the first is out, who waits for whom, and what becomes of an exchange that somebody leaves. */
import { Buffer } from "node:buffer";
import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { Socket } from "node:net";
import { asks, bodyOf, get, post } from "../support/raw_client.ts";
import { RawSocket } from "../support/raw_socket.ts";
import { answering, plain, startUpstream } from "../support/raw_upstream.ts";
import { assertFaithful, Rig } from "../support/rig.ts";
import { BodySpool, type StepSink } from "../../lib/store/mod.ts";

const mebibyte = 1024 * 1024;
const chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

/** A promise and its key. */
function gate() {
  return Promise.withResolvers<void>();
}

Deno.test("a client has the head before any body, and each chunk before the next exists", async () => {
  await using rig = new Rig();
  const seen = [gate(), gate()];
  await using upstream = await startUpstream(async (connection) => {
    await connection.request();
    connection.send(chunkedHead);
    await seen[0]?.promise;
    connection.send("3\r\none\r\n");
    await seen[1]?.promise;
    connection.send("3\r\ntwo\r\n0\r\n\r\n");
  });
  const answer = await rig.both(async (proxyPort) => {
    await using client = await RawSocket.connect(proxyPort);
    client.send(get(upstream.host));
    const has = (text: string) => client.take((bytes) => bytes.includes(text) ? 0 : null);
    await has("\r\n\r\n");
    seen[0]?.resolve();
    await has("one\r\n");
    seen[1]?.resolve();
    return await client.response();
  });
  ok(answer.endsWith("3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"));
});

/** Writes as fast as the other side lets it, and tells how far it has come. */
async function pour(socket: Socket, total: number, onSent: (bytes: number) => void): Promise<void> {
  const piece = Buffer.alloc(64 * 1024, "x");
  for (let sent = 0; sent < total && !socket.destroyed; sent += piece.length) {
    if (!socket.write(piece)) {
      await new Promise((resolve) => socket.once("drain", resolve).once("close", resolve));
      socket.removeAllListeners("close");
    }
    onSent(sent + piece.length);
  }
}

/** Waits until a number grows no more, and gives it. */
async function settled(read: () => number): Promise<number> {
  let before = -1;
  while (before !== read()) {
    before = read();
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  return before;
}

/** Reads on until so many bytes have come; keeps none. */
function drain(client: RawSocket, total: number): Promise<void> {
  let left = total;
  client.socket.removeAllListeners("data");
  return new Promise((resolve, reject) => {
    client.socket.on("data", (bytes: Uint8Array) => (left -= bytes.length) <= 0 && resolve());
    client.socket.on("close", () => reject(new Error(`Cannot drain: ${left} bytes are missing`)));
    client.socket.resume();
  });
}

/** An upstream that sends 64 MiB as fast as it may. */
async function startPouring() {
  const poured = { bytes: 0 };
  const upstream = await startUpstream(async (connection) => {
    await connection.request();
    connection.send(`HTTP/1.1 200 OK\r\nContent-Length: ${64 * mebibyte}\r\n\r\n`);
    await pour(connection.socket, 64 * mebibyte, (bytes) => poured.bytes = bytes);
  });
  return Object.assign(upstream, { poured });
}

async function stalls(upstream: { readonly host: string; readonly poured: { bytes: number } }, proxyPort: number) {
  await using client = await RawSocket.connect(proxyPort);
  client.socket.pause();
  client.send(get(upstream.host));
  const stalledAt = await settled(() => upstream.poured.bytes);
  await drain(client, 64 * mebibyte);
  return stalledAt;
}

Deno.test("a stalled client holds a fast upstream back, and has every byte once it reads on", async () => {
  await using rig = new Rig();
  await using upstream = await startPouring();
  const stalledAt = await rig.record((proxyPort) => stalls(upstream, proxyPort));
  ok(stalledAt < 16 * mebibyte, `${stalledAt} bytes were taken from the upstream`);
  deepEqual([rig.steps()[0]?.response?.end, upstream.poured.bytes], ["complete", 64 * mebibyte]);
  assertFaithful((await rig.replay((proxyPort) => stalls({ ...upstream, poured: { bytes: 0 } }, proxyPort))).outcome);
});

Deno.test("an upstream that reads slowly holds a client with a large body back", async () => {
  await using rig = new Rig();
  const reading = gate();
  await using upstream = await startUpstream(async (connection) => {
    connection.socket.pause();
    await reading.promise;
    await drain(connection, 32 * mebibyte);
    connection.send(plain("ok"));
  });
  let sent = 0;
  const answer = await rig.record(async (proxyPort) => {
    await using client = await RawSocket.connect(proxyPort);
    client.send(post(upstream.host, "/", "").replace("Length: 0", `Length: ${32 * mebibyte}`));
    const poured = pour(client.socket, 32 * mebibyte, (bytes) => sent = bytes);
    const stalledAt = await settled(() => sent);
    ok(stalledAt < 16 * mebibyte, `${stalledAt} bytes were taken from the client`);
    reading.resolve();
    await poured;
    return await client.response();
  });
  equal(bodyOf(answer), "ok");
  const body = rig.steps()[0]?.request.body;
  ok(body !== null && body !== undefined && "blob" in body && body.bytes === 32 * mebibyte);
});

/** A disk that is slow: each write waits until the test lets it through. */
class SlowSpool extends BodySpool {
  readonly #wait: Promise<void>;

  constructor(wait: Promise<void>) {
    super(null);
    this.#wait = wait;
  }

  override async push(bytes: Uint8Array): Promise<void> {
    if (this.bytes < mebibyte) super.push(bytes);
    await this.#wait;
  }
}

Deno.test("a slow disk holds the upstream back, but never the bytes that have come", async () => {
  await using rig = new Rig();
  await using upstream = await startPouring();
  const disk = gate();
  const wrapSink = (sink: StepSink): StepSink => ({
    spool: () => new SlowSpool(disk.promise),
    append: (step) => sink.append(step),
  });
  await rig.record(async (proxyPort) => {
    await using client = await RawSocket.connect(proxyPort);
    client.send(get(upstream.host));
    await client.take((bytes) => bytes.length > 1000 ? 0 : null);
    const stalledAt = await settled(() => upstream.poured.bytes);
    ok(stalledAt < 16 * mebibyte, `${stalledAt} bytes were taken from the upstream`);
    const whole = drain(client, 64 * mebibyte - client.received.length);
    disk.resolve();
    await whole;
  }, { wrapSink });
});

Deno.test("a client that hangs up leaves a whole step, and one that reads on at replay gets all of it", async () => {
  await using rig = new Rig();
  const left = gate();
  await using upstream = await startUpstream(async (connection) => {
    await connection.request();
    connection.send(`${chunkedHead}3\r\none\r\n`);
    await left.promise;
    connection.send("3\r\ntwo\r\n0\r\n\r\n");
  });
  await rig.record(async (proxyPort) => {
    const client = await RawSocket.connect(proxyPort);
    client.send(get(upstream.host));
    await client.take((bytes) => bytes.includes("one") ? 0 : null);
    await client[Symbol.asyncDispose]();
    await new Promise((resolve) => setTimeout(resolve, 30)); // until the proxy has seen it go
    left.resolve();
  });
  deepEqual([rig.steps()[0]?.response?.body, rig.steps()[0]?.response?.end], [{ text: "onetwo" }, "client_closed"]);
  const { value, outcome } = await rig.replay(asks(get(upstream.host)));
  assertFaithful(outcome);
  ok(value[0]?.endsWith("3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"), value[0]);
});

Deno.test("a client that leaves pipelined requests behind does not hold up the end of the run", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(async (connection) => void await connection.request());
  await rig.record(async (proxyPort) => {
    await using client = await RawSocket.connect(proxyPort);
    client.send(["/never", "/later", "/later"].map((path) => get(upstream.host, path)).join(""));
    await new Promise((resolve) => setTimeout(resolve, 50)); // until the first one has gone out
  }, { patienceMs: 300 });
  // Each waits for the answer before it, so the later ones were never asked.
  deepEqual(rig.steps().map(({ request }) => new URL(request.url).pathname), ["/never"]);
});

Deno.test("a client that hangs up at replay has been given what was recorded, as far as it listened", async () => {
  await using rig = new Rig();
  await using upstream = await startPouring();
  await rig.record(async (proxyPort) => {
    await using client = await RawSocket.connect(proxyPort);
    client.send(get(upstream.host));
    await drain(client, 64 * mebibyte);
  });
  const { outcome } = await rig.replay(async (proxyPort) => {
    await using client = await RawSocket.connect(proxyPort);
    client.send(get(upstream.host));
    await client.take((bytes) => bytes.length > 100_000 ? 0 : null);
  });
  assertFaithful(outcome);
});

Deno.test("settle() ends what is still open as interrupted, and a replay breaks off at the same place", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(async (connection) => {
    await connection.request();
    connection.send(`${chunkedHead}3\r\none\r\n`);
  });
  const client = async (proxyPort: number) => {
    const raw = await RawSocket.connect(proxyPort);
    raw.send(get(upstream.host));
    return (await raw.take((bytes) => bytes.includes("one") ? bytes.length : null)).toString();
  };
  await rig.record(client, { patienceMs: 0 });
  deepEqual([rig.steps()[0]?.response?.body, rig.steps()[0]?.response?.end], [{ text: "one" }, "interrupted"]);
  const { value, outcome } = await rig.replay(async (proxyPort) => {
    await using raw = await RawSocket.connect(proxyPort);
    raw.send(get(upstream.host));
    return await raw.rest();
  });
  assertFaithful(outcome);
  ok(value.endsWith("3\r\none\r\n"), value);
});

Deno.test("settle() records a request that had no answer yet, and does not wait for a body that never comes", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(async (connection) => {
    await connection.requestHead();
  });
  await rig.record(async (proxyPort) => {
    const raw = await RawSocket.connect(proxyPort);
    raw.send(post(upstream.host, "/", "part").replace("Length: 4", "Length: 400"));
    await new Promise((resolve) => setTimeout(resolve, 30)); // until the upstream has it
  }, { patienceMs: 0 });
  equal(rig.steps()[0]?.error?.phase, "read");
});

Deno.test("an upstream that answers before it has the body leaves a step with the whole request", async () => {
  await using rig = new Rig();
  const answered = gate();
  await using upstream = await startUpstream(async (connection) => {
    await connection.requestHead();
    connection.send(plain("too large", "HTTP/1.1 413 Content Too Large\r\n"));
    await answered.promise;
    connection.socket.end();
  });
  await rig.record(async (proxyPort) => {
    await using raw = await RawSocket.connect(proxyPort);
    raw.send(post(upstream.host, "/", "first").replace("Length: 5", "Length: 11"));
    match(await raw.response(), /^HTTP\/1\.1 413 /);
    raw.send("second");
    await new Promise((resolve) => setTimeout(resolve, 30)); // until the proxy has read it
    answered.resolve();
  });
  deepEqual(rig.steps()[0]?.request.body, { text: "firstsecond" });
});

const expects = "Expect: 100-continue\r\n";

Deno.test("Expect: 100-continue waits for the upstream's word while recording, and is granted at replay", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(async (connection) => {
    await connection.requestHead();
    connection.send("HTTP/1.1 100 Continue\r\n\r\n");
    await connection.take((bytes) => bytes.length < 4 ? null : 4);
    connection.send(plain("thanks"));
  });
  const answers = await rig.both(async (proxyPort) => {
    await using client = await RawSocket.connect(proxyPort);
    client.send(post(upstream.host, "/", "body", expects).slice(0, -4));
    const interim = await client.response();
    client.send("body");
    return [interim, await client.response()];
  });
  deepEqual([answers[0], bodyOf(answers[1] ?? "")], ["HTTP/1.1 100 Continue\r\n\r\n", "thanks"]);
});

Deno.test("Expect: 100-continue that is refused is refused at replay, without the body having been asked for", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(
    async (connection) => {
      await connection.requestHead();
      connection.send(plain("no", "HTTP/1.1 417 Expectation Failed\r\n"));
    },
  );
  const answer = await rig.both(async (proxyPort) => {
    await using client = await RawSocket.connect(proxyPort);
    client.send(post(upstream.host, "/", "body", expects).slice(0, -4));
    return await client.rest();
  }, { patienceMs: 60_000 });
  match(answer, /^HTTP\/1\.1 417 Expectation Failed\r\n(?:.*\r\n)*Connection: close\r\n\r\nno$/i);
});

Deno.test("another expectation than 100-continue is the upstream's to judge", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering((request) => plain(/expect: .*/i.exec(request)?.[0] ?? "none")));
  const [answer = ""] = await rig.both(asks(post(upstream.host, "/", "body", "Expect: the-unexpected\r\n")));
  equal(bodyOf(answer), "Expect: the-unexpected");
});

Deno.test("a client that gives up before anything comes is recorded as gone, and a replay keeps it waiting as long", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(async (connection) => void await connection.request());
  const client = async (proxyPort: number) => {
    await using raw = await RawSocket.connect(proxyPort);
    raw.send(get(upstream.host));
    await new Promise((resolve) => setTimeout(resolve, 60)); // its patience
    return "gave up";
  };
  await rig.record(client, { patienceMs: 20 });
  deepEqual(rig.steps().map(({ error }) => error?.code), ["CLIENT_CLOSED"]);
  const { value, outcome } = await rig.replay(client);
  deepEqual([value, outcome.fidelity, outcome.misses.length], ["gave up", 1, 0]);
  await new Promise((resolve) => setTimeout(resolve, 60)); // until the answer that never comes has seen it leave
});
