/** Sharing and pulling over a network, and from a server, that fail. */

import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { pullRun, type RemoteBucket, shareRun } from "../../lib/store/mod.ts";
import { ThrowawayStore } from "../support/throwaway_store.ts";
import { type Fault, FaultyLink, type PassingRequest } from "./faulty_link.ts";
import { S3Server } from "./s3_server.ts";
import { pulledFiles, recordRun, type RunPlan, type WholeRun } from "./shared_store.ts";

const pass: Fault = { kind: "pass" };

/** A run in a store, a server, and something between that fails. */
class FaultyRoom implements AsyncDisposable {
  readonly here = new ThrowawayStore();
  readonly there = new ThrowawayStore();
  choose: (request: PassingRequest) => Fault = () => pass;
  readonly server: S3Server;
  readonly link: FaultyLink;
  readonly ref: WholeRun;

  private constructor(server: S3Server, link: FaultyLink, ref: WholeRun) {
    this.server = server;
    this.link = link;
    this.ref = ref;
  }

  static async open(plan: RunPlan, shared: boolean): Promise<FaultyRoom> {
    const server = await S3Server.start();
    const rooms: FaultyRoom[] = [];
    const link = await FaultyLink.before(server.endpoint, (request) => rooms[0]?.choose(request) ?? pass);
    using first = new ThrowawayStore();
    const room = new FaultyRoom(server, link, await recordRun(first, plan));
    rooms.push(room);
    await recordRun(room.here, plan);
    using bucket = await server.open();
    if (shared) await shareRun(room.here.layout, room.ref, bucket);
    return room;
  }

  bucket(): Promise<RemoteBucket> {
    return this.server.open({ endpoint: this.link.endpoint });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.link[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
    this.here[Symbol.dispose]();
    this.there[Symbol.dispose]();
  }
}

const isBlob = ({ path }: PassingRequest) => path.includes("/blobs/") && !path.includes("list-type");
const isTrace = ({ path }: PassingRequest) => path.includes("/traces/");

Deno.test("a share that is cut in the middle of an upload sends only the rest the second time", async () => {
  await using room = await FaultyRoom.open({ blobs: [70_000, 70_001, 70_002, 70_003, 70_004] }, false);
  let puts = 0;
  room.choose = (request) => isBlob(request) && ++puts > 2 ? { kind: "cut-request", afterBytes: 30_000 } : pass;
  using cut = await room.bucket();
  await rejects(shareRun(room.here.layout, room.ref, cut), {
    name: "RemoteStoreError",
    code: "unreachable",
    exitCode: 4,
  });
  room.choose = () => pass;
  using again = await room.bucket();
  const { sentFiles } = await shareRun(room.here.layout, room.ref, again);
  equal(sentFiles, 3 + 1, "three bodies and the trace");
  await pullRun(room.there.layout, room.ref.runId, again);
});

Deno.test("a share goes on after answers of 500 and 503, and after a connection that was cut once", async () => {
  await using room = await FaultyRoom.open({ blobs: [70_000, 70_001] }, false);
  const faults: Fault[] = [
    { kind: "answer", status: 500 },
    { kind: "cut-request", afterBytes: 1000 },
    { kind: "answer", status: 503 },
  ];
  room.choose = (request) => request.method === "PUT" ? faults.pop() ?? pass : pass;
  using bucket = await room.bucket();
  equal((await shareRun(room.here.layout, room.ref, bucket)).sentFiles, 3);
});

Deno.test("a server that answers 500 for ever is told with its status, and how often it was tried", async () => {
  await using room = await FaultyRoom.open({}, false);
  room.choose = () => ({ kind: "answer", status: 500 });
  using bucket = await room.bucket();
  await rejects(
    shareRun(room.here.layout, room.ref, bucket),
    /Cannot read "runs\/.*" of s3:\/\/team\/: it answered 500, tried 4 times/,
  );
});

Deno.test("a pull goes on after a download that was cut once", async () => {
  await using room = await FaultyRoom.open({ blobs: [200_000] }, true);
  let cuts = 2;
  room.choose = (request) =>
    (isBlob(request) || isTrace(request)) && cuts-- > 0 ? { kind: "cut-answer", afterBytes: 100 } : pass;
  using bucket = await room.bucket();
  equal((await pullRun(room.there.layout, room.ref.runId, bucket)).fetchedFiles, 2);
});

const broken:
  readonly (readonly [what: string, at: (request: PassingRequest) => boolean, fault: Fault, message: RegExp])[] = [
    [
      "a download that is cut again and again",
      isBlob,
      { kind: "cut-answer", afterBytes: 5000 },
      /Cannot pull .*, body sha256:/,
    ],
    [
      "a body with another content",
      isBlob,
      { kind: "change", change: (body) => body.map((byte) => byte ^ 1) },
      /is sha256:/,
    ],
    [
      "a body that is cut short",
      isBlob,
      { kind: "change", change: (body) => body.slice(0, -1) },
      /has 69999 bytes, expected 70000/,
    ],
    ["a body that is too long", isBlob, {
      kind: "change",
      change: (body) => Uint8Array.of(...body.slice(0, 9), ...body),
    }, /has 70009 bytes, expected 70000 at most/],
    ["a body that is not there", isBlob, { kind: "answer", status: 404 }, /it answered 404/],
    [
      "a trace with another content",
      isTrace,
      { kind: "change", change: changeText("hello", "jello") },
      /the trace is sha256:/,
    ],
    [
      "a trace that is cut short",
      isTrace,
      { kind: "change", change: (body) => body.slice(0, -30) },
      /the trace has no end/,
    ],
    ["a trace that is none", isTrace, { kind: "answer", status: 200, body: "<html>\n" }, /line 1/],
    [
      "a ref that is refused",
      ({ path }) => path.includes("/runs/"),
      { kind: "answer", status: 403 },
      /it answered 403/,
    ],
    [
      "10 GB that are claimed",
      isTrace,
      { kind: "answer", status: 200, headers: { "content-length": "10737418240" } },
      /has 10737418240 bytes/,
    ],
  ];

for (const [what, at, fault, message] of broken) {
  Deno.test(`a pull writes nothing at all when it meets ${what}`, async () => {
    await using room = await FaultyRoom.open({ blobs: [70_000], small: 1 }, true);
    room.choose = (request) => at(request) ? fault : pass;
    using bucket = await room.bucket();
    await rejects(pullRun(room.there.layout, room.ref.runId, bucket), (error: Error) => {
      equal(error.name, "RemoteStoreError");
      ok(message.test(error.message), error.message);
      return true;
    });
    deepEqual(pulledFiles(room.there), []);
  });
}

Deno.test("a pull takes no more bytes than it may", async () => {
  await using room = await FaultyRoom.open({ small: 20 }, true);
  using bucket = await room.server.open();
  const pulled = pullRun(room.there.layout, room.ref.runId, bucket, { limitBytes: 1000 });
  await rejects(pulled, /expected 1000 at most/);
  deepEqual(pulledFiles(room.there), []);
});

Deno.test("a run that was recorded here is not replaced by one of its id", async () => {
  await using room = await FaultyRoom.open({ small: 1 }, true);
  const own = await recordRun(room.there, { small: 2 });
  using bucket = await room.server.open();
  await rejects(pullRun(room.there.layout, room.ref.runId, bucket), { code: "conflict" });
  deepEqual(room.there.store.list().map(({ digest }) => digest), [own.digest]);
});

function changeText(from: string, to: string): (body: Uint8Array) => Uint8Array {
  return (body) => new TextEncoder().encode(new TextDecoder().decode(body).replace(from, to));
}
