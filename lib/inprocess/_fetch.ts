import type { LiveRequest, Protocol } from "../engine/mod.ts";
import { type ClientRequest, outgoingClient } from "./_client_exchange.ts";
import type { Door } from "./_door.ts";
import { firstHop, type Hop, nextHop } from "./_fetch_hop.ts";
import { type FetchFacts, toResponse } from "./_fetch_response.ts";
import { MemorySink } from "./_memory_sink.ts";

type Fetch = typeof globalThis.fetch;

/** What a fetch may be given in Deno beside what the web knows. */
type FetchInit = RequestInit & { readonly client?: Deno.HttpClient };

/** A fetch goes this far (WHATWG Fetch, HTTP-redirect fetch, step 7). */
const redirectLimit = 20;

/**
 * Puts a fetch of ours in the place of the global one.
 *
 * @param scopeNow The scope that the caller is in.
 * @returns Puts the genuine one back, unless somebody has put another one over ours.
 */
export function captureFetch(scopeNow: () => Door | undefined): () => void {
  const genuine = globalThis.fetch;
  const captured: Fetch = (input: RequestInfo | URL, init?: FetchInit) => {
    const scope = scopeNow();
    const isOurs = scope !== undefined && isHttp(input);
    return isOurs ? fetchIn(scope, input, init) : genuine(input, init);
  };
  globalThis.fetch = captured;
  return () => {
    if (globalThis.fetch === captured) globalThis.fetch = genuine;
  };
}

/** `data:`, `blob:` and `file:` reach no network; what is no URL is the genuine fetch's to complain about. */
function isHttp(input: RequestInfo | URL): boolean {
  const url = input instanceof Request ? input.url : String(input);
  return /^https?:$/.test(URL.parse(url)?.protocol ?? "");
}

/** A fetch in a scope; its URL is one of http or https. */
export async function fetchIn(
  scope: Door,
  input: RequestInfo | URL,
  init: FetchInit | undefined,
): Promise<Response> {
  const request = new Request(input, init); // checks all that fetch checks, and takes the body of another request
  let hop: Hop = await firstHop(request, init?.body ?? null);
  for (let hops = 0; hops <= redirectLimit; hops++) {
    const { sink, location } = await ask(scope, hop, { request, client: init?.client });
    const facts: FetchFacts = { url: hop.url, method: hop.method, redirected: hops > 0 };
    if (location === null || request.redirect === "manual") return toResponse(await sink.head, sink.body(), facts);
    sink.drop();
    if (request.redirect === "error") {
      throw new TypeError(`Cannot fetch "${hop.url}": it redirects, which redirect: "error" forbids`);
    }
    hop = nextHop(hop, (await sink.head).status, location);
  }
  throw new TypeError(`Cannot fetch "${request.url}": more than ${redirectLimit} redirects`);
}

interface Asked {
  readonly request: Request;
  readonly client: Deno.HttpClient | undefined;
}

/** One hop, as far as its head. */
async function ask(
  scope: Door,
  hop: Hop,
  { request, client }: Asked,
): Promise<{ readonly sink: MemorySink; readonly location: string | null }> {
  const sink = new MemorySink(hop.url);
  const { signal } = request;
  signal.throwIfAborted();
  signal.addEventListener("abort", () => sink.close(signal.reason), { once: true, signal: sink.gone });
  scope.exchange(liveRequest(hop, sink, client), sink, client === undefined ? offers : []);
  const { status, headers } = await sink.head;
  const location = headers.find(([name]) => name.toLowerCase() === "location")?.[1] ?? null;
  return { sink, location: [301, 302, 303, 307, 308].includes(status) ? location : null };
}

/** As Deno's fetch does. What a client of the caller's offers, nobody can tell. */
const offers: readonly Protocol[] = ["h2", "http/1.1"];

function liveRequest(hop: Hop, sink: MemorySink, client: Deno.HttpClient | undefined): LiveRequest {
  const { method, url, headers } = hop;
  const body = hop.body === null || hop.body.bytes?.length === 0 ? null : hop.body.open(sink);
  const live = {
    method,
    url,
    httpVersion: "1.1",
    headers,
    body,
    trailers: () => [],
    expectsContinue: false,
    anyVersion: true, // a Response says nothing of it
  } as const;
  if (client === undefined) return live;
  const byClient: ClientRequest = { ...live, [outgoingClient]: client };
  return byClient;
}
