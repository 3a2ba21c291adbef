import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { decodeBody } from "../../lib/step/mod.ts";
import { both, CassetteRoom, Loopback } from "./room.ts";

const echo = async (request: Request) =>
  Response.json({ method: request.method, text: await request.text(), type: request.headers.get("content-type") });

async function same<Value>(
  handler: (request: Request) => Response | Promise<Response>,
  ask: (url: (path: string) => string) => Promise<Value>,
): Promise<Value> {
  using room = new CassetteRoom();
  const { recorded, replayed } = await both(room, handler, ask);
  deepEqual(replayed, recorded);
  return replayed;
}

Deno.test("withReplay() answers fetch with the server gone", async () => {
  const answer = await same(() => Response.json({ a: 1 }, { status: 201 }), async (url) => {
    const response = await fetch(url("/x?y=1#z"));
    const { status, ok, type, redirected } = response;
    return { status, ok, type, redirected, tail: response.url.slice(-6), body: await response.json() };
  });
  deepEqual(answer, { status: 201, ok: true, type: "basic", redirected: false, tail: "/x?y=1", body: { a: 1 } });
});

const bodies: Readonly<Record<string, () => BodyInit>> = {
  string: () => "text",
  bytes: () => Uint8Array.of(1, 2, 255),
  URLSearchParams: () => new URLSearchParams({ a: "1 2" }),
  Blob: () => new Blob(["blob"], { type: "text/x" }),
  stream: () => ReadableStream.from(["a", "b"]).pipeThrough(new TextEncoderStream()),
};

for (const [kind, make] of Object.entries(bodies)) {
  Deno.test(`withReplay() sends a body of ${kind} as fetch does`, async () => {
    await using server = new Loopback(echo);
    const genuine = await (await fetch(server.url("/"), { method: "POST", body: make() })).json();
    using room = new CassetteRoom();
    const ask = async () => await (await fetch(server.url("/"), { method: "POST", body: make() })).json();
    deepEqual([await room.record(ask), await room.replay(ask)], [genuine, genuine]);
  });
}

Deno.test("withReplay() finds a form again whose boundary is drawn anew", async () => {
  const form = () => {
    const data = new FormData();
    data.set("file", new File(["content"], "a.txt"));
    return data;
  };
  const read = async (request: Request) => new Response((await request.formData()).get("file") as File);
  equal(
    await same(read, async (url) => await (await fetch(url("/"), { method: "POST", body: form() })).text()),
    "content",
  );
});

Deno.test("withReplay() takes a Request, and its body with it", async () => {
  const request = await same(echo, async (url) => {
    const request = new Request(url("/"), { method: "PUT", body: "whole", headers: { "content-type": "a/b" } });
    const answer = await (await fetch(request)).json();
    await rejects(fetch(request), TypeError);
    return { answer, used: request.bodyUsed };
  });
  deepEqual(request, { answer: { method: "PUT", text: "whole", type: "a/b" }, used: true });
});

Deno.test("withReplay() sends a Request's body with its length", async () => {
  const length = await same(
    (request) => new Response(request.headers.get("content-length")),
    async (url) => await (await fetch(new Request(url("/"), { method: "POST", body: "12345" }))).text(),
  );
  equal(length, "5");
});

Deno.test("withReplay() undoes a coding for the caller and stores the bytes of the wire", async () => {
  using room = new CassetteRoom();
  const packed = Uint8Array.from(gzipSync("hello ".repeat(20)));
  const handler = () => new Response(packed, { headers: { "content-encoding": "gzip" } });
  const { replayed } = await both(room, handler, async (url) => await (await fetch(url("/"))).text());
  equal(replayed, "hello ".repeat(20));
  const body = room.steps()[0]?.response?.body ?? null;
  ok(body !== null && !("blob" in body) && !("parts" in body));
  deepEqual(new Uint8Array(decodeBody(body)), packed);
});

Deno.test("withReplay() keeps a body above 64 KiB in its line", async () => {
  const text = "0123456789".repeat(20_000);
  equal(await same(() => new Response(text), async (url) => await (await fetch(url("/"))).text()), text);
});

