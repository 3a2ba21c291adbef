import { deepEqual } from "node:assert/strict";
import http from "node:http";
import { ask } from "./node_client.ts";
import { CassetteRoom, Loopback } from "./room.ts";

const functions = 20;
const requests = 50;

/** Answers what it was asked, a few milliseconds later, so that answers come in another order than requests. */
async function late(request: Request): Promise<Response> {
  const asked = `${new URL(request.url).pathname} ${await request.text()}`;
  await new Promise((resolve) => setTimeout(resolve, asked.length * 7 % 5));
  return new Response(asked);
}

type Ask = (url: string, body: string) => Promise<string>;

const ways: Readonly<Record<string, Ask>> = {
  fetch: async (url, body) => await (await fetch(url, { method: "POST", body })).text(),
  "http.globalAgent": async (url, body) => (await ask(url, { method: "POST", body, agent: http.globalAgent })).text,
};

for (const [name, way] of Object.entries(ways)) {
  Deno.test(`withReplay() mixes nothing up: ${functions} functions at once, ${requests} requests each, over ${name}`, async () => {
    await using server = new Loopback(late);
    const rooms = Array.from({ length: functions }, () => new CassetteRoom());
    using stack = new DisposableStack();
    for (const room of rooms) stack.use(room);
    const run = (own: number) => () => {
      const answers = Array.from({ length: requests }, (_, at) => way(server.url(`/${at % 7}`), `${own}:${at}`));
      return Promise.all(answers);
    };
    const expected = rooms.map((_, own) => Array.from({ length: requests }, (_, at) => `/${at % 7} ${own}:${at}`));
    deepEqual(await Promise.all(rooms.map((room, own) => room.record(run(own)))), expected);
    deepEqual(rooms.map((room) => room.steps().length), rooms.map(() => requests));
    deepEqual(await Promise.all(rooms.map((room, own) => room.replay(run(own)))), expected);
  });
}
