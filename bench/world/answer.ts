/** What an endpoint takes and gives: values, so that every endpoint is a pure function from a call to an answer. */

import type { IncomingHttpHeaders } from "node:http";
import type { Exchange } from "./delays.ts";
import type { Sampler } from "./sampler.ts";

/** One request as an endpoint sees it, with the luck and the time it may use. */
export interface Call {
  /** In upper case: `GET`. */
  readonly method: string;
  readonly url: URL;
  /** The named groups of the route's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly now: Date;
  readonly sample: Sampler;
}

/** A header as it goes out. */
export type HeaderPair = readonly [name: string, value: string];

/** One answer: its writes, and the exchange that says how long it takes. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly HeaderPair[];
  /** Each is one write to the socket; an answer that is not streamed has exactly one. */
  readonly writes: readonly Uint8Array[];
  /** Streamed answers go out in chunked coding, the others with a content-length. */
  readonly streamed: boolean;
  /** What the answer is timed as; `null` goes out at once. */
  readonly exchange: Exchange | null;
}

/** An endpoint. */
export type Endpoint = (call: Call) => Answer;

/** An answer's parts for {@linkcode whole}. */
export interface WholeParts {
  /** @default 200 */
  readonly status?: number;
  readonly type: string;
  readonly headers?: readonly HeaderPair[];
  /** @default null */
  readonly exchange?: Exchange | null;
}

const encoder = new TextEncoder();

/**
 * Makes an answer of one piece.
 *
 * @param body Text, which goes out as UTF-8, or bytes.
 * @param parts The content type and what else differs from a plain 200.
 * @returns The answer.
 */
export function whole(body: string | Uint8Array, parts: WholeParts): Answer {
  return {
    status: parts.status ?? 200,
    headers: [["content-type", parts.type], ...(parts.headers ?? [])],
    writes: [typeof body === "string" ? encoder.encode(body) : body],
    streamed: false,
    exchange: parts.exchange ?? null,
  };
}

/**
 * Makes an answer that carries a value as JSON.
 *
 * @param value What is serialised.
 * @param parts What differs from a plain 200.
 * @returns The answer.
 */
export function json(value: unknown, parts: Omit<WholeParts, "type"> = {}): Answer {
  return whole(JSON.stringify(value), { ...parts, type: "application/json" });
}
