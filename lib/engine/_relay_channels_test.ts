import { deepEqual, equal } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { relayChannels } from "./_relay_channels.ts";
import type { Channel } from "./exchange.ts";

/** A channel whose other side sends pieces, then ends, breaks, or waits. */
function channel(pieces: readonly string[], then: "end" | "break" | "wait") {
  const log: string[] = [];
  const over = Promise.withResolvers<void>();
  const made: Channel = {
    incoming: (async function* () {
      for (const piece of pieces) yield Buffer.from(piece);
      if (then === "break") throw new TypeError("broken");
      if (then === "wait") await over.promise;
    })(),
    write: (bytes) => void log.push(Buffer.from(bytes).toString()),
    end: () => {
      log.push("(end)");
      over.resolve();
    },
    abort: () => {
      log.push("(abort)");
      over.resolve();
    },
  };
  return { made, log };
}

const never = new AbortController().signal;
const copy = () => undefined;

Deno.test("relayChannels() hands on what comes, both ways, and ends the one when the other ends", async () => {
  const [client, server] = [channel(["a", "b"], "wait"), channel(["c"], "end")];
  const end = await relayChannels({ client: client.made, server: server.made, signal: never, copy });
  deepEqual(server.log, ["a", "b", "(end)"]);
  deepEqual(client.log, ["c", "(end)"]);
  deepEqual(end, { kind: "ended", first: "server", broken: false });
});

Deno.test("relayChannels() breaks the one when the other breaks, and tells who began", async () => {
  const [client, server] = [channel([], "break"), channel([], "wait")];
  const end = await relayChannels({ client: client.made, server: server.made, signal: never, copy });
  equal(server.log[0], "(abort)");
  deepEqual(end, { kind: "ended", first: "client", broken: true });
});

Deno.test("relayChannels() breaks both when it is given up, also before it began", async () => {
  for (const abort of [AbortSignal.abort(), AbortSignal.timeout(5)]) {
    const [client, server] = [channel([], "wait"), channel([], "wait")];
    const end = await relayChannels({ client: client.made, server: server.made, signal: abort, copy });
    deepEqual([end, client.log[0], server.log[0]], [{ kind: "interrupted" }, "(abort)", "(abort)"]);
  }
});

Deno.test("relayChannels() copies a piece once the other side was given it, and waits for the disk", async () => {
  const [client, server] = [channel(["a", "b"], "end"), channel([], "end")];
  const order: string[] = [];
  const end = relayChannels({
    client: client.made,
    server: { ...server.made, write: (bytes) => void order.push(`write ${Buffer.from(bytes)}`) },
    signal: never,
    copy: async (from, bytes) => {
      order.push(`copy ${from} ${Buffer.from(bytes)}`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    },
  });
  await end;
  deepEqual(order, ["write a", "copy client a", "write b", "copy client b"]);
});
