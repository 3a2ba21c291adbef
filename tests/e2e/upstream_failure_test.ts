/** Upstreams that fail: recorded by phase and code, and at replay the client gets the same bytes, or the same break. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import net, { type AddressInfo } from "node:net";
import { createAuthority } from "../../lib/proxy/mod.ts";
import { askOn, asks, get, post } from "../support/raw_client.ts";
import { RawSocket } from "../support/raw_socket.ts";
import { answering, plain, type Script, startUpstream } from "../support/raw_upstream.ts";
import { type Client, Rig, type RigRecording } from "../support/rig.ts";
import { assertOfSchema } from "../support/trace_schema.ts";

const world = createAuthority();

/** Asks once and takes all that comes until the connection ends, or the whole answer. */
function asksOnce(message: string) {
  return async (proxyPort: number) => {
    await using client = await RawSocket.connect(proxyPort);
    client.send(message.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
    return await client.rest();
  };
}

/** Records and replays a client, wants the same of both, and a trace of the schema. */
async function both<Value>(rig: Rig, client: Client<Value>, recording: RigRecording = {}): Promise<Value> {
  const value = await rig.both(client, recording);
  assertOfSchema(rig.tracePath);
  return value;
}

/** A port of 127.0.0.1 on which nobody listens. */
async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

Deno.test("an upstream that refuses is recorded as connect ECONNREFUSED, with the request's body", async () => {
  await using rig = new Rig();
  const host = `127.0.0.1:${await freePort()}`;
  const answer = await both(rig, asksOnce(post(host, "/", "body")));
  match(answer, /^HTTP\/1\.1 502 Bad Gateway\r\n(?:.*\r\n)*x-agrepl: upstream-error\r\n/);
  const { error, request, ttfbMs } = rig.steps()[0] ?? {};
  deepEqual([error?.phase, error?.code, request?.body, ttfbMs], ["connect", "ECONNREFUSED", { text: "body" }, null]);
});

/** Records and replays a GET over TLS to an upstream whose certificate is wrong; gives the error. */
async function untrusted(tls: { readonly key: string; readonly cert: string }, trust: readonly string[]) {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering(() => plain("ok")), tls);
  const client = async (proxyPort: number) => {
    const options = { ca: rig.authority.certificatePem, servername: "localhost" };
    await using raw = await RawSocket.tlsTunnel(proxyPort, `localhost:${upstream.port}`, options);
    raw.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    return await raw.rest();
  };
  match(await both(rig, client, { trust }), /^HTTP\/1\.1 502 /);
  const error = rig.steps()[0]?.error;
  return `${error?.phase} ${error?.code}`;
}

Deno.test("an upstream of an unknown authority is recorded as a failure of tls", async () => {
  const { keyPem, certPem } = world.leafFor("localhost");
  equal(await untrusted({ key: keyPem, cert: certPem }, []), "tls UNABLE_TO_VERIFY_LEAF_SIGNATURE");
});

Deno.test("an upstream with another's certificate is recorded as a failure of tls", async () => {
  const { keyPem, certPem } = world.leafFor("other.test");
  const found = await untrusted({ key: keyPem, cert: certPem }, [world.certificatePem]);
  equal(found, "tls ERR_TLS_CERT_ALTNAME_INVALID");
});

Deno.test("an upstream with an expired certificate is recorded as a failure of tls", async () => {
  const old = createAuthority(new Date(Date.now() - 800 * 24 * 60 * 60 * 1000));
  const { keyPem, certPem } = old.leafFor("localhost");
  const found = await untrusted({ key: keyPem, cert: certPem }, [old.certificatePem]);
  equal(found, "tls CERT_HAS_EXPIRED");
});

Deno.test("an upstream that hangs up in the TLS handshake is recorded as a failure of tls", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(async (connection) => {
    await connection.take((bytes) => bytes.length > 0 ? bytes.length : null);
    connection.socket.destroy();
  });
  const client = async (proxyPort: number) => {
    const options = { ca: rig.authority.certificatePem, servername: "localhost" };
    await using raw = await RawSocket.tlsTunnel(proxyPort, `localhost:${upstream.port}`, options);
    raw.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    return await raw.rest();
  };
  match(await both(rig, client), /^HTTP\/1\.1 502 /);
  deepEqual([rig.steps()[0]?.error?.phase, rig.steps()[0]?.error?.code], ["tls", "ECONNRESET"]);
});

