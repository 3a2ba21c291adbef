import { STATUS_CODES } from "node:http";
import type { ResponseHead } from "../step/mod.ts";
import type { AnswerBody } from "./_memory_sink.ts";

/** What a Response tells beside its message. */
export interface FetchFacts {
  /** Of the last hop. */
  readonly url: string;
  readonly method: string;
  readonly redirected: boolean;
}

/** Statuses that never have a body (WHATWG Fetch, null body status). */
const bodyless: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/** The codings that Deno's fetch undoes; it asks for no other, and hands on what comes unasked as it is. */
const formats = { gzip: "gzip", br: "brotli" } as const;

/**
 * Makes a Response.
 *
 * @param head Without headers of the connection.
 * @param body As it came over the wire.
 * @param facts What the constructor of Response cannot be told.
 */
export function toResponse(head: ResponseHead, body: AnswerBody, facts: FetchFacts): Response {
  const headers = new Headers(head.headers.map(([name, value]): [string, string] => [name, value]));
  const none = facts.method === "HEAD" || bodyless.has(head.status);
  const response = new Response(none ? null : plainBody(body, headers), { headers });
  return dressed(response, head, facts);
}

function plainBody(body: AnswerBody, headers: Headers): AnswerBody {
  const coding = headers.get("content-encoding")?.trim().toLowerCase();
  if ((coding !== "gzip" && coding !== "br") || isEmpty(body)) return body;
  const stream = body instanceof ReadableStream ? body : ReadableStream.from([body]);
  return stream.pipeThrough(new DecompressionStream(formats[coding]));
}

function isEmpty(body: AnswerBody): boolean {
  return body instanceof Uint8Array && body.length === 0;
}

/** Says what only a fetch can say; its copies say it too. */
function dressed(response: Response, head: ResponseHead, facts: FetchFacts): Response {
  const { status } = head;
  const statusText = head.statusText || (STATUS_CODES[status] ?? ""); // HTTP/2 has none, and Deno's fetch tells one
  const says = { url: facts.url, redirected: facts.redirected, type: "basic", status, statusText };
  for (const [name, value] of Object.entries(says)) {
    Object.defineProperty(response, name, { value, configurable: true });
  }
  Object.defineProperty(response, "ok", { value: status >= 200 && status <= 299, configurable: true });
  const clone = response.clone.bind(response);
  return Object.defineProperty(response, "clone", {
    value: () => dressed(clone(), head, facts),
    configurable: true,
  });
}
