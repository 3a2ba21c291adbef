/** Messages of all shapes, as a client on a bare socket sees them: the same bytes while recording and at replay. */
import { Buffer } from "node:buffer";
import { deepEqual, equal, match, ok } from "node:assert/strict";
import zlib from "node:zlib";
import { asks, bodyOf, get, post } from "../support/raw_client.ts";
import { chunkSizes, RawSocket } from "../support/raw_socket.ts";
import { answering, plain, sendApart, startUpstream } from "../support/raw_upstream.ts";
import { Rig } from "../support/rig.ts";

Deno.test("a recording passes a request's head on in its order and case", async () => {
  await using rig = new Rig();
  let seen = "";
  await using upstream = await startUpstream(answering((request) => {
    seen = request;
    return plain("ok");
  }));
  const { host } = upstream;
  const head = `HOST: ${host}\r\nx-B: 2\r\nX-a: 1\r\nx-b: 3\r\naccept: */*\r\n`;
  await rig.both(asks(`GET http://${host}/p?q=%20a HTTP/1.1\r\n${head}\r\n`));
  equal(seen.replace(/connection: .*\r\n/i, ""), `GET /p?q=%20a HTTP/1.1\r\n${head}\r\n`);
});

Deno.test("a response keeps its reason, its headers' order, case, repeats and latin1 bytes", async () => {
  await using rig = new Rig();
  const head = "HTTP/1.1 203 Caf\xe9 au lait\r\nX-B: 1\r\nx-Rep: a, b\r\nX-a: \xfc\xff\r\nX-rep: c\r\n";
  await using upstream = await startUpstream(answering(() => plain("ok", head)));
  const [answer = ""] = await rig.both(asks(get(upstream.host)));
  ok(answer.startsWith(head), answer);
});

Deno.test("HEAD, 204 and 304 keep a content-length that no body follows", async () => {
  await using rig = new Rig();
  const heads: Record<string, string> = { HEAD: "200 OK", GET: "304 Not Modified", DELETE: "204 No Content" };
  await using upstream = await startUpstream(
    answering((request) => `HTTP/1.1 ${heads[request.split(" ")[0] ?? ""]}\r\nContent-Length: 5\r\nETag: "x"\r\n\r\n`),
  );
  const { host } = upstream;
  const answers = await rig.both(asks(get(host).replace("GET", "HEAD"), get(host), get(host).replace("GET", "DELETE")));
  for (const answer of answers) match(answer, /\r\nContent-Length: 5\r\nETag: "x"\r\n/);
});

Deno.test("the chunks of a response are the reads of the upstream, the same at replay", async () => {
  await using rig = new Rig();
  const pieces = ["5\r\nhello\r\n", "1\r\n!\r\n", "2\r\n\xc3\r\n", "3\r\n\xa4..\r\n", "0\r\n\r\n"].map((piece) =>
    piece.replace("2\r\n\xc3", "1\r\n\xc3")
  );
  await using upstream = await startUpstream(
    answering(() => ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", ...pieces]),
  );
  const [answer = ""] = await rig.both(asks(get(upstream.host)));
  ok(answer.endsWith(pieces.join("")), JSON.stringify(answer));
});

Deno.test("a response's chunks of 200 kB and of one byte are framed at replay as they were while recording", async () => {
  await using rig = new Rig();
  const chunk = (body: Buffer) => Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, crlf]);
  const crlf = Buffer.from("\r\n");
  const large = chunk(Buffer.alloc(200_000, "ab"));
  const head = Buffer.from("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
  await using upstream = await startUpstream(async (connection) => {
    await connection.request();
    await sendApart(connection, [head, large, chunk(Buffer.from("x")), large, Buffer.from("0\r\n\r\n")]);
  });
  const [answer = ""] = await rig.both(asks(get(upstream.host)));
  const sizes = chunkSizes(answer);
  equal(sizes.reduce((sum, size) => sum + size, 0), 400_001);
  ok(sizes.includes(1), String(sizes));
});

Deno.test("trailers of a response arrive, the same at replay", async () => {
  await using rig = new Rig();
  const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n";
  await using upstream = await startUpstream(answering(() => `${head}2\r\nok\r\n0\r\nX-Sum: 9\r\nx-Two: b\r\n\r\n`));
  const [answer = ""] = await rig.both(asks(get(upstream.host)));
  ok(answer.endsWith("0\r\nX-Sum: 9\r\nx-Two: b\r\n\r\n"), answer);
  deepEqual(rig.steps()[0]?.response?.trailers, [["X-Sum", "9"], ["x-Two", "b"]]);
});

