import { deepEqual, equal, rejects } from "node:assert/strict";
import { compileRules } from "../key/mod.ts";
import { Redactor } from "../redact/mod.ts";
import { defaultKeyRules, type More, type ResponseHead, type Step } from "../step/mod.ts";
import { BodySpool } from "../store/mod.ts";
import type { Channel, Engine, LiveRequest, ResponseSink } from "./exchange.ts";
import { Keeper } from "./keep.ts";

const head: ResponseHead = { status: 200, statusText: "OK", httpVersion: "1.1", headers: [] };

const request: LiveRequest = {
  method: "GET",
  url: "http://a.test/",
  httpVersion: "1.1",
  headers: [],
  body: null,
  trailers: () => [],
  expectsContinue: false,
};

const channel: Channel = { incoming: (async function* () {})(), write: () => undefined, end() {}, abort() {} };

function client(closed = false): ResponseSink {
  const nothing = () => {};
  const sends = { sendContinue: nothing, sendInformation: nothing, sendHead: nothing, flush: nothing };
  return {
    ...sends,
    closed,
    meter: null,
    write: () => undefined,
    end: nothing,
    abort: nothing,
    upgrade: () => channel,
  };
}

/** Keeps what an engine does with each request. */
function startKeeper(exchange: Engine["exchange"], append: (line: Step | More) => void = () => {}) {
  const lines: (Step | More)[] = [];
  const told: string[] = [];
  const keeper = new Keeper({
    engine: { exchange, protocolOf: () => "http/1.1" },
    sink: { spool: () => new BodySpool(null), append: (line) => (append(line), void lines.push(line)) },
    redactor: new Redactor(),
    rules: compileRules(defaultKeyRules, { cwd: "/work", home: "/home/me" }),
    onLost: (what, error) => void told.push(`lost ${what}: ${error}`),
    onUnrecorded: (url, protocol) => void told.push(`${protocol} ${url}`),
  });
  return { keeper, lines, told };
}

/** What a line holds of its answer. */
function answerOf(line: Step | More | undefined): unknown[] {
  if (line?.kind !== "step") return [line?.kind];
  const { response, error } = line;
  return response === undefined ? [error?.code] : [response.body, response.end];
}

Deno.test("settle() writes down as interrupted what goes on, and nothing that comes later", async () => {
  const later = Promise.withResolvers<void>();
  const { keeper, lines } = startKeeper(async (_request, sink) => {
    sink.sendHead(head);
    sink.write(new TextEncoder().encode("begun"));
    await later.promise;
    sink.write(new TextEncoder().encode("late"));
    sink.end([]);
  });
  const done = keeper.exchange(request, client());
  await keeper.settle(0);
  later.resolve();
  await done;
  await keeper.exchange(request, client()); // answered, and not kept: the trace has ended
  deepEqual(lines.map(answerOf), [[{ text: "begun" }, "interrupted"]]);
});

Deno.test("exchange() keeps a request that nobody waits for any more as left by its client", async () => {
  const { keeper, lines } = startKeeper(() => Promise.resolve());
  await keeper.exchange(request, client(true));
  deepEqual(lines.map(answerOf), [["CLIENT_CLOSED"]]);
});

Deno.test("exchange() keeps the step of an engine that fails, and hands its failure on", async () => {
  const { keeper, lines } = startKeeper((_request, sink) => {
    sink.sendHead(head);
    return Promise.reject(new RangeError("a bug"));
  });
  await rejects(keeper.exchange(request, client()), RangeError);
  deepEqual(lines.map(answerOf), [[null, "interrupted"]]);
});

Deno.test("exchange() keeps what an answer stands for, with its message redacted", async () => {
  const { keeper, lines } = startKeeper((_request, sink) => {
    sink.witness?.failed({ phase: "dns", code: "ENOTFOUND", message: "no sk-proj-abcdefghijklmnopqrstuvwx0123456789" });
    sink.sendHead({ ...head, status: 502 });
    sink.end([]);
    return Promise.resolve();
  });
  await keeper.exchange(request, client());
  deepEqual(lines.map(answerOf), [["ENOTFOUND"]]);
  equal(JSON.stringify(lines).includes("abcdefghijkl"), false);
});

Deno.test("exchange() breaks a step off as the recorded one was, whatever broke the connection", async () => {
  for (const [stoodFor, kept] of [["timeout", "timeout"], ["complete", "upstream_reset"]] as const) {
    const { keeper, lines } = startKeeper((_request, sink) => {
      sink.witness?.ended(stoodFor);
      sink.sendHead(head);
      sink.abort();
      return Promise.resolve();
    });
    await keeper.exchange(request, client());
    deepEqual(lines.map(answerOf), [[null, kept]]);
  }
});

Deno.test("exchange() keeps nothing of another protocol than WebSocket, and names it", async () => {
  const { keeper, lines, told } = startKeeper((_request, sink) => {
    sink.upgrade?.({ ...head, status: 101 }).end();
    return Promise.resolve();
  });
  await keeper.exchange({ ...request, upgrade: "tcp" }, client());
  deepEqual([lines, told], [[], ["tcp http://a.test/"]]);
});

Deno.test("exchange() tells what could not be written, and the answer goes on", async () => {
  const { keeper, told } = startKeeper((_request, sink) => {
    sink.sendHead(head);
    sink.end([]);
    return Promise.resolve();
  }, () => {
    throw new Error("disk full");
  });
  await keeper.exchange(request, client());
  deepEqual(told, ["lost GET http://a.test/: Error: disk full"]);
});
