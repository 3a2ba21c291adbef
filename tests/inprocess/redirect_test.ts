import { deepEqual, equal, rejects } from "node:assert/strict";
import { both, CassetteRoom, Loopback } from "./room.ts";

/** Redirects `/302/x` to `/x`, and tells what it was asked otherwise. */
async function redirecting(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const [, status, rest] = /^\/(30\d)(\/.*)$/.exec(pathname) ?? [];
  if (status !== undefined) {
    return new Response("moved", { status: Number(status), headers: { location: rest ?? "/" } });
  }
  return Response.json([request.method, await request.text(), request.headers.get("content-type")]);
}

const cases: readonly (readonly [status: number, method: string, asked: string, sent: string])[] = [
  [301, "POST", "GET", ""],
  [302, "POST", "GET", ""],
  [302, "PUT", "PUT", "x"],
  [303, "PUT", "GET", ""],
  [307, "POST", "POST", "x"],
  [308, "POST", "POST", "x"],
];

for (const [status, method, asked, sent] of cases) {
  Deno.test(`withReplay() follows a ${status} of a ${method} with a ${asked}`, async () => {
    using room = new CassetteRoom();
    const { recorded, replayed } = await both(room, redirecting, async (url) => {
      const response = await fetch(url(`/${status}/to`), { method, body: "x" });
      return { path: new URL(response.url).pathname, redirected: response.redirected, got: await response.json() };
    });
    const type = sent === "" ? null : "text/plain;charset=UTF-8";
    deepEqual(recorded, { path: "/to", redirected: true, got: [asked, sent, type] });
    deepEqual(replayed, recorded);
    deepEqual(room.steps().map((step) => step.response?.status), [status, 200]);
  });
}

Deno.test("withReplay() records each hop as a proxy sees it", async () => {
  using room = new CassetteRoom();
  await both(room, redirecting, async (url) => await (await fetch(url("/302/307/to"))).text());
  deepEqual(room.steps().map(({ request }) => new URL(request.url).pathname), ["/302/307/to", "/307/to", "/to"]);
});

Deno.test("withReplay() tells another origin no credentials", async () => {
  await using other = new Loopback((request) => Response.json([...request.headers.keys()].sort()));
  await using server = new Loopback(() => Response.redirect(other.url("/"), 302));
  using room = new CassetteRoom();
  const headers = { authorization: "Bearer x", cookie: "a=b", "x-mine": "1" };
  const names: string[] = await room.record(async () => await (await fetch(server.url("/"), { headers })).json());
  deepEqual(names.filter((name) => /^(?:authorization|cookie|x-mine)$/.test(name)), ["x-mine"]);
});

Deno.test("withReplay() gives the redirect itself when it is to be followed by hand", async () => {
  using room = new CassetteRoom();
  const { replayed } = await both(room, redirecting, async (url) => {
    const response = await fetch(url("/302/to"), { redirect: "manual" });
    return [response.status, response.headers.get("location"), await response.text()];
  });
  deepEqual(replayed, [302, "/to", "moved"]);
});

Deno.test("withReplay() rejects a redirect that is an error", async () => {
  using room = new CassetteRoom();
  const { replayed } = await both(room, redirecting, async (url) => {
    await rejects(fetch(url("/302/to"), { redirect: "error" }), TypeError);
    return true;
  });
  equal(replayed, true);
});

Deno.test("withReplay() gives up after 20 redirects", async () => {
  using room = new CassetteRoom();
  let asked = 0;
  const { replayed } = await both(room, ({ url }) => {
    asked++;
    return Response.redirect(`${url}1`, 302);
  }, async (url) => {
    await rejects(fetch(url("/")), /more than 20 redirects/);
    return true;
  });
  deepEqual([replayed, asked, room.steps().length], [true, 21, 21]);
});

Deno.test("withReplay() does not send a stream again", async () => {
  using room = new CassetteRoom();
  const body = () => ReadableStream.from(["x"]).pipeThrough(new TextEncoderStream());
  const { replayed } = await both(room, redirecting, async (url) => {
    await rejects(fetch(url("/307/to"), { method: "POST", body: body() }), /cannot be sent again/);
    return true;
  });
  equal(replayed, true);
});
