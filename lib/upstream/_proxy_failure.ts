import { UpstreamError } from "../engine/mod.ts";
import type { UpstreamProxy } from "./proxies.ts";

/** What a proxy is called in a message: never by its credentials. */
function nameOf({ host, port }: UpstreamProxy): string {
  return `the proxy ${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** A failure on the way to a proxy, told as such; what failed behind it stays as it is. */
export function towardsProxy(failure: UpstreamError, proxy: UpstreamProxy | null): UpstreamError {
  const before = failure.phase === "connect" || failure.phase === "dns";
  if (proxy === null || !before || failure.code.startsWith("ERR_PROXY_")) return failure;
  const { phase, code, message } = failure;
  return new UpstreamError(phase, code, `${nameOf(proxy)}: ${message}`, { cause: failure });
}

/** For a proxy that answered a CONNECT with another status than 2xx. */
export function tunnelRefused(proxy: UpstreamProxy, status: number, reason: string): UpstreamError {
  if (status === 407) return credentialsWanted(proxy);
  const said = reason === "" ? String(status) : `${status} ${reason}`;
  return new UpstreamError("connect", "ERR_PROXY_TUNNEL", `${nameOf(proxy)} refused a tunnel: ${said}`);
}

/** For a proxy that answered 407. */
export function credentialsWanted(proxy: UpstreamProxy): UpstreamError {
  const what = proxy.authorization === null ? "it wants credentials" : "it does not take the credentials it was given";
  const message = `${nameOf(proxy)} answered 407: ${what}, put as "http://user:password@host:port" in its variable`;
  return new UpstreamError("connect", "ERR_PROXY_AUTH", message);
}

/** For a proxy that speaks no HTTP. */
export function proxyNonsense(proxy: UpstreamProxy, what: string): UpstreamError {
  return new UpstreamError("connect", "ERR_PROXY_PROTOCOL", `${nameOf(proxy)} ${what}`);
}
