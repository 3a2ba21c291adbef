/** HTTP/2 on both sides: recorded as it was, replayed as it was, and never as HTTP/1.1. */
import { Buffer } from "node:buffer";
import { deepEqual, equal, match, ok } from "node:assert/strict";
import http2 from "node:http2";
import { Http2Session, type Http2Stream } from "../../lib/wire/mod.ts";
import { answerOf, http2Certificate, Http2Peer, http2Trust, startHttp2 } from "../support/http2_peers.ts";
import { RawSocket } from "../support/raw_socket.ts";
import { startSecure, worldTrust } from "../support/raw_tls.ts";
import { answering, plain, startUpstream } from "../support/raw_upstream.ts";
import { assertFaithful, Rig } from "../support/rig.ts";

const trust = [http2Trust];

Deno.test("an HTTP/2 exchange is recorded with headers, repeats and trailers, and replayed as it was", async () => {
  await using origin = await startHttp2((stream, headers) => {
    stream.additionalHeaders({ ":status": 103, link: "</a>; rel=preload" });
    stream.respond({
      ":status": 200,
      "content-type": "text/plain",
      "x-part": ["1", "2"],
      "x-path": headers[":path"],
    }, {
      waitForTrailers: true,
    });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0", "grpc-message": "fine" }));
    stream.end("hello");
  });
  await using rig = new Rig();
  const answer = await rig.both(async (port) => {
    await using peer = await Http2Peer.connect(rig, port, origin.host);
    const { headers, ...rest } = await peer.ask({
      path: "/x?a=1",
      headers: { te: "trailers", cookie: ["c=3", "d=4"] },
    });
    return { ...rest, headers: headers.filter((_, index) => headers[index - index % 2] !== "date"), interim: [] };
  }, { trust });
  equal(answer.body, "hello");
  deepEqual(answer.trailers, ["grpc-status", "0", "grpc-message", "fine"]);
  const [step] = rig.steps();
  deepEqual([step?.request.httpVersion, step?.response?.httpVersion], ["2", "2"]);
  deepEqual(step?.response?.headers.filter(([name]) => name === "x-part").length, 2);
  deepEqual(step?.request.headers.map(([name]) => name).filter((name) => name.startsWith(":")), []);
});

Deno.test("an interim answer reaches the client of HTTP/2 while it is recorded", async () => {
  await using origin = await startHttp2((stream) => {
    stream.additionalHeaders({ ":status": 103, link: "</a>; rel=preload" });
    stream.respond({ ":status": 204 }, { endStream: true });
  });
  await using rig = new Rig();
  const answer = await rig.record(async (port) => {
    await using peer = await Http2Peer.connect(rig, port, origin.host);
    return await peer.ask({ path: "/" });
  }, { trust });
  deepEqual(answer.interim, [103]);
});

Deno.test("fifty streams of one connection are answered in any order, each with its own answer", async () => {
  await using origin = await startHttp2((stream, headers, index) => {
    setTimeout(() => {
      stream.respond({ ":status": 200 });
      stream.write(`${headers[":path"]} `);
      stream.end("x".repeat(1000 * (index % 7)));
    }, (50 - index % 50) / 2);
  });
  await using rig = new Rig();
  const bodies = await rig.both(async (port) => {
    await using peer = await Http2Peer.connect(rig, port, origin.host);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => peer.ask({ path: `/${index}`, method: "POST", body: `body ${index}` })),
    );
    return answers.map(({ body }) => body);
  }, { trust });
  ok(bodies.every((body, index) => body.startsWith(`/${index} `)));
  equal(origin.sessions, 1);
});

Deno.test("a body of 8 MiB goes both ways over HTTP/2 through windows of 64 KiB", async () => {
  const sent = Buffer.alloc(8 * 1024 * 1024, "0123456789abcdef_");
  await using origin = await startHttp2((stream) => {
    stream.respond({ ":status": 200 });
    stream.pipe(stream);
  });
  await using rig = new Rig();
  const same = await rig.both(async (port) => {
    await using peer = await Http2Peer.connect(rig, port, origin.host);
    const { body } = await peer.ask({ path: "/", method: "PUT", body: sent });
    return body === sent.toString("latin1");
  }, { trust });
  equal(same, true);
});

