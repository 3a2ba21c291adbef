import { deepEqual, equal } from "node:assert/strict";
import { both, CassetteRoom } from "./room.ts";

/** Tells two events the first time, with a word on when to come again, and a third to who comes again. */
function feed(request: Request): Response {
  const last = request.headers.get("last-event-id");
  const text = last === null
    ? "retry: 20\n\nid: 1\ndata: a\n\nevent: tick\nid: 2\ndata: b\ndata: c\n\n"
    : `data: behind ${last}\n\n`;
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

Deno.test("withReplay() replays an EventSource, and its coming again", async () => {
  using room = new CassetteRoom();
  const { recorded, replayed } = await both(room, feed, async (url) => {
    const source = new EventSource(url("/feed"));
    const seen: string[] = [];
    source.onopen = () => seen.push(`open ${source.readyState}`);
    source.onerror = () => seen.push(`error ${source.readyState}`);
    source.addEventListener("tick", ({ data, lastEventId }) => seen.push(`tick ${data} ${lastEventId}`));
    const third = new Promise<void>((resolve) => {
      source.onmessage = ({ data }) => {
        seen.push(data);
        if (data.startsWith("behind")) resolve();
      };
    });
    await third;
    source.close();
    return [...seen, source instanceof EventSource, source.readyState];
  });
  const expected = ["open 1", "a", "tick b\nc 2", "error 0", "open 1", "behind 2", true, 2];
  deepEqual(recorded, expected);
  deepEqual(replayed, expected);
});

Deno.test("withReplay() ends an EventSource for good that is answered otherwise", async () => {
  using room = new CassetteRoom();
  const { replayed } = await both(room, () => new Response("no", { status: 404 }), async (url) => {
    const source = new EventSource(url("/"));
    await new Promise((resolve) => source.onerror = resolve);
    return source.readyState;
  });
  equal(replayed, EventSource.CLOSED);
  equal(room.steps().length, 1);
});

Deno.test("withReplay() closes an EventSource that its function has left open", async () => {
  using room = new CassetteRoom();
  let source: EventSource | undefined;
  await both(room, feed, async (url) => {
    source = new EventSource(url("/"));
    await new Promise((resolve) => source?.addEventListener("tick", resolve));
  });
  equal(source?.readyState, EventSource.CLOSED);
});
