/** Our HTTP/2 against nghttp2, which Deno's and Node's `node:http2` is: it compresses, keeps and counts by itself. */
import { deepEqual, equal } from "node:assert/strict";
import { Buffer } from "node:buffer";
import http2 from "node:http2";
import net, { type AddressInfo, type Socket } from "node:net";
import type { Header } from "../step/mod.ts";
import { Http2Session } from "./http2_session.ts";
import type { Http2Stream } from "./http2_stream.ts";

/** A server of ours on a socket: answers each request by `answer`. */
async function serve(answer: (stream: Http2Stream, headers: readonly Header[]) => void) {
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket.setNoDelay(true).on("error", () => {}));
    const session = new Http2Session({
      role: "server",
      streamLimit: 100,
      streamWindowBytes: 65_535,
      write: (bytes) => void socket.write(bytes),
      onEnd: () => socket.end(),
      onStream: (stream, headers) => {
        stream.listen({ headers() {}, data: (bytes) => stream.consumed(bytes.length), end() {}, reset() {} });
        answer(stream, headers);
      },
    });
    socket.on("data", (bytes: Buffer) => session.receive(bytes, 0));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Answer {
  readonly headers: http2.IncomingHttpHeaders;
  readonly body: string;
  readonly trailers: readonly http2.IncomingHttpHeaders[];
}

/** Asks one request after the other on one connection of `node:http2`; gives the answers' headers and bodies. */
async function asks(
  url: string,
  requests: readonly Record<string, string | string[]>[],
  settings: http2.Settings = {},
) {
  const session = http2.connect(url, { settings });
  const answers: Answer[] = [];
  for (const request of requests) {
    const stream = session.request(request);
    const head = new Promise<http2.IncomingHttpHeaders>((resolve, reject) => {
      stream.once("response", resolve).once("close", () => reject(new RangeError("no answer")));
    });
    const trailers: http2.IncomingHttpHeaders[] = [];
    stream.on("trailers", (headers: http2.IncomingHttpHeaders) => trailers.push(headers));
    const body: Buffer[] = [];
    for await (const piece of stream) body.push(piece);
    answers.push({ headers: await head, body: Buffer.concat(body).toString("latin1"), trailers });
  }
  await new Promise<void>((resolve) => session.close(() => resolve()));
  return answers;
}

const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, at) => 32 + at)).trim();

Deno.test("HpackDecoder reads what nghttp2 has compressed, referred to and dropped from its table", async () => {
  const seen: (readonly Header[])[] = [];
  await using server = await serve((stream, headers) => {
    seen.push(headers.filter(([name]) => name.startsWith("x-")));
    stream.sendHeaders([[":status", "204"]], true);
  });
  const requests = Array.from({ length: 60 }, (_, at) => ({
    "x-same": "the same each time",
    "x-all": printable,
    "x-changes": String(at % 7).repeat(at * 11 % 300),
    "x-long": "long".repeat(at % 5 * 300),
  }));
  await asks(server.url, requests);
  deepEqual(seen, requests.map((request) => Object.entries(request)));
});

for (const headerTableSize of [0, 100, 4096, 65_536]) {
  Deno.test(`nghttp2 takes our headers when it says that it keeps ${headerTableSize} bytes of them`, async () => {
    await using server = await serve((stream, headers) => {
      const path = headers.find(([name]) => name === ":path")?.[1] ?? "";
      stream.sendHeaders([[":status", "200"], ["x-path", path], ["x-all", printable], ["cache-control", "a"]], true);
    });
    const answers = await asks(server.url, [{ ":path": "/1" }, { ":path": "/2" }, { ":path": "/1" }], {
      headerTableSize,
    });
    deepEqual(
      answers.map(({ headers }) => [headers["x-path"], headers["x-all"]]),
      ["/1", "/2", "/1"].map((path) => [path, printable]),
    );
  });
}

Deno.test("nghttp2 gets all of a body that is larger than its windows, and the trailers behind it", async () => {
  const text = Array.from({ length: 300_000 }, (_, at) => String.fromCharCode(97 + at % 26)).join("");
  await using server = await serve((stream) => {
    stream.sendHeaders([[":status", "200"]], false);
    void stream.sendData(Buffer.from(text));
    stream.end([["x-after", "all"]]);
  });
  const [answer] = await asks(server.url, [{ ":path": "/" }], { initialWindowSize: 1000 });
  equal(answer?.body, text);
  deepEqual(answer?.trailers.map((fields) => fields["x-after"]), ["all"]);
});