Deno.test("a client that reads nothing holds its upstream back, and no other stream of either", async () => {
  let written = 0;
  await using origin = await startHttp2((stream, headers) => {
    stream.respond({ ":status": 200 });
    if (headers[":path"] === "/small") return void stream.end("small");
    const piece = Buffer.alloc(64 * 1024);
    const more = () => {
      while (written < 64 * 1024 * 1024 && stream.write(piece)) written += piece.length;
    };
    stream.on("drain", more);
    more();
  });
  await using rig = new Rig();
  await rig.record(async (port) => {
    await using peer = await Http2Peer.connect(rig, port, origin.host);
    const large = peer.begin({ path: "/large" });
    await new Promise((resolve) => large.once("response", resolve));
    large.pause();
    await new Promise((resolve) => setTimeout(resolve, 300)); // until all buffers are full: nothing tells when
    const { body } = await peer.ask({ path: "/small" });
    equal(body, "small");
    ok(written < 16 * 1024 * 1024, `${written} bytes were taken from the upstream`);
    large.close(http2.constants.NGHTTP2_CANCEL);
  }, { trust, goneMs: 0 });
});

/** What Node's server would not send: made of our own frames. */
function startMade(script: (stream: Http2Stream) => void) {
  return startUpstream((connection) => {
    const session = new Http2Session({
      role: "server",
      write: (bytes) => connection.send(bytes),
      onStream: script,
      onEnd: () => {},
      streamLimit: 10,
      streamWindowBytes: 65_535,
    });
    connection.socket.on("data", (bytes: Uint8Array) => session.receive(bytes, performance.now()));
    session.receive(connection.received, performance.now());
  }, { ...http2Certificate, ALPNProtocols: ["h2"] });
}

const breaks: Readonly<Record<string, number>> = { CANCEL: 8, INTERNAL_ERROR: 2, ENHANCE_YOUR_CALM: 11 };

for (const [name, code] of Object.entries(breaks)) {
  Deno.test(`a stream that its upstream breaks off with ${name} is broken off with it at replay`, async () => {
    await using origin = await startMade((stream) => {
      stream.sendHeaders([[":status", "200"]], false);
      stream.sendData(Buffer.from("half"));
      stream.reset(code);
    });
    await using rig = new Rig();
    const answer = await rig.both(async (port) => {
      await using peer = await Http2Peer.connect(rig, port, `localhost:${origin.port}`);
      const { body, code } = await peer.ask({ path: "/" });
      return { body, code };
    }, { trust });
    deepEqual(answer, { body: "half", code });
    const [step] = rig.steps();
    deepEqual([step?.response?.end, step?.response?.resetCode], ["upstream_reset", code]);
  });
}

Deno.test("a stream that is broken off before its head is broken off so for its client, recorded and replayed", async () => {
  await using origin = await startMade((stream) => stream.reset(http2.constants.NGHTTP2_REFUSED_STREAM));
  await using rig = new Rig();
  const code = await rig.both(async (port) => {
    await using peer = await Http2Peer.connect(rig, port, `localhost:${origin.port}`);
    return (await peer.ask({ path: "/", method: "POST", body: "x" })).code;
  }, { trust });
  equal(code, http2.constants.NGHTTP2_REFUSED_STREAM);
  const { error } = rig.steps()[0] ?? {};
  deepEqual([error?.phase, error?.code, error?.resetCode], ["read", "ERR_HTTP2_REFUSED_STREAM", 7]);
});

