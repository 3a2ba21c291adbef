/** What comes through CONNECT: TLS by name, by address and without a name, and plain HTTP. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import type tls from "node:tls";
import { createAuthority } from "../../lib/proxy/mod.ts";
import { askOn, bodyOf } from "../support/raw_client.ts";
import { RawSocket } from "../support/raw_socket.ts";
import { answering, plain, startUpstream } from "../support/raw_upstream.ts";
import { Rig } from "../support/rig.ts";

const world = createAuthority();
const trust = [world.certificatePem];

/** A TLS upstream that says which name it was asked for. */
function startSecure(name: string) {
  const { keyPem, certPem } = world.leafFor(name);
  return startUpstream(answering(() => plain(`hello from ${name}`)), { key: keyPem, cert: certPem });
}

/** A client that asks twice on one TLS connection in a tunnel. */
function secureClient(rig: Rig, authority: string, options: tls.ConnectionOptions) {
  return async (proxyPort: number) => {
    const ca = rig.authority.certificatePem;
    await using client = await RawSocket.tlsTunnel(proxyPort, authority, { ca, ...options });
    const ask = `GET /a HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;
    return await askOn(client, [ask, ask]);
  };
}

Deno.test("TLS by name is recorded and replayed, over connections that are kept on both sides", async () => {
  await using rig = new Rig();
  await using upstream = await startSecure("localhost");
  const authority = `localhost:${upstream.port}`;
  const answers = await rig.both(secureClient(rig, authority, { servername: "localhost" }), { trust });
  deepEqual(answers.map(bodyOf), ["hello from localhost", "hello from localhost"]);
  equal(upstream.connections, 1);
  equal(rig.steps()[0]?.request.url, `https://${authority}/a`);
});

Deno.test("TLS to an address gets a certificate for the address, with a name in the hello or without", async () => {
  await using rig = new Rig();
  await using upstream = await startSecure("127.0.0.1");
  const answers = await rig.both(secureClient(rig, upstream.host, { host: "127.0.0.1" }), { trust });
  deepEqual(answers.map(bodyOf), ["hello from 127.0.0.1", "hello from 127.0.0.1"]);
});

Deno.test("TLS without a name in the hello gets a certificate for the name of the CONNECT", async () => {
  await using rig = new Rig();
  await using upstream = await startSecure("localhost");
  const names: (string | undefined)[] = [];
  const checkServerIdentity = (_name: string, certificate: tls.PeerCertificate) => {
    names.push(certificate.subjectaltname);
    return undefined;
  };
  const client = secureClient(rig, `localhost:${upstream.port}`, { servername: "", checkServerIdentity });
  await rig.both(client, { trust });
  deepEqual(names, ["DNS:localhost", "DNS:localhost"]);
});

Deno.test("the upstream's certificate must fit the URL, whatever the Host header says", async () => {
  await using rig = new Rig();
  await using upstream = await startSecure("other.test");
  const client = async (proxyPort: number) => {
    const options = { ca: rig.authority.certificatePem, servername: "localhost" };
    await using raw = await RawSocket.tlsTunnel(proxyPort, `localhost:${upstream.port}`, options);
    return await askOn(raw, ["GET / HTTP/1.1\r\nHost: other.test\r\n\r\n"]);
  };
  const [answer = ""] = await rig.both(client, { trust });
  match(answer, /^HTTP\/1\.1 502 .*ERR_TLS_CERT_ALTNAME_INVALID/s);
});

Deno.test("plain HTTP in a tunnel is recorded under the tunnel's origin", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering(() => plain("plain")));
  const client = async (proxyPort: number) => {
    await using raw = await RawSocket.tunnel(proxyPort, upstream.host);
    return await askOn(raw, [`GET /x HTTP/1.1\r\nHost: elsewhere.test\r\n\r\n`]);
  };
  const [answer = ""] = await rig.both(client);
  equal(bodyOf(answer), "plain");
  equal(rig.steps()[0]?.request.url, `http://${upstream.host}/x`);
});

Deno.test("a tunnel whose first bytes come with the CONNECT, or one by one, is read all the same", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering(() => plain("plain")));
  const { host } = upstream;
  const ask = `GET /x HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const client = async (proxyPort: number) => {
    await using raw = await RawSocket.connect(proxyPort);
    raw.send(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n${ask}`);
    await raw.take((bytes) => bytes.length < 39 ? null : 39);
    const first = await raw.response();
    for (const char of ask) raw.send(char);
    return [first, await raw.response()];
  };
  deepEqual((await rig.both(client)).map(bodyOf), ["plain", "plain"]);
});

Deno.test("a TLS client that does not trust the authority is reported, with the name it called itself", async () => {
  await using rig = new Rig();
  await rig.record(async (proxyPort) => {
    await RawSocket.tlsTunnel(proxyPort, "api.test:443", { servername: "api.test" }).then(() => ok(false), () => {});
    await rig.notice();
  });
  const [notice] = rig.notices;
  deepEqual(notice?.kind === "tls" ? [notice.host, notice.code] : notice, [
    "api.test",
    "ERR_SSL_TLSV1_ALERT_UNKNOWN_CA",
  ]);
  equal(rig.notices.length, 1);
});

Deno.test("a TLS client that looks at the certificate after the handshake, as Node does, is reported as well", async () => {
  await using rig = new Rig();
  await rig.record(async (proxyPort) => {
    const options = { servername: "api.test", ca: rig.authority.certificatePem };
    await (await RawSocket.tlsTunnel(proxyPort, "api.test:443", options))[Symbol.asyncDispose]();
    await rig.notice();
  });
  const [notice] = rig.notices;
  deepEqual(notice?.kind === "tls" ? [notice.host, notice.code] : notice, ["api.test", "ECONNRESET"]);
});

Deno.test("a client that breaks a TLS connection in use, or leaves a tunnel without a word, is no event", async () => {
  await using rig = new Rig();
  await using upstream = await startSecure("localhost");
  const authority = `localhost:${upstream.port}`;
  await rig.record(async (proxyPort) => {
    const silent = await RawSocket.tunnel(proxyPort, authority);
    silent.socket.end();
    await silent.rest();
    const options = { ca: rig.authority.certificatePem, servername: "localhost" };
    const client = await RawSocket.tlsTunnel(proxyPort, authority, options);
    await askOn(client, [`GET /a HTTP/1.1\r\nHost: ${authority}\r\n\r\n`]);
    client.transport.write("no record of TLS");
    await client.rest();
  }, { trust });
  deepEqual(rig.notices, []);
});
