import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers";
import type { Header } from "../step/mod.ts";
import type { MemorySink } from "./_memory_sink.ts";

/** A request's body, to be sent once or, where its bytes are known, again. */
export interface HopBody {
  /** Known where fetch would announce their number; `null` for a stream. */
  readonly bytes: Uint8Array | null;
  /**
   * Begins to send it.
   *
   * @param sink The answer's: when nobody waits for it, nothing more is sent; when the body fails, so does it.
   */
  open(sink: MemorySink): AsyncIterable<Uint8Array>;
}

/** One request of a fetch. */
export interface Hop {
  readonly method: string;
  /** Without credentials and fragment. */
  readonly url: string;
  /** The caller's own, lower case. */
  readonly ownHeaders: readonly Header[];
  /** All that go out. */
  readonly headers: readonly Header[];
  readonly body: HopBody | null;
}

/** What belongs to a body, and goes with it (WHATWG Fetch, request-body-header name). */
const bodyHeaders: ReadonlySet<string> = new Set([
  "content-encoding",
  "content-language",
  "content-location",
  "content-type",
]);

/** What another origin is not to learn. */
const credentialHeaders: ReadonlySet<string> = new Set(["authorization", "proxy-authorization", "cookie"]);

/** What the connection says, whatever the caller said. */
const framingHeaders: ReadonlySet<string> = new Set(["host", "content-length", "transfer-encoding", "connection"]);

/** The first request of a fetch. */
export async function firstHop(request: Request, given: BodyInit | null): Promise<Hop> {
  const url = new URL(request.url);
  const { username, password } = url;
  const ownHeaders = [...request.headers].filter(([name]) => !framingHeaders.has(name));
  if ((username !== "" || password !== "") && !request.headers.has("authorization")) {
    ownHeaders.unshift(["authorization", basic(username, password)]);
  }
  url.username = "";
  url.password = "";
  const body = await bodyOf(request, given);
  return toHop({ method: request.method, url, ownHeaders, body });
}

/**
 * The request that follows a redirect (WHATWG Fetch, HTTP-redirect fetch).
 *
 * @throws {TypeError} when it leads nowhere, or a stream would have to be sent again.
 */
export function nextHop({ method, url, ownHeaders, body }: Hop, status: number, location: string): Hop {
  const from = new URL(url);
  const to = new URL(location, from);
  if (to.protocol !== "http:" && to.protocol !== "https:") {
    throw new TypeError(`Cannot follow the redirect of "${url}" to "${to.href}": expected an http or https URL`);
  }
  if (status !== 303 && body !== null && body.bytes === null) {
    throw new TypeError(`Cannot follow the redirect of "${url}": its body was a stream, which cannot be sent again`);
  }
  const asGet = becomesGet(method, status);
  const kept = ownHeaders
    .filter(([name]) => !asGet || !bodyHeaders.has(name))
    .filter(([name]) => to.origin === from.origin || !credentialHeaders.has(name));
  return toHop({ method: asGet ? "GET" : method, url: to, ownHeaders: kept, body: asGet ? null : body });
}

function becomesGet(method: string, status: number): boolean {
  return status === 303 ? method !== "GET" && method !== "HEAD" : status < 303 && method === "POST";
}

interface HopParts {
  readonly method: string;
  readonly url: URL;
  readonly ownHeaders: readonly Header[];
  readonly body: HopBody | null;
}

function toHop({ method, url, ownHeaders, body }: HopParts): Hop {
  const target = new URL(url);
  target.hash = "";
  const headers = wireHeaders({ method, url: target, ownHeaders, body });
  return { method, url: target.href, ownHeaders, headers, body };
}

/** The order is that of Deno 2.9.6: length, the caller's, defaults, host, framing. */
function wireHeaders({ method, url, ownHeaders, body }: HopParts): Header[] {
  const names = new Set(ownHeaders.map(([name]) => name));
  const defaults: Header[] = [
    ["accept", "*/*"],
    ["accept-language", "*"],
    ["user-agent", navigator.userAgent],
    ["accept-encoding", names.has("range") ? "identity" : "gzip,br"],
  ];
  const bytes = body === null && (method === "POST" || method === "PUT") ? 0 : body?.bytes?.length;
  return [
    ...(bytes === undefined ? [] : [["content-length", String(bytes)]] satisfies Header[]),
    ...ownHeaders,
    ...defaults.filter(([name]) => !names.has(name)),
    ["host", url.host],
    ...(body !== null && body.bytes === null ? [["transfer-encoding", "chunked"]] satisfies Header[] : []),
  ];
}

