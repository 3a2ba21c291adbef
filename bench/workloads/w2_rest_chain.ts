/** W2: a REST chain of three steps, each of which asks for what the one before named. */

import { runProgram } from "./program.ts";
import { getText, type WorkloadOptions } from "./workload.ts";

interface User {
  readonly name: string;
  readonly visits: number;
  readonly orders_url: string;
}

interface OrderEntry {
  readonly id: number;
  readonly total_cents: number;
  readonly currency: string;
  readonly url: string;
}

interface Order {
  readonly state: string;
  readonly place: string;
  readonly items: readonly { readonly name: string; readonly quantity: number }[];
}

/** Finds out where a user's dearest order is; see {@linkcode RunWorkload}. */
export async function run(base: string, options: WorkloadOptions): Promise<string> {
  const get = async (path: string) => JSON.parse(await getText(base + path, options, "application/json"));
  const user: User = await get("/api/users/u-1815");
  const { orders }: { orders: readonly OrderEntry[] } = await get(user.orders_url);
  const dearest = orders.reduce((best, entry) => entry.total_cents > best.total_cents ? entry : best);
  const order: Order = await get(dearest.url);

  const price = `${(dearest.total_cents / 100).toFixed(2)} ${dearest.currency}`;
  const items = order.items.map(({ name, quantity }) => `${quantity} × ${name}`).join(", ");
  return `${user.name}, visit ${user.visits}: order ${dearest.id} (${price}; ${items}) is ${order.state} ${order.place}`;
}

if (import.meta.main) await runProgram("W2", run);