Deno.test("a client that breaks its stream off leaves a whole step, and the other streams alone", async () => {
  await using origin = await startHttp2((stream, headers) => {
    stream.respond({ ":status": 200 });
    stream.write("first");
    setTimeout(() => stream.end(headers[":path"]), 50);
  });
  await using rig = new Rig();
  await rig.record(async (port) => {
    await using peer = await Http2Peer.connect(rig, port, origin.host);
    const given = peer.begin({ path: "/up" });
    given.once("data", () => given.close(http2.constants.NGHTTP2_CANCEL));
    const kept = peer.ask({ path: "/kept" });
    equal((await kept).body, "first/kept");
  }, { trust });
  const steps = rig.steps();
  deepEqual(steps.map(({ response }) => response?.end), ["client_closed", "complete"]);
  deepEqual(steps[0]?.response?.body, { text: "first/up" });
});

Deno.test("requests go on over another connection when their origin says goodbye", async () => {
  await using origin = await startHttp2((stream, _headers, index) => {
    stream.respond({ ":status": 200 });
    if (index === 0) stream.session?.goaway(0);
    stream.end(`answer ${index}`);
  });
  await using rig = new Rig();
  const bodies = await rig.both(async (port) => {
    await using peer = await Http2Peer.connect(rig, port, origin.host);
    const first = await peer.ask({ path: "/0" });
    await new Promise((resolve) => setTimeout(resolve, 20)); // the goodbye may come after the answer
    return [first.body, (await peer.ask({ path: "/1" })).body];
  }, { trust });
  deepEqual(bodies, ["answer 0", "answer 1"]);
  equal(origin.sessions, 2);
});

Deno.test("an answer that is all head says so on its head, recorded and replayed, at any pace", async () => {
  await using origin = await startHttp2((stream) => {
    stream.respond({ ":status": 200, "content-type": "application/grpc", "grpc-status": "5" }, { endStream: true });
  });
  await using rig = new Rig();
  const client = async (port: number) => {
    await using peer = await Http2Peer.connect(rig, port, origin.host);
    return (await peer.ask({ path: "/", method: "POST", body: "x" })).endedWithHead;
  };
  equal(await rig.both(client, { trust }), true);
  const { value, outcome } = await rig.replay(client, { pace: 1 });
  equal(value, true);
  assertFaithful(outcome);
});

