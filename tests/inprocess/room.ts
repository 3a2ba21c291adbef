/**
 * A folder with one cassette in it, recorded and replayed in this process.
 *
 * @module
 */
import { join } from "node:path";
import { type CassetteOptions, type Host, replayOn, type ReplayScope } from "../../lib/inprocess/mod.ts";
import type { Step } from "../../lib/step/mod.ts";
import { TraceFile } from "../../lib/store/mod.ts";

type Body<Value> = (t: ReplayScope) => Value | Promise<Value>;
type Options = Omit<CassetteOptions, "path" | "mode">;

/** A machine that is no CI and may do everything. */
export const openHost: Host = { variable: () => "", variables: () => ({}), may: () => true };

/** A cassette that nobody else sees. */
export class CassetteRoom implements Disposable {
  readonly folder: string = Deno.makeTempDirSync({ prefix: "cassette-" });
  readonly path: string = join(this.folder, "c.ndjson");

  record<Value>(fn: Body<Value>, options: Options = {}): Promise<Value> {
    return replayOn(openHost, { ...options, path: this.path, mode: "record" }, fn);
  }

  /** Records as another process would: what this one has recorded is no hindrance. */
  recordAnew<Value>(fn: Body<Value>, options: Options = {}): Promise<Value> {
    return replayOn({ ...openHost }, { ...options, path: this.path, mode: "record" }, fn);
  }

  replay<Value>(fn: Body<Value>, options: Options = {}): Promise<Value> {
    return replayOn(openHost, { ...options, path: this.path, mode: "replay" }, fn);
  }

  /** The whole file. */
  text(): string {
    return Deno.readTextFileSync(this.path);
  }

  /** Its steps. */
  steps(): Step[] {
    using trace = new TraceFile(this.path, null);
    return trace.entries.map((entry) => trace.step(entry));
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.folder, { recursive: true });
  }
}

/** What a server with TLS shows. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A server of loopback, gone when it is disposed of. */
export class Loopback implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #scheme: string;

  /** @param certificate For `localhost`; without one there is no TLS. */
  constructor(handler: (request: Request) => Response | Promise<Response>, certificate?: Certificate) {
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    this.#scheme = certificate === undefined ? "http://127.0.0.1" : "https://localhost";
    this.#server = certificate === undefined
      ? Deno.serve(options, handler)
      : Deno.serve({ ...options, ...certificate }, handler);
  }

  /** The URL of a path. */
  url(path: string): string {
    return `${this.#scheme}:${this.#server.addr.port}${path}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Records against a server, and replays with the server gone. */
export async function both<Value>(
  room: CassetteRoom,
  handler: (request: Request) => Response | Promise<Response>,
  ask: (url: (path: string) => string, t: ReplayScope) => Value | Promise<Value>,
): Promise<{ readonly recorded: Value; readonly replayed: Value }> {
  const server = new Loopback(handler);
  const url = (path: string) => server.url(path);
  let recorded: Value;
  try {
    recorded = await room.record((t) => ask(url, t));
  } finally {
    await server[Symbol.asyncDispose]();
  }
  return { recorded, replayed: await room.replay((t) => ask(url, t)) };
}
