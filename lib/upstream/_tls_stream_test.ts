import { Buffer } from "node:buffer";
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { once } from "node:events";
import type { RawSocket } from "../../tests/support/raw_socket.ts";
import { startSecure, worldTrust } from "../../tests/support/raw_tls.ts";
import type { RawUpstream } from "../../tests/support/raw_upstream.ts";
import { TlsStream } from "./_tls_stream.ts";

async function connect({ port }: RawUpstream): Promise<TlsStream> {
  const connection = await Deno.connectTls({ hostname: "localhost", port, caCerts: [worldTrust] });
  await connection.handshake();
  return new TlsStream(connection);
}

/** A server whose one connection the test has in its hands. */
async function startHeld() {
  const { promise, resolve } = Promise.withResolvers<RawSocket>();
  const server = await startSecure(resolve);
  return Object.assign(server, { held: promise });
}

/** Waits for a stream's close; gives the messages of its errors. */
async function closed(stream: TlsStream): Promise<string[]> {
  const errors: string[] = [];
  stream.on("error", (error) => errors.push(error.message));
  await new Promise((resolve) => stream.once("close", resolve));
  return errors;
}

Deno.test("TlsStream carries bytes both ways, large ones too", async () => {
  await using server = await startHeld();
  const stream = await connect(server);
  const { socket } = await server.held;
  socket.on("data", (piece: Uint8Array) => void socket.write(piece));
  const bytes = Buffer.alloc(1_000_000, "abcdefg");
  stream.write(bytes);
  const echoed: Uint8Array[] = [];
  let count = 0;
  for await (const piece of stream) {
    echoed.push(piece);
    count += piece.length;
    if (count === bytes.length) break;
  }
  ok(Buffer.concat(echoed).equals(bytes));
});

Deno.test("TlsStream reads no further when nobody takes what it has", async () => {
  await using server = await startHeld();
  const stream = await connect(server);
  const { socket } = await server.held;
  stream.once("readable", () => {}); // begins to read, and takes nothing
  socket.write(Buffer.alloc(16 * 1024 * 1024));
  await new Promise((resolve) => setTimeout(resolve, 100)); // until nothing moves any more: nothing tells when
  const { readableLength } = stream;
  ok(readableLength > 0 && readableLength <= 128 * 1024, `${readableLength} bytes`);
  stream.destroy();
  deepEqual(await closed(stream), []);
});

Deno.test("TlsStream closes without an error when it is destroyed during a read and a write", async () => {
  await using server = await startHeld();
  const stream = await connect(server);
  (await server.held).socket.pause();
  stream.resume();
  stream.write(Buffer.alloc(32 * 1024 * 1024)); // more than any buffer on the way takes
  await new Promise((resolve) => setTimeout(resolve, 20)); // until the write is under way
  stream.destroy();
  deepEqual(await closed(stream), []);
});

Deno.test("TlsStream tells what it was destroyed with, once", async () => {
  await using server = await startHeld();
  const stream = await connect(server);
  stream.resume();
  stream.destroy(new TypeError("enough"));
  stream.destroy(new TypeError("more"));
  deepEqual(await closed(stream), ["enough"]);
});

Deno.test("TlsStream closes as a whole when the other side ends", async () => {
  await using server = await startHeld();
  const stream = await connect(server);
  stream.resume();
  (await server.held).socket.end("bye");
  const ended = once(stream, "end");
  deepEqual(await closed(stream), []);
  await ended;
  equal(stream.destroyed, true);
});

Deno.test("TlsStream fails when the other side resets, and has given what came before", async () => {
  await using server = await startHeld();
  const stream = await connect(server);
  const raw = await server.held;
  raw.send("first");
  equal(String((await once(stream, "data"))[0]), "first");
  raw.socket.resetAndDestroy();
  const [message = ""] = await closed(stream);
  match(message, /reset|close_notify/i);
});

Deno.test("TlsStream sends what was written before its end, then says that it ends", async () => {
  await using server = await startHeld();
  const stream = await connect(server);
  stream.resume();
  stream.end("last words");
  equal(await (await server.held).rest(), "last words");
  deepEqual(await closed(stream), []);
});

Deno.test("TlsStream reports a write to a connection that is broken", async () => {
  await using server = await startHeld();
  const stream = await connect(server);
  (await server.held).socket.resetAndDestroy();
  const ending = closed(stream);
  const writing = setInterval(() => stream.write("x"), 5); // the first may still be taken by the system
  const errors = await ending;
  clearInterval(writing);
  equal(errors.length > 0, true);
});
