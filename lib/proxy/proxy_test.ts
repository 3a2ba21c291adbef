import { deepEqual, equal, match, ok } from "node:assert/strict";
import { asks, get, post } from "../../tests/support/raw_client.ts";
import { RawSocket } from "../../tests/support/raw_socket.ts";
import { answering, plain, startUpstream } from "../../tests/support/raw_upstream.ts";
import { openSocket, startSocketServer } from "../../tests/support/wire_peer.ts";
import { Rig } from "../../tests/support/rig.ts";
import { createAuthority } from "./authority.ts";
import { Proxy, type ProxyNotice } from "./proxy.ts";

/** Sends bytes and gives all that comes until the proxy ends the connection. */
function sends(bytes: string) {
  return async (proxyPort: number) => {
    await using client = await RawSocket.connect(proxyPort);
    client.send(bytes.replaceAll("PORT", String(proxyPort)));
    return await client.rest();
  };
}

const nonsense: Record<string, string> = {
  "a request to the proxy itself": "GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n",
  "its own address in absolute form": "GET http://localhost:PORT/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
  "a URL without a host": "GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n",
  "a URL with a port that is none": "GET http://a.test:99999/ HTTP/1.1\r\nHost: a\r\n\r\n",
  "a URL of another scheme": "GET ftp://a.test/ HTTP/1.1\r\nHost: a\r\n\r\n",
  "a CONNECT without a port": "CONNECT a.test HTTP/1.1\r\nHost: a.test\r\n\r\n",
  "a CONNECT to a URL": "CONNECT http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n",
  "a CONNECT to a broken address": "CONNECT [::zz]:443 HTTP/1.1\r\nHost: a.test\r\n\r\n",
  "bytes that are no HTTP": "\x16\x03\x01\x00\xff garbage\r\n\r\n",
  "two lengths": "POST http://a.test/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
};

for (const [what, bytes] of Object.entries(nonsense)) {
  Deno.test(`Proxy answers 400 and gives notice when it gets ${what}`, async () => {
    await using rig = new Rig();
    const answer = await rig.record(sends(bytes));
    match(answer, /^HTTP\/1\.1 400 Bad Request\r\n(?:.*\r\n)*x-agrepl: refused\r\n/);
    deepEqual(rig.notices.map(({ kind }) => kind), ["refused"]);
    deepEqual(rig.steps(), []);
  });
}

Deno.test("Proxy answers 431 when a request has 300 KiB of headers, and takes 200 KiB", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering(() => plain("ok")));
  const head = (bytes: number) => `X-Large: ${"a".repeat(bytes)}\r\n`;
  match(await rig.record(sends(get(upstream.host, "/", head(300 * 1024)))), /^HTTP\/1\.1 431 /);
  const [answer = ""] = await rig.both(asks(get(upstream.host, "/", head(200 * 1024))));
  match(answer, /^HTTP\/1\.1 200 /);
});

Deno.test("Proxy answers nothing in between when garbage follows a request that is being answered", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(async (connection) => {
    await connection.request();
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart ");
    await new Promise((resolve) => setTimeout(resolve, 50)); // until the garbage is there
    connection.send("rest");
  });
  const answer = await rig.record(async (proxyPort) => {
    await using client = await RawSocket.connect(proxyPort);
    client.send(get(upstream.host));
    await client.take((bytes) => bytes.includes("part") ? 0 : null);
    client.send("\0\0\0\r\n\r\n");
    return await client.rest();
  }, { patienceMs: 0 });
  match(answer, /^[^]*?part rest(?:HTTP\/1\.1 400 Bad Request\r\n|$)/);
});

Deno.test("Proxy refuses a tunnel that leads to itself", async () => {
  await using rig = new Rig();
  await rig.record(async (proxyPort) => {
    await using tunnel = await RawSocket.tunnel(proxyPort, `127.0.0.1:${proxyPort}`);
    tunnel.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    match(await tunnel.response(), /^HTTP\/1\.1 400 /);
  });
  deepEqual(rig.steps(), []);
});

