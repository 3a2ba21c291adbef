/** How long the live world takes: the paper's Table II, split over the exchanges that each workload makes. */

import type { Sampler } from "./sampler.ts";

/** What an answer is timed as. */
export type Exchange =
  | "fetch"
  | "user"
  | "orders"
  | "order"
  | "tool_call"
  | "tool_answer"
  | "search"
  | "page"
  | "completion";

/** Milliseconds per exchange; one that is missing takes no time. */
export type DelayTable = Readonly<Partial<Record<Exchange, number>>>;

/**
 * Table II of the paper (section VII-B): W1 is one `fetch` (48 ms); W2 `user`, `orders`, `order` (185);
 * W3 `tool_call`, `tool_answer` (620); W4 `search`, `page`, twice (340); W5 one `completion` (510).
 */
export const paperDelays: DelayTable = {
  fetch: 48,
  user: 60,
  orders: 65,
  order: 60,
  tool_call: 250,
  tool_answer: 370,
  search: 100,
  page: 70,
  completion: 510,
};

/** Each delay is off by this share at most, to either side. */
const jitter = 0.02;

/** A model thinks before it speaks: the share of a stream's time that passes before its first write. */
const thinking = 0.4;

/**
 * Reads the `delays` option.
 *
 * @param delays `true` for the paper's, a table for one's own, else none.
 * @returns The table that holds.
 */
export function toDelayTable(delays: boolean | DelayTable | undefined): DelayTable {
  if (typeof delays === "object") return delays;
  return delays ? paperDelays : {};
}

/**
 * Draws how long one exchange takes this time.
 *
 * @param table The delays that hold.
 * @param exchange The exchange, or `null` for an answer that is not timed.
 * @param sample Draws the jitter.
 * @returns Milliseconds, 0 when the table names none.
 */
export function drawDelayMs(table: DelayTable, exchange: Exchange | null, sample: Sampler): number {
  const meanMs = exchange === null ? 0 : table[exchange] ?? 0;
  return meanMs * (1 + jitter * (2 * sample.fraction() - 1));
}

/**
 * Spreads an answer's writes over the time it takes.
 *
 * @param totalMs When the last write is to leave, in milliseconds since the request came.
 * @param writes How many writes there are.
 * @returns When each write leaves, on the same clock, in ascending order.
 */
export function schedule(totalMs: number, writes: number): readonly number[] {
  if (writes <= 1) return Array.from({ length: writes }, () => totalMs);
  const firstMs = totalMs * thinking;
  return Array.from({ length: writes }, (_, index) => firstMs + (totalMs - firstMs) * (index / (writes - 1)));
}
