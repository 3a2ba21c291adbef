/** Steps that are open for long: written while they go on, joined when they are read, replayed as if of one piece. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { type LongSteps, systemClock } from "../../lib/engine/mod.ts";
import { parseLine, type TraceLine } from "../../lib/step/mod.ts";
import { bodyOf, post } from "../support/raw_client.ts";
import { RawSocket } from "../support/raw_socket.ts";
import { startUpstream } from "../support/raw_upstream.ts";
import { assertFaithful, Rig } from "../support/rig.ts";

const chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
const longSteps: LongSteps = { openAfterMs: 40, everyMs: 40 };

/** The lines of one step, as far as its trace is written. */
function linesOf(rig: Rig): TraceLine[] {
  return rig.growing().trimEnd().split("\n").map((line) => parseLine(line, { path: "growing", line: 0, offset: 0 }));
}

/** What a line holds of a response: its text and how it ends. */
function partOf(line: TraceLine | undefined): unknown {
  const part = line?.kind === "step" ? line.response : line?.kind === "more" ? line : undefined;
  const body = part?.body ?? null;
  return part === undefined ? line?.kind : [body !== null && "text" in body ? body.text : body, part.end];
}

/** Waits until the trace has so many lines; nothing tells when. */
async function lines(rig: Rig, count: number): Promise<unknown[]> {
  for (let tries = 0; linesOf(rig).length < count && tries < 200; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return linesOf(rig).slice(1).map(partOf);
}

/** A server that sends what it is told, and the client that waits for its end. */
async function stream(head = chunkedHead) {
  const open = Promise.withResolvers<RawSocket>();
  const upstream = await startUpstream(async (connection) => {
    await connection.request();
    connection.send(head);
    open.resolve(connection);
  });
  const send = async (text: string) => (await open.promise).send(`${text.length.toString(16)}\r\n${text}\r\n`);
  const end = async () => (await open.promise).send("0\r\nx-sum: 5\r\n\r\n");
  const ask = async (proxyPort: number, during: () => Promise<void>) => {
    await using client = await RawSocket.connect(proxyPort);
    client.send(post(upstream.host, "/stream", "question", "TE: trailers\r\n"));
    await during();
    return await client.response();
  };
  return { upstream, send, end, ask };
}

/** Redaction holds back the last 127 bytes: a read comes to a line when the next has come. */
const [one, two, three] = ["one", "two", "three"].map((word) => word.padEnd(200)) as [string, string, string];

Deno.test("a step that is open for long is written as it goes on, by whole reads, and replays as one", async () => {
  await using rig = new Rig();
  const { upstream, send, end, ask } = await stream();
  await using _upstream = upstream;
  const recorded = await rig.record((port) =>
    ask(port, async () => {
      for (const text of [one, two]) await send(text);
      deepEqual(await lines(rig, 2), [[one, "open"]]);
      await send(three);
      deepEqual(await lines(rig, 3), [[one, "open"], [two, "open"]]);
      await end();
    }), { longSteps });
  deepEqual(rig.steps().map(({ response }) => [response?.body, response?.end, response?.trailers]), [
    [{ text: one + two + three }, "complete", [["x-sum", "5"]]],
  ]);
  const { value, outcome } = await rig.replay((port) => ask(port, () => Promise.resolve()));
  equal(bodyOf(value), bodyOf(recorded));
  assertFaithful(outcome);
});

Deno.test("a step whose body has not begun is written with its head, and one without a head not yet", async () => {
  await using rig = new Rig();
  const { upstream, send, end, ask } = await stream();
  await using _upstream = upstream;
  await rig.record((port) =>
    ask(port, async () => {
      deepEqual(await lines(rig, 2), [[null, "open"]]);
      await send("late");
      await end();
    }), { longSteps });
  deepEqual(rig.steps()[0]?.response?.body, { text: "late" });
  ok((rig.steps()[0]?.latencyMs ?? 0) >= 40, "the last line tells the latency");
});

Deno.test("nothing of a secret reaches a line before it is known to be one, wherever a line is cut", async () => {
  await using rig = new Rig();
  const { upstream, send, end, ask } = await stream();
  await using _upstream = upstream;
  await rig.record((port) =>
    ask(port, async () => {
      await send('first {"api_key": "sk-abcdef01234');
      await new Promise((resolve) => setTimeout(resolve, 150)); // until lines have been due three times
      ok(!rig.growing().includes("abcdef"), rig.growing());
      await send('56789ABCDEFGH"} last');
      await end();
    }), { longSteps });
  ok(!rig.stored().includes("abcdef01234"), "the secret was stored");
  const { body, chunks } = rig.steps()[0]?.response ?? {};
  match(JSON.stringify(body), /^{"text":"first {\\"api_key\\": \\"\[redacted-1\*+\]\\"} last"}$/);
  deepEqual(chunks?.map(([, bytes]) => bytes), [33, 20]);
});

Deno.test("each line of a long stream keeps its large part in a blob of its own, and the joined body is all of them", async () => {
  await using rig = new Rig();
  const { upstream, send, end, ask } = await stream();
  await using _upstream = upstream;
  const large = ["a ", "b "].map((text) => text.repeat(50_000));
  const all = (port: number) =>
    ask(port, async () => {
      for (const [index, text] of large.entries()) {
        await send(text);
        await lines(rig, index + 2);
      }
      await send("tail");
      await end();
    });
  const recorded = await rig.record(all, { longSteps });
  const body = rig.steps()[0]?.response?.body ?? null;
  ok(body !== null && "parts" in body && body.parts.length >= 3, JSON.stringify(body)?.slice(0, 200));
  const { value, outcome } = await rig.replay((port) => ask(port, () => Promise.resolve()));
  assertFaithful(outcome);
  equal(
    bodyOf(value).replaceAll(/\r\n|[0-9a-f]+\r\n/g, "").length,
    bodyOf(recorded).replaceAll(/\r\n|[0-9a-f]+\r\n/g, "").length,
  );
});

Deno.test("an encoded stream is held back until it has ended, and is whole then", async () => {
  await using rig = new Rig();
  const { upstream, send, end, ask } = await stream(
    chunkedHead.replace("\r\n\r\n", "\r\nContent-Encoding: gzip\r\n\r\n"),
  );
  await using _upstream = upstream;
  await rig.record((port) =>
    ask(port, async () => {
      await send("no gzip at all");
      await new Promise((resolve) => setTimeout(resolve, 120)); // until lines have been due twice
      deepEqual(await lines(rig, 1), []);
      await end();
    }), { longSteps });
  deepEqual(rig.steps()[0]?.response?.body, { text: "no gzip at all" });
});

Deno.test("a client that hangs up on an answer has asked whole: its step counts, and its endless stream is cut", async () => {
  await using rig = new Rig();
  const { upstream, send } = await stream();
  await using _upstream = upstream;
  const startMs = performance.now();
  await rig.record(async (port) => {
    await using client = await RawSocket.connect(port);
    client.send(post(upstream.host, "/stream", "question"));
    await send("hello");
    await client.take((bytes) => bytes.includes("hello") ? 0 : null);
  }, { patienceMs: 10_000, goneMs: 100 });
  ok(performance.now() - startMs < 5000, "it waited for a client that is gone");
  const [step] = rig.steps();
  deepEqual([step?.optional, step?.response?.end, step?.response?.body], [undefined, "client_closed", {
    text: "hello",
  }]);
});

Deno.test("a stream that fell silent behind a client that left ends its step long before the run ends", async () => {
  await using rig = new Rig();
  const { upstream, send } = await stream();
  await using _upstream = upstream;
  const fast = { ...systemClock, elapsedMs: () => performance.now() * 100 }; // ten seconds in a tenth of one
  await rig.record(async (port) => {
    {
      await using client = await RawSocket.connect(port);
      client.send(post(upstream.host, "/stream", "question"));
      await send(one);
      await client.take((bytes) => bytes.includes(one) ? 0 : null);
    }
    deepEqual((await lines(rig, 3)).at(-1), [one, "client_closed"]);
  }, { longSteps, clock: fast });
  deepEqual(rig.steps().map(({ response }) => [response?.body, response?.end]), [[{ text: one }, "client_closed"]]);
});
