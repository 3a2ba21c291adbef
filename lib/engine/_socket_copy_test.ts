import { deepEqual, equal, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Redactor } from "../redact/mod.ts";
import { type Body, decodeBody, type InlineBody } from "../step/mod.ts";
import { BodySpool } from "../store/mod.ts";
import { closePayload, encodeFrame, opcodes } from "../wire/mod.ts";
import type { Side } from "./_relay_channels.ts";
import { SocketCopy } from "./_socket_copy.ts";

const mask = Uint8Array.of(1, 2, 3, 4);

function startCopy(spool: () => BodySpool = () => new BodySpool(null)) {
  const reasons: string[] = [];
  const onUnreadable = (reason: string) => void reasons.push(reason);
  const copy = new SocketCopy({ headers: [], redactor: new Redactor(), spool, onUnreadable });
  /** Sends one frame; `…` at its end says that its message goes on. */
  const send = (from: Side, opcode: number, payload: string | Uint8Array, atMs: number) => {
    const goesOn = typeof payload === "string" && payload.endsWith("…");
    const bytes = Buffer.from(goesOn ? payload.slice(0, -1) : payload);
    const frame = { fin: !goesOn, deflated: false, opcode, payload: bytes };
    return copy.push(from, encodeFrame(frame, from === "client" ? mask : undefined), atMs);
  };
  return { copy, send, reasons };
}

/** What a cut gives, as `1 server hello`. */
function shown({ copy }: ReturnType<typeof startCopy>): string[] {
  const { frames = [] } = copy.cut();
  return frames.map(([atMs, from, , payload]) => `${atMs} ${from} ${decodeBody(payload as InlineBody)}`);
}

Deno.test("cut() gives what the server sent while a message of the client's is under way, and that at its end", () => {
  const started = startCopy();
  started.send("client", opcodes.text, "be…", 1);
  started.send("server", opcodes.text, "one", 2);
  deepEqual(shown(started), ["2 server one"]);
  started.send("client", opcodes.ping, "ping", 3);
  started.send("server", opcodes.text, "two", 4);
  started.send("client", opcodes.continuation, "gun", 5);
  deepEqual(shown(started), ["1 client be", "3 client ping", "4 server two", "5 client gun"]);
  deepEqual(shown(started), []);
});

Deno.test("cut() gives nothing of a message behind one that is on its way to the disk", async () => {
  const written = Promise.withResolvers<void>();
  const started = startCopy(() => Object.assign(new BodySpool(null), { push: () => written.promise }));
  started.send("server", opcodes.text, "one", 1);
  const spooled = started.send("server", opcodes.binary, new Uint8Array(70_000), 2);
  started.send("server", opcodes.text, "three", 3);
  deepEqual(shown(started), ["1 server one"]);
  written.resolve();
  await spooled;
  deepEqual(shown(started), ["2 server ", "3 server three"]);
});

Deno.test("SocketCopy gives each frame a time of its own, in the order of their passing", () => {
  const started = startCopy();
  for (const from of ["client", "server", "client"] as const) started.send(from, opcodes.text, from, 7);
  started.send("server", opcodes.text, "late", 7.001);
  deepEqual(shown(started), ["7 client client", "7.001 server server", "7.002 client client", "7.003 server late"]);
});

Deno.test("heldBytes grows with frames that carry nothing, and holds what a cut has left", async () => {
  const { copy, send } = startCopy();
  for (let count = 0; count < 4096; count++) send("server", count % 2 === 0 ? opcodes.text : opcodes.ping, "", count);
  ok(copy.heldBytes >= 4 * 1024 * 1024, `${copy.heldBytes} bytes`);
  const spooled = send("server", opcodes.binary, new Uint8Array(70_000), 5000);
  send("server", opcodes.text, "x".repeat(1000), 5001);
  equal(copy.cut().frames?.length, 4096);
  ok(copy.heldBytes >= 1000, `${copy.heldBytes} bytes`);
  await spooled;
  copy.cut();
  equal(copy.heldBytes, 0);
});

Deno.test("SocketCopy forgets a message that is under way when bytes cannot be read, and tells why once", () => {
  const { copy, send, reasons } = startCopy();
  send("client", opcodes.text, "be…", 1);
  copy.push("server", Buffer.from("8300", "hex"), 2);
  send("client", opcodes.continuation, "gun", 3);
  deepEqual([copy.cut().frames, copy.unreadable], [[], "the server sent the reserved opcode 3"]);
  deepEqual(reasons, ["the server sent the reserved opcode 3"]);
});

const reasons: readonly (readonly [what: string, reason: string, stored: string])[] = [
  ["an assignment", "token=s3cretT0kenValue0123456789", "token=[redacted-1**************]"],
  ["a header", "Authorization: Bearer hunter2", "Authorization: Bearer *******"],
  ["no secret", "going away, bye", "going away, bye"],
  ["letters beyond ASCII", "schlüssel password=hünter", "schlüssel password=*******"],
];

for (const [what, reason, stored] of reasons) {
  Deno.test(`SocketCopy keeps code and length of a close whose reason holds ${what}, and no secret`, () => {
    const { copy, send } = startCopy();
    send("server", opcodes.close, closePayload(4003, reason), 1);
    const payload: Body = copy.cut().frames?.[0]?.[3] ?? null;
    const bytes = Buffer.from(decodeBody(payload as InlineBody));
    deepEqual([bytes.readUInt16BE(0), bytes.toString("utf8", 2)], [4003, stored]);
    equal(bytes.length, 2 + Buffer.byteLength(reason));
  });
}

Deno.test("SocketCopy keeps a close that carries nothing, half a code, or no text", () => {
  for (const hex of ["", "03", "03e8", "03e8ff"]) {
    const { copy, send } = startCopy();
    send("client", opcodes.close, Buffer.from(hex, "hex"), 1);
    const payload = copy.cut().frames?.[0]?.[3] ?? null;
    equal(Buffer.from(decodeBody(payload as InlineBody)).toString("hex"), hex);
  }
});