Deno.test("headers of 100 KB, and two hundred of them, pass through in order", async () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x-many-${index}`, `value ${index}`]));
  await using origin = await startHttp2((stream) => {
    stream.respond({ ":status": 200, "x-large": "y".repeat(50_000), ...many });
    stream.end("ok");
  });
  await using rig = new Rig();
  const headers = await rig.both(async (port) => {
    await using peer = await Http2Peer.connect(rig, port, origin.host, { maxHeaderListPairs: 1000 } as object);
    return (await peer.ask({ path: "/", headers: { "x-own": "z".repeat(40_000) } })).headers.join("\n");
  }, { trust });
  match(headers, /x-large\ny{50000}\nx-many-0\nvalue 0\nx-many-1\n/);
});

Deno.test("trailers of a request reach the origin and the trace", async () => {
  const seen: unknown[] = [];
  await using origin = await startHttp2((stream) => {
    stream.on("trailers", (trailers) => seen.push(trailers["x-sum"]));
    stream.resume().on("end", () => {
      stream.respond({ ":status": 200 });
      stream.end("ok");
    });
  });
  await using rig = new Rig();
  await rig.both(async (port) => {
    await using peer = await Http2Peer.connect(rig, port, origin.host);
    return (await peer.ask({ path: "/", method: "POST", body: "abc", trailers: { "x-sum": "6" } })).body;
  }, { trust });
  deepEqual(seen, ["6"]);
  deepEqual(rig.steps()[0]?.request.trailers, [["x-sum", "6"]]);
});

for (const method of ["HEAD", "GET"]) {
  Deno.test(`a ${method} over HTTP/2 whose answer has no body keeps its headers`, async () => {
    await using origin = await startHttp2((stream) => {
      stream.respond({ ":status": method === "HEAD" ? 200 : 304, etag: '"a"', "content-length": 10 }, {
        endStream: true,
      });
    });
    await using rig = new Rig();
    const { headers, body } = await rig.both(async (port) => {
      await using peer = await Http2Peer.connect(rig, port, origin.host);
      return await peer.ask({ path: "/", method });
    }, { trust });
    equal(body, "");
    ok(headers.includes('"a"'));
  });
}

Deno.test("a client that offers both is given HTTP/1.1 by an origin that speaks nothing else", async () => {
  await using origin = await startSecure(async (connection) => {
    while (!connection.ended) {
      match(await connection.request(), / HTTP\/1\.1\r\n/);
      connection.send(plain("one"));
    }
  });
  await using rig = new Rig();
  const client = async (port: number) => {
    await using client = await RawSocket.tlsTunnel(port, `localhost:${origin.port}`, {
      ca: rig.authority.certificatePem,
      servername: "localhost",
      ALPNProtocols: ["h2", "http/1.1"],
    });
    client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return await client.response();
  };
  match(await rig.both(client, { trust: [worldTrust] }), /one$/);
  equal(origin.connections, 1); // the one that was asked what it speaks
});

/** Asks over HTTP/1.1, whatever else there is. */
function askHttp1(rig: Rig, port: number, host: string): Promise<string> {
  return askOffering(["http/1.1"], rig, port, host);
}

/** Offers both, and is given HTTP/1.1. */
function askEither(rig: Rig, port: number, host: string): Promise<string> {
  return askOffering(["h2", "http/1.1"], rig, port, host);
}

async function askOffering(offers: string[], rig: Rig, port: number, host: string): Promise<string> {
  await using client = await RawSocket.tlsTunnel(port, host, {
    ca: rig.authority.certificatePem,
    servername: "localhost",
    ALPNProtocols: offers,
  });
  client.send(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  return await client.response();
}

Deno.test("what was recorded over HTTP/2 is a miss over HTTP/1.1, which says why", async () => {
  await using origin = await startHttp2((stream) => {
    stream.respond({ ":status": 200 });
    stream.end("two");
  });
  await using rig = new Rig();
  await rig.record(async (port) => {
    await using peer = await Http2Peer.connect(rig, port, origin.host);
    await peer.ask({ path: "/" });
  }, { trust });
  const { value, outcome } = await rig.replay((port) => askHttp1(rig, port, origin.host));
  match(value, /^HTTP\/1\.1 502 [^]*what differs: protocol/);
  deepEqual(outcome.misses.map(({ miss }) => miss.nearest[0]?.changes), [[
    { field: "protocol", recorded: "HTTP/2", asked: "HTTP/1.1" },
  ]]);
});

Deno.test("an origin that cannot be reached is told of in the client's first choice, at replay too", async () => {
  await using rig = new Rig();
  const body = await rig.both(async (port) => {
    await using peer = await Http2Peer.connect(rig, port, "localhost:1");
    return (await peer.ask({ path: "/" })).body;
  });
  match(body, /"phase":"connect","code":"ECONNREFUSED"/);
});

Deno.test("HTTP/2 without TLS in a tunnel is recorded and replayed", async () => {
  await using origin = await startHttp2((stream, headers) => {
    stream.respond({ ":status": 200 });
    stream.end(`plain ${headers[":path"]}`);
  }, false);
  await using rig = new Rig();
  const body = await rig.both(async (port) => {
    await using peer = await Http2Peer.connectPlain(port, origin.host);
    return (await peer.ask({ path: "/h2c", method: "POST", body: "x" })).body;
  });
  equal(body, "plain /h2c");
  equal(rig.steps()[0]?.request.url, `http://${origin.host}/h2c`);
});

Deno.test("an authority other than the tunnel's stands as a host header, and reaches the origin", async () => {
  await using origin = await startHttp2((stream, headers) => {
    stream.respond({ ":status": 200 });
    stream.end(headers[":authority"]);
  });
  await using rig = new Rig();
  const body = await rig.both(async (port) => {
    await using peer = await Http2Peer.connect(rig, port, origin.host);
    return await answerOf(peer.begin({ path: "/", headers: { ":authority": "other.test" } })).then(({ body }) => body);
  }, { trust });
  equal(body, "other.test");
  deepEqual(rig.steps()[0]?.request.headers[0], ["host", "other.test"]);
});

