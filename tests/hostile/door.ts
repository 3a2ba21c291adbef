/**
 * A proxy before an engine that only echoes: what is tried here is the door.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Engine } from "../../lib/engine/mod.ts";
import { type Authority, createAuthority, Proxy, type ProxyNotice } from "../../lib/proxy/mod.ts";

/** A door, and what went through it. */
export interface Door extends AsyncDisposable {
  readonly port: number;
  readonly authority: Authority;
  /** `METHOD URL BYTES` of each request that reached the engine whole; short ones only. */
  readonly asked: readonly string[];
  readonly notices: readonly ProxyNotice[];
}

/** Opens a door in this process. */
export async function openDoor(patienceMs?: number, connectionLimit?: number): Promise<Door> {
  const asked: string[] = [];
  const notices: ProxyNotice[] = [];
  const authority = createAuthority();
  const proxy = await Proxy.listen({
    engine: echoTo(asked),
    authority,
    onNotice: (notice) => void notices.push(notice),
    ...(patienceMs === undefined ? {} : { patienceMs }),
    ...(connectionLimit === undefined ? {} : { connectionLimit }),
  });
  return { port: proxy.port, authority, asked, notices, [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose]() };
}

/** Answers with what it was asked; never, and without reading the body, where the path says `/stall`. */
function echoTo(asked: string[]): Engine {
  return {
    protocolOf: (_origin, offers) => offers.includes("h2") ? "h2" : "http/1.1",
    async exchange(request, sink) {
      if (request.url.endsWith("/stall")) return await new Promise(() => {});
      let bytes = 0;
      for await (const piece of request.body ?? []) bytes += piece.length;
      const text = `${request.method} ${request.url} ${bytes}`;
      if (text.length < 1000) asked.push(text); // what a flood asks is not to fill the memory that is watched
      sink.sendHead({
        status: 200,
        statusText: "OK",
        httpVersion: "1.1",
        headers: [["Content-Length", String(text.length)]],
      });
      sink.write(Buffer.from(text));
      sink.end([]);
    },
  };
}
