import type { Channel } from "./exchange.ts";

/** One end of a switched connection. */
export type Side = "client" | "server";

/** How a switched connection came to its end. */
export type ChannelEnd =
  /** Which side ended first, and whether it broke the connection. */
  | { readonly kind: "ended"; readonly first: Side; readonly broken: boolean }
  /** Neither: it was given up. */
  | { readonly kind: "interrupted" };

/** Two connections that are to be one. */
export interface ChannelRelay {
  readonly client: Channel;
  readonly server: Channel;
  /** Breaks both. */
  readonly signal: AbortSignal;
  /** Takes each piece once the other side was given it; its promise is the disk's back-pressure. */
  readonly copy: (from: Side, bytes: Uint8Array) => Promise<void> | undefined;
}

/** Hands on each piece as it comes, both ways at once, until both sides are through. */
export async function relayChannels({ client, server, signal, copy }: ChannelRelay): Promise<ChannelEnd> {
  let end: ChannelEnd | null = null;
  const stop = () => {
    end ??= { kind: "interrupted" };
    client.abort();
    server.abort();
  };
  const oneWay = async (first: Side, from: Channel, to: Channel) => {
    const broken = await pump(from, to, (bytes) => copy(first, bytes));
    end ??= { kind: "ended", first, broken };
    if (broken) to.abort();
    else to.end();
  };
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  await Promise.all([oneWay("client", client, server), oneWay("server", server, client)]);
  signal.removeEventListener("abort", stop);
  return end ?? { kind: "interrupted" };
}

/** Gives true when the connection broke, false when its sender ended it. */
async function pump(
  from: Channel,
  to: Channel,
  copy: (bytes: Uint8Array) => Promise<void> | undefined,
): Promise<boolean> {
  const pieces = from.incoming[Symbol.asyncIterator]();
  while (true) {
    const next = await pieces.next().catch(() => null); // however it broke: the connection is gone
    if (next === null) return true;
    if (next.done === true) return false;
    const wrote = to.write(next.value);
    const copied = copy(next.value);
    if (wrote !== undefined) await wrote;
    if (copied !== undefined) await copied;
  }
}
