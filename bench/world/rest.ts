/** A small JSON API whose answers name the next request: user, then the user's orders, then one order. */

import { createHash } from "node:crypto";
import { type Answer, type Call, type HeaderPair, json } from "./answer.ts";
import { proxyHeaders, requestId } from "./cdn.ts";
import type { Exchange } from "./delays.ts";
import { places } from "./wording.ts";

const names = ["Ada Osei", "Bjørn Larsen", "Chiara Conti", "Đặng Minh", "Élodie Petit", "Farid Haddad"];
const wares = ["lantern", "compass", "notebook", "kettle", "sextant", "music box"];
const states = ["packed", "on its way", "at customs", "out for delivery", "delivered"];

/**
 * Answers `GET /api/users/:id`.
 *
 * @param call A call whose path names the user.
 * @returns The user, with the path of the orders.
 */
export function user(call: Call): Answer {
  const { params: { id }, sample, now } = call;
  const value = {
    id,
    name: sample.pick(names),
    visits: sample.int(1, 9_999),
    last_seen: new Date(now.getTime() - sample.int(1, 86_400_000)).toISOString(),
    orders_url: `/api/users/${id}/orders`,
  };
  return answer(call, value, "user");
}

/**
 * Answers `GET /api/users/:id/orders`.
 *
 * @param call A call whose path names the user.
 * @returns Three orders, each with its path.
 */
export function orders(call: Call): Answer {
  const { params: { id }, sample } = call;
  const list = Array.from({ length: 3 }, () => {
    const order = sample.int(100_000, 999_999);
    return { id: order, total_cents: sample.int(500, 99_999), currency: "EUR", url: `/api/orders/${order}` };
  });
  return answer(call, { user: id, orders: list }, "orders");
}

/**
 * Answers `GET /api/orders/:id`.
 *
 * @param call A call whose path names the order.
 * @returns What is in the order, and where it is.
 */
export function order(call: Call): Answer {
  const { params: { id }, sample } = call;
  const items = Array.from({ length: 2 }, () => ({ name: sample.pick(wares), quantity: sample.int(1, 9) }));
  const value = { id, state: sample.pick(states), place: sample.pick(places), items, tracking: sample.int(1e9, 9e9) };
  return answer(call, value, "order");
}

function answer(call: Call, value: unknown, exchange: Exchange): Answer {
  return json(value, { headers: [...apiHeaders(call, value), ...proxyHeaders(call.sample)], exchange });
}

function apiHeaders({ sample, now }: Call, value: unknown): readonly HeaderPair[] {
  const hash = createHash("sha256").update(JSON.stringify(value)).digest("hex");
  return [
    ["etag", `W/"${hash.slice(0, 32)}"`],
    ["cache-control", "private, max-age=0, must-revalidate"],
    ["x-ratelimit-limit", "5000"],
    ["x-ratelimit-remaining", String(sample.int(1, 4_999))],
    ["x-ratelimit-reset", String(Math.floor(now.getTime() / 1000) + sample.int(1, 3_600))],
    requestId(sample),
  ];
}