const beforeHead: Record<string, string> = {
  "before the head": "",
  "in the head": "HTTP/1.1 200 OK\r\nContent-Le",
  "with nonsense for a head": "220 smtp.test ready\r\n",
  "with a status below 100": "HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n",
  "with a control character in its reason": "HTTP/1.1 200 O\x01K\r\nContent-Length: 0\r\n\r\n",
  "with a protocol that nobody asked for":
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
};

for (const [where, bytes] of Object.entries(beforeHead)) {
  Deno.test(`an upstream that breaks off ${where} is recorded as a failure of read`, async () => {
    await using rig = new Rig();
    await using upstream = await startUpstream(async (connection) => {
      await connection.request();
      if (bytes !== "") connection.send(bytes);
      connection.socket.end();
    });
    match(await both(rig, asksOnce(get(upstream.host))), /^HTTP\/1\.1 502 .*x-agrepl: upstream-error/s);
    const { error } = rig.steps()[0] ?? {};
    equal(error?.phase, "read");
    match(error?.code ?? "", /^(?:ECONNRESET|EPROTO|ERR_HTTP1_INVALID_RESPONSE)$/);
  });
}

/** What an upstream sends before it breaks off, and how it does that. */
const inBody: Record<string, readonly [head: string, end: (socket: net.Socket) => void]> = {
  "a body that is shorter than its length": ["Content-Length: 10\r\n\r\nshort", (socket) => socket.end()],
  "chunks without an end": ["Transfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n", (socket) => socket.end()],
  "a reset in the body": ["Content-Length: 10\r\n\r\nshort", (socket) => socket.resetAndDestroy()],
};

for (const [what, [head, end]] of Object.entries(inBody)) {
  Deno.test(`an upstream that sends ${what} breaks the client's connection, and so does a replay`, async () => {
    await using rig = new Rig();
    const script: Script = async (connection) => {
      await connection.request();
      connection.send(`HTTP/1.1 200 OK\r\n${head}`);
      await new Promise((resolve) => setTimeout(resolve, 20)); // a reset overtakes what was sent just before
      end(connection.socket);
    };
    await using upstream = await startUpstream(script);
    const answer = await both(rig, asksOnce(get(upstream.host)));
    match(answer, /short(?:\r\n)?$/);
    const { response } = rig.steps()[0] ?? {};
    deepEqual([response?.body, response?.end], [{ text: "short" }, "upstream_reset"]);
  });
}

Deno.test("an upstream that refuses a large body and resets leaves the whole request in the step", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(async (connection) => {
    await connection.requestHead();
    connection.send(plain("no", "HTTP/1.1 413 Content Too Large\r\n"));
    await new Promise((resolve) => setTimeout(resolve, 20)); // a reset overtakes what was sent just before
    connection.socket.resetAndDestroy();
  });
  const ask = post(upstream.host, "/", "x".repeat(8_000_000));
  const answer = await both(rig, async (proxyPort) => {
    await using client = await RawSocket.connect(proxyPort);
    const sent = new Promise((resolve) => client.socket.write(ask, resolve));
    const [early] = await Promise.all([client.response(), sent]);
    const [next = ""] = await askOn(client, [get(upstream.host, "/next")]); // so the proxy has read all before it
    return early + next.slice(0, 12);
  });
  match(answer, /^HTTP\/1\.1 413 .*noHTTP\/1\.1 413/s);
  equal(rig.steps()[0]?.optional, undefined);
});

Deno.test("connections to an upstream are kept and used again by other clients", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering(() => plain("ok")));
  await rig.record(async (proxyPort) => {
    for (const path of ["/a", "/b", "/c"]) await asks(get(upstream.host, path))(proxyPort);
  });
  equal(upstream.connections, 1);
});

/** An upstream that closes each connection when the second request comes on it. */
function startStale() {
  return startUpstream(async (connection) => {
    await connection.request();
    connection.send(plain("ok"));
    await connection.requestHead();
    connection.socket.resetAndDestroy();
  });
}

Deno.test("a kept connection that turns out closed costs a request without a body nothing", async () => {
  await using rig = new Rig();
  await using upstream = await startStale();
  const [, second = ""] = await rig.record(asks(get(upstream.host, "/1"), get(upstream.host, "/2")));
  match(second, /^HTTP\/1\.1 200 /);
  equal(upstream.connections, 2);
});

Deno.test("a request with a body is never sent twice", async () => {
  await using rig = new Rig();
  await using upstream = await startStale();
  const [, second = ""] = await rig.record(asks(get(upstream.host, "/1"), post(upstream.host, "/2", "once")));
  match(second, /^HTTP\/1\.1 502 /);
  equal(upstream.connections, 1);
  ok(rig.steps()[1]?.error?.code === "ECONNRESET");
});