for (const [what, sent] of Object.entries({ shorter: "abc", longer: "abcdefg" })) {
  Deno.test(`a body ${what} than its content-length breaks the client's stream off, at replay too`, async () => {
    await using origin = await startMade((stream) => {
      stream.sendHeaders([[":status", "200"], ["content-length", "5"]], false);
      stream.sendData(Buffer.from(sent));
      stream.end([]);
    });
    await using rig = new Rig();
    const code = await rig.both(async (port) => {
      await using peer = await Http2Peer.connect(rig, port, `localhost:${origin.port}`);
      return (await peer.ask({ path: "/" })).code;
    }, { trust });
    equal(code, http2.constants.NGHTTP2_PROTOCOL_ERROR);
    equal(rig.steps()[0]?.response?.end, "upstream_reset");
  });
}

Deno.test("an exchange that waits for a stream of its origin's is given up when the run ends", async () => {
  await using origin = await startUpstream((connection) => {
    // no streams at all, then silence
    connection.send(Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0]));
  }, { ...http2Certificate, ALPNProtocols: ["h2"] });
  await using rig = new Rig();
  await rig.record(async (port) => {
    await using peer = await Http2Peer.connect(rig, port, `localhost:${origin.port}`);
    const asked = peer.begin({ path: "/" });
    await new Promise((resolve) => setTimeout(resolve, 50)); // until it waits: nothing tells
    asked.close(http2.constants.NGHTTP2_CANCEL);
  }, { trust, patienceMs: 100, goneMs: 50 });
  equal(rig.steps()[0]?.error?.code, "CLIENT_CLOSED");
});

Deno.test("a connection that was spoken for blindly ends behind its answer, and the next one is asked for anew", async () => {
  await using rig = new Rig();
  const { keyPem, certPem } = rig.authority.leafFor("localhost");
  let port = 0;
  {
    await using gone = await startUpstream(() => {});
    port = gone.port;
  }
  await rig.record(async (proxyPort) => {
    await using peer = await Http2Peer.connect(rig, proxyPort, `localhost:${port}`);
    const closed = new Promise((resolve) => peer.session.once("close", resolve));
    match((await peer.ask({ path: "/" })).body, /ECONNREFUSED/);
    await closed;
    await using _origin = await startUpstream(answering(() => plain("late")), { key: keyPem, cert: certPem }, port);
    match(await askEither(rig, proxyPort, `localhost:${port}`), /late$/);
  }, { trust: [rig.authority.certificatePem] });
});

Deno.test("a connection that was made to ask what its origin speaks answers nobody with what came unasked", async () => {
  const said = Promise.withResolvers<void>();
  await using origin = await startSecure(async (connection, index) => {
    if (index === 0) {
      connection.send("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      return said.resolve();
    }
    while (!connection.ended) {
      await connection.request();
      connection.send(plain("asked"));
    }
  });
  await using rig = new Rig();
  const answer = await rig.record(async (port) => {
    const host = `localhost:${origin.port}`;
    const options = { ca: rig.authority.certificatePem, servername: "localhost", ALPNProtocols: ["h2", "http/1.1"] };
    {
      await using _silent = await RawSocket.tlsTunnel(port, host, options);
      await said.promise;
      await new Promise((resolve) => setTimeout(resolve, 20)); // until it has been read: nothing tells
    }
    return await askEither(rig, port, host);
  }, { trust: [worldTrust] });
  match(answer, /asked$/);
});

Deno.test("an origin that breaks the rules of HTTP/2 is told of as such", async () => {
  await using origin = await startUpstream((connection) => {
    connection.send(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 4, 5, 4, 0, 0, 0, 1, 0, 0, 0, 2]));
  }, { ...http2Certificate, ALPNProtocols: ["h2"] });
  await using rig = new Rig();
  const body = await rig.both(async (port) => {
    await using peer = await Http2Peer.connect(rig, port, `localhost:${origin.port}`);
    return (await peer.ask({ path: "/" })).body;
  }, { trust });
  match(body, /"code":"ERR_HTTP2_PROTOCOL_ERROR".*it broke the rules of HTTP\/2: a push/);
});
