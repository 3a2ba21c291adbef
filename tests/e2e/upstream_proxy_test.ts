/** A proxy between agrepl and the world: asked for what the environment says, told its credentials, named when it fails. */
import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { type LiveRequest, UpstreamError } from "../../lib/engine/mod.ts";
import { NetworkUpstream, proxiesOf } from "../../lib/upstream/mod.ts";
import { Http2Peer, http2Trust, startHttp2 } from "../support/http2_peers.ts";
import { startProxy } from "../support/raw_proxy.ts";
import { startSecure, worldTrust } from "../support/raw_tls.ts";
import { answering, plain, startUpstream } from "../support/raw_upstream.ts";
import { Rig } from "../support/rig.ts";

const silent = { sendContinue() {}, sendInformation() {} };
const never = new AbortController().signal;

/** Asks once, with the proxies that an environment names; gives the body. */
async function ask(url: string, environment: Record<string, string>, connectLimitMs = 5000): Promise<string> {
  using upstream = new NetworkUpstream({ trust: [worldTrust], proxies: proxiesOf(environment), connectLimitMs });
  const headers = [["Host", new URL(url).host]] as const;
  const request: LiveRequest = {
    method: "GET",
    url,
    httpVersion: "1.1",
    headers,
    body: null,
    trailers: () => [],
    expectsContinue: false,
  };
  const response = await upstream.exchange(request, silent, never);
  let text = "";
  for await (const bytes of response.body) text += new TextDecoder().decode(bytes);
  return `${response.status} ${text}`;
}

/** Asks and wants a failure: its phase and code; checks that it names the proxy and no credentials. */
async function failure(url: string, proxyHost: string, connectLimitMs?: number): Promise<string> {
  let found: unknown;
  await rejects(ask(url, { all_proxy: `http://me:hidden@${proxyHost}` }, connectLimitMs), (error: unknown) => {
    found = error;
    return true;
  });
  ok(found instanceof UpstreamError);
  ok(found.message.startsWith(`the proxy ${proxyHost}`), found.message);
  ok(!/hidden|bWU6|me:/.test(found.message), found.message);
  return `${found.phase} ${found.code}: ${found.message}`;
}

Deno.test("plain HTTP goes to the proxy in absolute-form, with its credentials and the client's headers", async () => {
  await using origin = await startUpstream(answering((request) => plain(String(/^x-forwarded/im.test(request)))));
  await using proxy = await startProxy({ credentials: "me:p@ss" });
  const url = `http://${origin.host}/a?b=c`;
  equal(await ask(url, { HTTP_PROXY: `http://me:p%40ss@${proxy.host}` }), "200 true");
  match(proxy.heads[0] ?? "", new RegExp(`^GET ${url.replace("?", "\\?")} HTTP/1.1\r\nHost: ${origin.host}\r\n`));
});

Deno.test("TLS goes through a tunnel, and the origin's certificate is what counts", async () => {
  await using origin = await startSecure(answering((request) => plain(String(/proxy/i.test(request)))));
  await using proxy = await startProxy({ credentials: "me:p@ss" });
  const authority = `localhost:${origin.port}`;
  equal(await ask(`https://${authority}/`, { https_proxy: `http://me:p%40ss@${proxy.host}` }), "200 false");
  deepEqual(proxy.heads, [
    `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\nProxy-Authorization: Basic ${btoa("me:p@ss")}\r\n`,
  ]);
  await using impostor = await startSecure(answering(() => plain("ok")), "other.test");
  const asked = ask(`https://localhost:${impostor.port}/`, { https_proxy: `http://me:p%40ss@${proxy.host}` });
  await rejects(asked, { phase: "tls", code: "ERR_TLS_CERT_ALTNAME_INVALID" });
});

Deno.test("what NO_PROXY names goes out directly, and loopback does not unless it is named", async () => {
  await using origin = await startUpstream(answering(() => plain("ok")));
  await using proxy = await startProxy();
  const environment = { HTTP_PROXY: proxy.host };
  await ask(`http://${origin.host}/`, { ...environment, NO_PROXY: "127.0.0.0/8" });
  equal(proxy.connections, 0);
  await ask(`http://${origin.host}/`, environment);
  equal(proxy.heads.length, 1);
});

for (const scheme of ["http", "https"]) {
  Deno.test(`a proxy that wants other credentials is a failure of connect when the origin is ${scheme}`, async () => {
    await using proxy = await startProxy({ credentials: "me:other" });
    match(await failure(`${scheme}://localhost:9/`, proxy.host), /^connect ERR_PROXY_AUTH: .*407/);
  });

  Deno.test(`a proxy that refuses the connection is named when the origin is ${scheme}`, async () => {
    const proxy = await startProxy();
    await proxy[Symbol.asyncDispose]();
    match(await failure(`${scheme}://localhost:9/`, proxy.host), /^connect ECONNREFUSED: /);
  });
}

const answers: Record<string, readonly [answer: string, failure: RegExp]> = {
  "with 403": [
    "HTTP/1.1 403 Not on my watch\r\nContent-Length: 2\r\n\r\nno",
    /ERR_PROXY_TUNNEL: .*403 Not on my watch/,
  ],
  "with nonsense": ["SSH-2.0-x\r\n\r\n", /ERR_PROXY_PROTOCOL: .*not HTTP/],
  "and speaks before the client": ["HTTP/1.1 200 OK\r\n\r\nhello", /ERR_PROXY_PROTOCOL: .*sent 5 bytes/],
};

for (const [how, [answer, expected]] of Object.entries(answers)) {
  Deno.test(`a proxy that answers a CONNECT ${how} is a failure of connect`, async () => {
    await using proxy = await startProxy({ answer });
    match(await failure("https://api.test/", proxy.host), expected);
  });
}

Deno.test("a proxy that hangs up on a CONNECT, or never answers it, is a failure of connect", async () => {
  await using hanging = await startUpstream((connection) => void connection.socket.end());
  match(await failure("https://api.test/", hanging.host), /^connect (?:ERR_PROXY_PROTOCOL|ECONNRESET): /);
  await using silentProxy = await startUpstream(() => {});
  match(await failure("https://api.test/", silentProxy.host, 100), /^connect ETIMEDOUT: .* after 0\.1 s/);
});

Deno.test("a proxy that cannot reach the origin tells the client by its own answer to plain HTTP", async () => {
  await using proxy = await startUpstream(answering(() => plain("no way", "HTTP/1.1 504 Gateway Timeout\r\n")));
  equal(await ask("http://api.test/", { http_proxy: proxy.host }), "504 no way");
});

Deno.test("HTTP/2 goes through a tunnel as well: what the origin speaks is asked there, once", async () => {
  await using origin = await startHttp2((stream) => {
    stream.respond({ ":status": 200 });
    stream.end("over two hops");
  });
  await using proxy = await startProxy({ credentials: "me:p@ss" });
  await using rig = new Rig();
  const proxies = proxiesOf({ https_proxy: `http://me:p%40ss@${proxy.host}` });
  const bodies = await rig.both(async (port) => {
    await using peer = await Http2Peer.connect(rig, port, origin.host);
    return [(await peer.ask({ path: "/a" })).body, (await peer.ask({ path: "/b" })).body];
  }, { trust: [http2Trust], proxies });
  deepEqual(bodies, ["over two hops", "over two hops"]);
  deepEqual(proxy.heads.map((head) => head.split("\r\n")[0]), [`CONNECT ${origin.host} HTTP/1.1`]);
  ok(!rig.stored().includes(btoa("me:p@ss")));
});
