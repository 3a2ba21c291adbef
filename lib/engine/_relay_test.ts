import { deepEqual } from "node:assert/strict";
import { relayBody } from "./_relay.ts";
import type { LiveResponse, ResponseSink } from "./exchange.ts";

const gone: ResponseSink = {
  closed: true,
  meter: null,
  sendContinue() {},
  sendInformation() {},
  sendHead() {},
  flush() {},
  write: () => undefined,
  end() {},
  abort() {},
};

/** Relays a body that never ends to a client that is gone; each piece takes so long. */
async function drained({ bytes, everyMs }: { readonly bytes: number; readonly everyMs: number }) {
  let nowMs = 0;
  let copied = 0;
  const body = (async function* () {
    for (; true; nowMs += everyMs) yield new Uint8Array(bytes);
  })();
  const head = { status: 200, statusText: "OK", httpVersion: "1.1", headers: [] } as const;
  const response: LiveResponse = { ...head, body, trailers: () => [] };
  const copy = (piece: Uint8Array) => {
    copied += piece.length;
    return undefined;
  };
  const { signal } = new AbortController();
  const { end } = await relayBody({ response, sink: gone, signal, copy, elapsedMs: () => nowMs });
  return [end, copied];
}

Deno.test("relayBody() reads on for ten seconds when the client is gone and the stream never ends", async () => {
  deepEqual(await drained({ bytes: 3, everyMs: 1000 }), ["client_closed", 3 * 11]);
});

Deno.test("relayBody() reads on for 64 MiB when the client is gone and the stream is fast", async () => {
  const mebibyte = 1024 * 1024;
  deepEqual(await drained({ bytes: mebibyte, everyMs: 0 }), ["client_closed", 65 * mebibyte]);
});
