/** A copy that cannot be written: the live exchange goes on, and what was lost is told once. */
import { Buffer } from "node:buffer";
import { deepEqual, equal, match, ok } from "node:assert/strict";
import zlib from "node:zlib";
import type { Body } from "../../lib/step/mod.ts";
import { BodySpool, type StepSink } from "../../lib/store/mod.ts";
import { asks, bodyOf, get, post } from "../support/raw_client.ts";
import { answering, plain, startUpstream } from "../support/raw_upstream.ts";
import { Rig } from "../support/rig.ts";

class FullDiskError extends Error {}

function full(): never {
  throw new FullDiskError("no space left on device");
}

/** How a spool may fail. */
const failures: Record<string, (spool: BodySpool) => BodySpool> = {
  "throws on push": () => spoolWith({ push: full }),
  "rejects a push": () => spoolWith({ push: () => Promise.reject(new FullDiskError("no space left on device")) }),
  "throws on finish": () => spoolWith({ finish: full }),
};

function spoolWith(parts: { push?: (bytes: Uint8Array) => Promise<void>; finish?: () => Body }): BodySpool {
  return Object.assign(new BodySpool(null), parts);
}

function failing(spool: (spool: BodySpool) => BodySpool) {
  return (sink: StepSink): StepSink => ({ spool: () => spool(sink.spool()), append: (step) => sink.append(step) });
}

const large = `c350\r\n${"large ".repeat(9_000).slice(0, 50_000)}\r\n`;

for (const [how, spool] of Object.entries(failures)) {
  Deno.test(`a spool that ${how} breaks neither request nor response, and is told once`, async () => {
    await using rig = new Rig();
    await using upstream = await startUpstream(answering((request) => [
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
      large, // more than redaction holds back
      `4\r\n${bodyOf(request)}\r\n0\r\n\r\n`,
    ]));
    const [answer = ""] = await rig.record(asks(post(upstream.host, "/", "body")), { wrapSink: failing(spool) });
    ok(answer.endsWith("4\r\nbody\r\n0\r\n\r\n") && answer.length > large.length);
    deepEqual(rig.lost, [`POST http://${upstream.host}/: no space left on device`]);
    deepEqual([rig.steps(), rig.notices], [[], []]);
  });
}

Deno.test("a trace that cannot be appended to, or gives no spool, breaks nothing and is told once", async () => {
  for (const parts of [{ append: full }, { spool: full }]) {
    await using rig = new Rig();
    await using upstream = await startUpstream(answering(() => plain("fine")));
    const wrapSink = (sink: StepSink): StepSink => ({
      spool: () => sink.spool(),
      append: (step) => sink.append(step),
      ...parts,
    });
    const [answer = ""] = await rig.record(asks(get(upstream.host)), { wrapSink });
    equal(bodyOf(answer), "fine");
    equal(rig.lost.length, 1);
  }
});

Deno.test("a disk that fills up in a decoded stream breaks nothing, is told once, and leaves no file behind", async () => {
  await using rig = new Rig();
  const words = Array.from({ length: 1_500_000 }, (_, index) => (index * 2654435761 >>> 0).toString(36)).join(" ");
  const body = zlib.gzipSync(words, { level: 1 });
  ok(body.length > 4 * 1024 * 1024, "too small to be decoded as a stream");
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`;
  await using upstream = await startUpstream(answering(() => Buffer.concat([Buffer.from(head), body])));
  let failed = false; // once: what was written afterwards would stand behind a hole
  const wrapSink = failing((spool) => {
    const push = spool.push.bind(spool);
    return Object.assign(spool, {
      push(bytes: Uint8Array) {
        if (failed || spool.bytes < 1e6) return push(bytes);
        failed = true;
        full();
      },
    });
  });
  const [answer = ""] = await rig.record(asks(get(upstream.host)), { wrapSink });
  equal(answer.length, head.length + body.length);
  match(rig.lost.join(), /^GET .*: no space left on device$/);
  deepEqual([...Deno.readDirSync(`${rig.folder}/blobs`)].map(({ name }) => name), []);
});
