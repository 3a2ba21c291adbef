/** Signals, a parent that dies, a child that leaves a stream behind, two recorders at once. */
import { deepEqual, equal, ok } from "node:assert/strict";
import type { RawSocket } from "../support/raw_socket.ts";
import { plain, type RawUpstream, startUpstream } from "../support/raw_upstream.ts";
import type { RunStatus, Step } from "../../lib/step/mod.ts";
import { Store } from "../../lib/store/mod.ts";
import { agrepl, endProcess, get, Room } from "./recorder.ts";

const event = "data: tick\n\n".padEnd(256);

/** A server that answers all but `/stream`, which never ends. */
class World implements AsyncDisposable {
  readonly #streaming = Promise.withResolvers<void>();
  readonly #streams: Promise<void>[] = [];
  #upstream: RawUpstream | null = null;

  static async start(): Promise<World> {
    const world = new World();
    world.#upstream = await startUpstream((connection) => world.#serve(connection));
    return world;
  }

  get host(): string {
    return this.#upstream?.host ?? "";
  }

  /** Settled when somebody has read some of the stream. */
  get streaming(): Promise<void> {
    return this.#streaming.promise;
  }

  async #serve(connection: RawSocket): Promise<void> {
    while (!connection.ended) {
      if ((await connection.request()).includes("/stream ")) this.#streams.push(this.#stream(connection));
      else connection.send(plain("hello"));
    }
  }

  async #stream(connection: RawSocket): Promise<void> {
    connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (let sent = 0; !connection.ended; sent++) {
      connection.send(`100\r\n${event}\r\n`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (sent === 5) this.#streaming.resolve();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#upstream?.[Symbol.asyncDispose]();
    await Promise.all(this.#streams);
  }
}

/** The one run of a room: its status and its steps. */
function readRun(room: Room): { readonly status: RunStatus | undefined; readonly steps: Step[]; warnings: string[] } {
  const store = new Store(room.path(".agrepl"));
  using trace = store.open(store.find("latest"));
  const steps = trace.entries.map((entry) => trace.step(entry));
  return { status: trace.end?.status, steps, warnings: [...trace.warnings] };
}

const signals = [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const;
const ignore = Deno.build.os === "windows"; // there is no sh

for (const [signal, code] of signals) {
  Deno.test({
    name: `${signal} ends the child, and the trace with it: an open stream is closed as interrupted`,
    ignore,
    async fn() {
      await using world = await World.start();
      using room = new Room();
      const process = room.start(`exec ${agrepl} record -- ${get} http://${world.host}/stream`);
      await world.streaming;
      const startMs = performance.now();
      process.kill(signal);
      const { code: exit } = await process.output();
      ok(performance.now() - startMs < 6000, "it waited for a stream that nobody reads");
      const { status, steps, warnings } = readRun(room);
      deepEqual([exit, status, steps.map(({ response }) => response?.end), warnings], [
        code,
        "interrupted",
        ["interrupted"],
        [],
      ]);
      const { body = null, chunks = [] } = steps[0]?.response ?? {};
      const text = body !== null && "text" in body ? body.text : "";
      ok(text.startsWith(event) && text.length === chunks.reduce((sum, [, bytes]) => sum + bytes, 0));
    },
  });
}

Deno.test({
  name: "a child that leaves an endless stream behind does not hold up the end of its run",
  ignore,
  async fn() {
    await using world = await World.start();
    using room = new Room();
    room.write(
      "agent.sh",
      `${get} http://${world.host}/stream & sleep 1; kill -KILL $!; exec ${get} http://${world.host}/\n`,
    );
    const startMs = performance.now();
    const { code } = await room.run(`${agrepl} record -- sh agent.sh`);
    ok(performance.now() - startMs < 8000, "it waited for a stream that nobody reads");
    const { status, steps } = readRun(room);
    deepEqual([code, status], [0, "completed"]);
    deepEqual(steps.map(({ response }) => response?.end), ["client_closed", "complete"]);
  },
});

Deno.test({
  name: "a recorder whose parent is killed goes on with its child, and ends its trace",
  ignore,
  async fn() {
    await using world = await World.start();
    using room = new Room();
    room.write(
      "agent.sh",
      `echo "$PPID" > started; until test -e go; do sleep 0.05; done; ${get} http://${world.host}/\n`,
    );
    await using parent = room.start(`${agrepl} record -- sh agent.sh & wait`);
    const recorder = Number(await room.line("started"));
    parent.kill("SIGKILL");
    await Promise.all([parent.stdout.cancel(), parent.stderr.cancel()]); // nobody reads what it tells
    await parent.status;
    room.write("go", "");
    const store = new Store(room.path(".agrepl"));
    for (let tries = 0; store.list()[0]?.status === "recording" && tries < 500; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 20)); // an orphan's end tells nobody
    }
    if (store.list()[0]?.status === "recording") endProcess(recorder);
    deepEqual(store.list().map(({ status, steps }) => [status, steps]), [["completed", 1]]);
  },
});

Deno.test({
  name: "two recorders at once in one directory keep two whole traces",
  ignore,
  async fn() {
    await using world = await World.start();
    using room = new Room();
    const urls = (name: string) => Array.from({ length: 40 }, (_, index) => `http://${world.host}/${name}/${index}`);
    const record = (name: string) => room.run(`${agrepl} record --name ${name} -- ${get} ${urls(name).join(" ")}`);
    const results = await Promise.all(["left", "right"].map(record));
    deepEqual(results.map(({ code }) => code), [0, 0]);
    const store = new Store(room.path(".agrepl"));
    deepEqual(store.list().map(({ status, steps }) => [status, steps]), [["completed", 40], ["completed", 40]]);
    for (const name of ["left", "right"]) {
      const { code, stdout } = await room.run(`${agrepl} verify ${name} && ${agrepl} inspect ${name}`);
      equal(code, 0);
      ok(urls(name).every((url) => stdout.includes(`${url}\n`)), stdout);
    }
  },
});