function basic(username: string, password: string): string {
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(plain).toString("base64")}`;
}

async function bodyOf(request: Request, given: BodyInit | null): Promise<HopBody | null> {
  if (request.body === null) return null;
  if (isStream(given)) return await probeStream(request.body.getReader());
  // Of another request's body nobody can tell what it was made of: what is there at once is taken as a whole.
  return given === null ? await probeBody(request.body.getReader()) : wholeBody(await request.bytes());
}

/** Deno takes any async iterable for a stream. */
function isStream(given: BodyInit | null): boolean {
  return typeof given === "object" && given !== null && Symbol.asyncIterator in given;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

type Read = ReadableStreamReadResult<Uint8Array>;

/** What is wrong with a stream from its start is told before anything is asked. */
async function probeStream(reader: Reader): Promise<HopBody> {
  const first = reader.read();
  await tellFailure(reader, atOnce(first));
  return streamBody(reader, [first]);
}

async function probeBody(reader: Reader): Promise<HopBody> {
  const first = await tellFailure(reader, reader.read());
  if (first.done) return wholeBody(new Uint8Array(0));
  const second = reader.read();
  const now = await atOnce(second).catch(() => null); // told when it is read
  return now?.done === true ? wholeBody(first.value) : streamBody(reader, [Promise.resolve(first), second]);
}

/** What is there within a turn of the event loop; `null` when that is nothing. */
function atOnce(read: Promise<Read>): Promise<Read | null> {
  read.catch(() => {}); // told when it is read
  return Promise.race([read, new Promise<null>((resolve) => setImmediate(() => resolve(null)))]);
}

/** @throws {TypeError} when the stream has failed, or gives what is no bytes. */
async function tellFailure<Result extends Read | null>(reader: Reader, read: Promise<Result>): Promise<Result> {
  try {
    const result = await read;
    if (result !== null) checkBytes(result);
    return result;
  } catch (cause) {
    reader.cancel().catch(() => {}); // its source has failed already
    throw bodyFailure(cause);
  }
}

/** A stream may give anything, and fetch takes nothing but this (WHATWG Fetch, incrementally read a body). */
function checkBytes({ value }: { readonly value?: unknown }): void {
  if (value === undefined || value instanceof Uint8Array) return;
  throw new TypeError(`its stream gave a ${typeof value}, expected bytes as Uint8Array`);
}

function bodyFailure(cause: unknown): TypeError {
  return new TypeError("Cannot send the request: its body failed", { cause });
}

function wholeBody(bytes: Uint8Array): HopBody {
  return {
    bytes,
    open: () => ReadableStream.from([bytes]),
  };
}

/** @param ahead What was read already. */
function streamBody(reader: Reader, ahead: readonly Promise<Read>[]): HopBody {
  return { bytes: null, open: (sink) => readOn(reader, ahead, sink) };
}

async function* readOn(
  reader: Reader,
  ahead: readonly Promise<Read>[],
  sink: MemorySink,
): AsyncGenerator<Uint8Array> {
  const gone = new Promise<never>((_resolve, reject) => {
    sink.gone.addEventListener("abort", () => reject(new TypeError("Cannot send on: nobody waits for the answer")));
  });
  gone.catch(() => {});
  const waiting = [...ahead];
  try {
    while (true) {
      const next = await Promise.race([waiting.shift() ?? reader.read(), gone]);
      checkBytes(next);
      if (next.done) return;
      if (next.value.length > 0) yield next.value;
    }
  } catch (cause) {
    sink.withdraw(bodyFailure(cause));
    throw cause;
  } finally {
    if (sink.closed) reader.cancel().catch(() => {}); // its source has failed already: nobody is left to be told
  }
}
