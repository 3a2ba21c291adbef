/**
 * What every way out has in common.
 *
 * @module
 */
import { noProxies, type UpstreamProxies } from "./proxies.ts";

/** How an upstream reaches origins. */
export interface UpstreamOptions {
  /** Certificates of authorities to trust beyond the public roots, as PEM. */
  readonly trust?: readonly string[];
  /** What stands in between. @default {noProxies} */
  readonly proxies?: UpstreamProxies;
  /** How long a connection may take, TLS and a proxy's tunnel included. An answer may take any time. @default {120_000} */
  readonly connectLimitMs?: number;
}

/** No system waits much longer for TCP by itself, and none bounds a handshake. */
const defaultConnectLimitMs = 120_000;

/** Fills in what was left out. */
export function withDefaults(options: UpstreamOptions): Required<UpstreamOptions> {
  return { trust: [], proxies: noProxies, connectLimitMs: defaultConnectLimitMs, ...options };
}