Deno.test("a chunked request reaches the upstream chunked, with its trailers, and is recorded whole", async () => {
  await using rig = new Rig();
  let seen = "";
  await using upstream = await startUpstream(answering((request) => {
    seen = request;
    return plain("ok");
  }));
  const { host } = upstream;
  const head = `PUT http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n`;
  await rig.both(asks(`${head}3\r\nabc\r\n2\r\nde\r\n0\r\nX-T: 1\r\n\r\n`));
  ok(bodyOf(seen).endsWith("0\r\nX-T: 1\r\n\r\n"), JSON.stringify(seen));
  equal(bodyOf(seen).replace(/[0-9]\r\n|\r\n/g, "").slice(0, 5), "abcde");
  const { request } = rig.steps()[0] ?? {};
  deepEqual([request?.body, request?.trailers], [{ text: "abcde" }, [["X-T", "1"]]]);
});

for (const method of ["POST", "DELETE", "OPTIONS"]) {
  Deno.test(`a ${method} without a body is sent on as it came, with no framing of its own`, async () => {
    await using rig = new Rig();
    let seen = "";
    await using upstream = await startUpstream(answering((request) => {
      seen = request;
      return plain("ok");
    }));
    await rig.both(asks(get(upstream.host).replace("GET", method)));
    ok(!/content-length|transfer-encoding/i.test(seen), seen);
  });
}

for (
  const [coding, encode] of Object.entries({
    gzip: zlib.gzipSync,
    br: zlib.brotliCompressSync,
    zstd: zlib.zstdCompressSync,
    deflate: zlib.deflateSync,
  })
) {
  Deno.test(`a ${coding} body passes raw, and is stored and replayed raw`, async () => {
    await using rig = new Rig();
    const body = encode(Buffer.from("plain words, ".repeat(50)));
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\n`;
    await using upstream = await startUpstream(
      answering(() => Buffer.from(plain(body.toString("latin1"), head), "latin1")),
    );
    const [answer = ""] = await rig.both(asks(get(upstream.host)));
    equal(bodyOf(answer), body.toString("latin1"));
    deepEqual(rig.steps()[0]?.response?.body, { base64: body.toString("base64") });
  });
}

Deno.test("bytes of every value pass in both directions", async () => {
  await using rig = new Rig();
  const bytes = Array.from({ length: 256 }, (_, value) => String.fromCharCode(value)).join("");
  await using upstream = await startUpstream(
    answering((request) => Buffer.from(plain(bodyOf(request)), "latin1")),
  );
  const [answer = ""] = await rig.both(asks(post(upstream.host, "/echo", bytes)));
  equal(bodyOf(answer), bytes);
});

Deno.test("a body that only the end of its connection delimits is whole, and goes out chunked", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(async (connection) => {
    await connection.request();
    await sendApart(connection, ["HTTP/1.0 200 OK\r\nX-A: 1\r\n\r\none,", "two"]);
    connection.socket.end();
  });
  const [answer = ""] = await rig.both(asks(get(upstream.host)));
  ok(answer.endsWith("4\r\none,\r\n3\r\ntwo\r\n0\r\n\r\n"), answer);
  equal(rig.steps()[0]?.response?.httpVersion, "1.0");
});

Deno.test("a client of HTTP/1.0 gets no chunks: the end of the connection delimits its body", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(
    answering(() => "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"),
  );
  const { host } = upstream;
  const client = async (proxyPort: number) => {
    await using raw = await RawSocket.connect(proxyPort);
    raw.send(`GET http://${host}/ HTTP/1.0\r\n\r\n`);
    return await raw.rest();
  };
  const answer = await rig.both(client);
  ok(!/chunked/i.test(answer) && answer.endsWith("\r\n\r\nok"), answer);
});

Deno.test("interim responses pass while recording, but to no client of HTTP/1.0", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(
    answering(() => `HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n${plain("ok")}`),
  );
  const { host } = upstream;
  const client = (version: string) => async (proxyPort: number) => {
    await using raw = await RawSocket.connect(proxyPort);
    raw.send(`GET http://${host}/ HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    return await raw.rest();
  };
  match(
    await rig.record(client("1.1")),
    /^HTTP\/1\.1 103 Early Hints\r\nLink: <\/a>; rel=preload\r\n\r\nHTTP\/1\.1 200 /,
  );
  match(await rig.record(client("1.0")), /^HTTP\/1\.1 200 /);
});

Deno.test("pipelined requests are answered in their order, and a break ends only what comes after", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(async (connection) => {
    for (let path = ""; path !== "/break";) {
      path = (await connection.request()).split(" ")[1] ?? "";
      if (path === "/slow") await new Promise((resolve) => setTimeout(resolve, 40));
      if (path !== "/break") connection.send(plain(path.repeat(path === "/large" ? 100_000 : 1)));
    }
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbro");
    connection.socket.end();
  });
  const client = async (proxyPort: number) => {
    await using raw = await RawSocket.connect(proxyPort);
    raw.send(["/slow", "/fast", "/large", "/break"].map((path) => get(upstream.host, path)).join(""));
    const whole = [await raw.response(), await raw.response(), await raw.response()];
    return [...whole, await raw.rest()];
  };
  const answers = await rig.both(client);
  deepEqual(answers.map((answer) => bodyOf(answer).slice(0, 6)), ["/slow", "/fast", "/large", "bro"]);
});