Deno.test("Proxy answers 503 and records nothing when a host, or its parent, is dropped", async () => {
  await using rig = new Rig();
  const client = async (proxyPort: number) => {
    await using tunnel = await RawSocket.tunnel(proxyPort, "telemetry.test:80");
    tunnel.send("GET /t HTTP/1.1\r\nHost: a\r\n\r\n");
    const [direct] = await asks(post("a.telemetry.test", "/", "body"))(proxyPort);
    return [await tunnel.response(), direct];
  };
  for (const answer of await rig.record(client, { drop: ["telemetry.test"] })) {
    match(answer ?? "", /^HTTP\/1\.1 503 (?:.*\r\n)*x-agrepl: dropped\r\n/);
  }
  deepEqual(rig.steps(), []);
});

Deno.test("Proxy gives no notice when a client leaves in the middle of its request, and the step is optional", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering(() => plain("ok")));
  await rig.record(async (proxyPort) => {
    const client = await RawSocket.connect(proxyPort);
    client.send(post(upstream.host, "/", "body", "").replace("Content-Length: 4", "Content-Length: 400"));
    await new Promise((resolve) => setTimeout(resolve, 30)); // until the upstream has its part
    await client[Symbol.asyncDispose]();
  });
  deepEqual(rig.notices, []);
  const [step] = rig.steps();
  deepEqual([step?.optional, step?.request.body], [true, { text: "body" }]);
});

Deno.test("Proxy breaks the connection and gives notice when its engine has a bug", async () => {
  const notices: ProxyNotice[] = [];
  const engine = { protocolOf: () => "http/1.1" as const, exchange: () => Promise.reject(new RangeError("a bug")) };
  const onNotice = (notice: ProxyNotice) => void notices.push(notice);
  await using proxy = await Proxy.listen({ engine, authority: createAuthority(), onNotice });
  equal(await sends(get("a.test"))(proxy.port), "");
  deepEqual(notices.map((notice) => notice.kind === "failed" && notice.error instanceof RangeError), [true]);
});

Deno.test("Proxy keeps a client's connection, and its listeners do not pile up", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering(() => plain("ok")));
  const answers = await rig.both(asks(...Array.from({ length: 30 }, (_, index) => get(upstream.host, `/${index}`))));
  equal(answers.length, 30);
  equal(upstream.connections, 1);
  ok(answers.every((answer) => answer.startsWith("HTTP/1.1 200 OK\r\n")));
});

Deno.test("Proxy keeps a tunnel whose handshake is done for longer than a handshake may take", async () => {
  const authority = createAuthority();
  const engine = { protocolOf: () => "http/1.1" as const, exchange: () => Promise.reject(new RangeError("not asked")) };
  const onNotice = () => {};
  await using proxy = await Proxy.listen({ engine, authority, drop: ["a.test"], onNotice, patienceMs: 40 });
  const trust = { ca: authority.certificatePem, servername: "a.test" };
  await using tunnel = await RawSocket.tlsTunnel(proxy.port, "a.test:443", trust);
  await new Promise((resolve) => setTimeout(resolve, 150));
  tunnel.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
  match(await tunnel.response(), /^HTTP\/1\.1 503 /);
});

Deno.test("Proxy ends a connection that was switched when it closes, and the recording of it", async () => {
  await using rig = new Rig();
  await using server = await startSocketServer((peer) => peer.text("hello"));
  const client = await rig.record(async (proxyPort) => {
    const peer = await openSocket(proxyPort, server);
    await peer.saw();
    return peer;
  }, { patienceMs: 10 });
  deepEqual(await client.rest(), ["end"]);
  deepEqual(rig.steps().map(({ response }) => response?.end), ["interrupted"]);
  await client[Symbol.asyncDispose]();
});
