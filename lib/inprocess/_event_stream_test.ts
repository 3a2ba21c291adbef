import { deepEqual, equal } from "node:assert/strict";
import { EventStreamReader, type StreamEvent } from "./_event_stream.ts";

const text =
  ": comment\r\nid: 7\r\nevent: a\rdata:x\ndata: y\n\nretry: 50\ndata\n\nevent: lost\n\ndata: z\n\ndata: unended";
const expected: readonly StreamEvent[] = [
  { type: "a", data: "x\ny", lastEventId: "7" },
  { type: "message", data: "", lastEventId: "7" },
  { type: "message", data: "z", lastEventId: "7" },
];

Deno.test("EventStreamReader.push() gives the same events wherever the text is cut", () => {
  for (let at = 0; at <= text.length; at++) {
    const reader = new EventStreamReader("");
    deepEqual([...reader.push(text.slice(0, at)), ...reader.push(text.slice(at))], expected, `cut at ${at}`);
    equal(reader.retryMs, 50);
  }
});

Deno.test("EventStreamReader keeps the id of the connection before until another comes", () => {
  const reader = new EventStreamReader("4");
  reader.push("data: a\n\nid: 5\n");
  equal(reader.lastEventId, "4");
  reader.push("\n");
  equal(reader.lastEventId, "5");
});

Deno.test("EventStreamReader ignores an id with a NUL and a retry that is no number", () => {
  const reader = new EventStreamReader("4");
  reader.push("id: a\0b\nretry: 5s\ndata: x\n\n");
  deepEqual([reader.lastEventId, reader.retryMs], ["4", null]);
});
