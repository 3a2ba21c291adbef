import { type InterimSink, type LiveRequest, type LiveResponse, UpstreamError } from "../engine/mod.ts";
import type { Header } from "../step/mod.ts";

/** Where a request says which client it is to go out by. */
export const outgoingClient: unique symbol = Symbol("client");

/** A request that is to go out by a client of the caller's. */
export interface ClientRequest extends LiveRequest {
  readonly [outgoingClient]: Deno.HttpClient;
}

/** Tells whether a request names a client. */
export function isClientRequest(request: LiveRequest): request is ClientRequest {
  return outgoingClient in request;
}

/** What fetch says by itself, or would refuse to be told. */
const ownOfFetch: ReadonlySet<string> = new Set(["host", "content-length", "transfer-encoding", "accept-encoding"]);

/**
 * Sends a request by its client. Fetch undoes codings, and the bytes of the wire are wanted: so none is asked for.
 *
 * @throws {UpstreamError} when no answer comes.
 */
export async function exchangeByClient(
  request: ClientRequest,
  _interim: InterimSink,
  signal: AbortSignal,
): Promise<LiveResponse> {
  const headers = request.headers.filter(([name]) => !ownOfFetch.has(name.toLowerCase()));
  const init = {
    method: request.method,
    headers: [...headers, ["accept-encoding", "identity"]].map((
      [name = "", value = ""],
    ): [string, string] => [name, value]),
    body: request.body === null ? null : ReadableStream.from(request.body),
    redirect: "manual",
    signal,
    client: request[outgoingClient],
  } as const;
  const response = await orUpstreamError(() => fetch(request.url, init));
  return {
    status: response.status,
    statusText: response.statusText,
    httpVersion: "1.1",
    headers: plainHeaders(response.headers),
    body: piecesOf(response),
    trailers: () => [],
  };
}

/** An upstream that codes unasked had it undone: what it said of that holds no more. */
function plainHeaders(headers: Headers): Header[] {
  const undone = /^(?:gzip|br)$/i.test(headers.get("content-encoding") ?? "");
  return [...headers].filter(([name]) => !undone || (name !== "content-encoding" && name !== "content-length"));
}

async function* piecesOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  try {
    for (
      let next = await orUpstreamError(() => reader.read());
      !next.done;
      next = await orUpstreamError(() => reader.read())
    ) {
      yield next.value;
    }
  } finally {
    await reader.cancel().catch(() => {}); // what has failed is told already
  }
}

async function orUpstreamError<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
    throw new UpstreamError("read", "ECONNRESET", inner instanceof Error ? inner.message : String(inner), { cause });
  }
}