Deno.test("withReplay() gives set-cookie apart", async () => {
  const headers = [["set-cookie", "a=1"], ["set-cookie", "b=2; Path=/"]] satisfies [string, string][];
  const cookies = await same(
    () => new Response("x", { headers }),
    async (url) => {
      const response = await fetch(url("/"));
      await response.body?.cancel();
      return response.headers.getSetCookie().map((cookie) => cookie.replace(/=[^;]*/, "")); // the values are secrets
    },
  );
  deepEqual(cookies, ["a", "b; Path=/"]);
});

for (const status of [204, 304]) {
  Deno.test(`withReplay() gives no body with a ${status}`, async () => {
    const handler = () => new Response(null, { status });
    const answer = await same(handler, async (url) => {
      const response = await fetch(url("/"));
      return { status: response.status, body: response.body, text: await response.text() };
    });
    deepEqual(answer, { status, body: null, text: "" });
  });
}

Deno.test("withReplay() gives the head of a HEAD", async () => {
  const length = await same(
    () => new Response("12345"),
    async (url) => (await fetch(url("/"), { method: "HEAD" })).headers.get("content-length"),
  );
  equal(length, "5");
});

Deno.test("withReplay() gives an event stream event by event", async () => {
  const { promise: first, resolve: firstRead } = Promise.withResolvers<void>();
  async function* events() {
    yield "data: 1\n\n";
    await first; // the second goes out only when the first has arrived
    yield "data: 2\n\n";
  }
  const stream = () => ReadableStream.from(events()).pipeThrough(new TextEncoderStream());
  const read = await same(
    () => new Response(stream(), { headers: { "content-type": "text/event-stream" } }),
    async (url) => {
      const pieces: string[] = [];
      for await (const piece of (await fetch(url("/"))).body ?? []) {
        pieces.push(new TextDecoder().decode(piece));
        firstRead();
      }
      return pieces;
    },
  );
  deepEqual(read, ["data: 1\n\n", "data: 2\n\n"]);
});

Deno.test("Response.clone() of a replayed answer tells its url too", async () => {
  const answer = await same(() => new Response("twice"), async (url) => {
    const response = await fetch(url("/c"));
    const copy = response.clone();
    return { url: copy.url.slice(-2), texts: [await copy.text(), await response.text()] };
  });
  deepEqual(answer, { url: "/c", texts: ["twice", "twice"] });
});

Deno.test("withReplay() leaves data: URLs to the genuine fetch", async () => {
  using room = new CassetteRoom();
  equal(await room.record(async (t) => await (await fetch("data:,hi")).text() + await t.system("end", () => 1)), "hi1");
  deepEqual(room.steps().map((step) => step.type), ["SYSTEM"]);
});

Deno.test("withReplay() records over a client of the caller's, and replays without", async () => {
  using room = new CassetteRoom();
  using client = Deno.createHttpClient({});
  const handler = (request: Request) => new Response(request.headers.get("accept-encoding"));
  const { replayed } = await both(
    room,
    handler,
    async (url) => await (await fetch(url("/"), { client })).text(),
  );
  equal(replayed, "identity");
});

Deno.test("withReplay() sends the headers that Deno's fetch sends", async () => {
  const headersOf = (request: Request) => Response.json([...request.headers]);
  await using server = new Loopback(headersOf);
  const init = { method: "POST", body: "x", headers: { "X-A": "1", Accept: "text/plain" } };
  const genuine = await (await fetch(server.url("/"), init)).json();
  using room = new CassetteRoom();
  deepEqual(await room.record(async () => await (await fetch(server.url("/"), init)).json()), genuine);
});

Deno.test("withReplay() makes credentials of a URL a header", async () => {
  const handler = (request: Request) => new Response(request.headers.get("authorization"));
  const text = await same(handler, async (url) => {
    return await (await fetch(url("/").replace("http://", "http://me:secret@"))).text();
  });
  match(text, /^Basic /);
});
