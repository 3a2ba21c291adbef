/** A trace that was edited by hand: what it holds cannot split an answer in two. */
import { deepEqual, match, ok } from "node:assert/strict";
import { askOn, get } from "../support/raw_client.ts";
import { RawSocket } from "../support/raw_socket.ts";
import { answering, plain, startUpstream } from "../support/raw_upstream.ts";
import { Rig } from "../support/rig.ts";

const split = "b\\r\\nContent-Length: 0\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\nX-Split: yes";

const edits: Readonly<Record<string, readonly [from: string, to: string]>> = {
  "a header's value": [`"X-A","b"`, `"X-A","${split}"`],
  "a header's name": [`"X-A","b"`, `"X-A: ${split}","b"`],
  "the status text": [`"status_text":"OK"`, `"status_text":"${split}"`],
  "a header beyond latin1": [`"X-A","b"`, `"X-A","\\u0d0a\\u010d"`],
};

for (const [name, [from, to]] of Object.entries(edits)) {
  Deno.test(`a replay answers 502 and says which step when line breaks stand in ${name}`, async () => {
    await using rig = new Rig();
    await using upstream = await startUpstream(answering(() => plain("ok", "HTTP/1.1 200 OK\r\nX-A: b\r\n")));
    const { value, outcome } = await recordEditReplay(rig, upstream.host, from, to);
    const [first = "", second = ""] = value;
    match(first, /^HTTP\/1\.1 502 Bad Gateway\r\n(?:.*\r\n)*x-agrepl: damaged\r\n/);
    ok(!/^X-Split/m.test(first) && second.startsWith("HTTP/1.1 200 OK\r\nX-A: b\r\n"), first + second);
    match(outcome.damaged.join(), /^Cannot send step 0: the /);
    deepEqual(outcome.diverged, [0]);
  });
}

Deno.test("a replay sends no more of a body than its content-length says, and counts the step as diverged", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering(() => plain("ok")));
  const extra = "okHTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n";
  await rig.record((port) => asksApart(port, upstream.host));
  edit(rig.tracePath, `{"text":"ok"}`, `{"text":"${extra}"}`);
  const { value, outcome } = await rig.replay((port) => asksApart(port, upstream.host));
  ok(value[0]?.endsWith("\r\n\r\nok"), value[0]);
  deepEqual([...outcome.differences], [[0, `a body of 2 bytes, recorded ${extra.length - 6}`]]);
});

async function recordEditReplay(rig: Rig, host: string, from: string, to: string) {
  const client = async (port: number) => {
    await using connection = await RawSocket.connect(port);
    return await askOn(connection, [get(host, "/1"), get(host, "/2")]);
  };
  await rig.record(client);
  edit(rig.tracePath, from, to);
  return await rig.replay(client);
}

/** Each on a connection of its own; gives all that came on it. */
async function asksApart(port: number, host: string): Promise<string[]> {
  const answers: string[] = [];
  for (const path of ["/1", "/2"]) {
    await using connection = await RawSocket.connect(port);
    connection.send(get(host, path, "Connection: close\r\n"));
    answers.push(await connection.rest());
  }
  return answers;
}

/** Replaces the first place only: the first step's. */
function edit(path: string, from: string, to: string): void {
  const text = Deno.readTextFileSync(path);
  ok(text.includes(from), `${from} is not in ${text}`);
  Deno.writeTextFileSync(path, text.replace(from, () => to));
}
