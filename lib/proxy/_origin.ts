import { isIPv6 } from "node:net";

/** Where a tunnel leads. */
export interface Origin {
  readonly scheme: "http" | "https";
  /** As in a URL: an IPv6 address stands in brackets. */
  readonly host: string;
  readonly port: number;
  /** True where the client named no host: it connected to an address, and a sandbox told which. */
  readonly byAddress?: boolean;
}

/** Reads the target of a CONNECT (authority-form, RFC 9112 3.2.3); `null` when it is nonsense. */
export function parseAuthority(text: string): Omit<Origin, "scheme"> | null {
  const match = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]]+):(\d{1,5})$/i.exec(text);
  const host = match?.[1]?.toLowerCase();
  const port = Number(match?.[2]);
  if (host === undefined || port < 1 || port > 65535) return null;
  if (host.startsWith("[") && !isIPv6(host.slice(1, -1))) return null;
  return { host, port };
}

/** The name that a certificate must carry for a host: without brackets. */
export function certificateName(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * The host of an origin of loopback as a request spells it: `localhost` and the addresses behind it are one machine, and
 * a recording has the one that was asked for. Of other origins no header decides anything.
 *
 * @param named The request's `Host`.
 */
export function spellingOf({ host, port }: Omit<Origin, "scheme">, named: string | undefined): string {
  const asked = named === undefined ? null : parseAuthority(named.includes(":") ? named : `${named}:${port}`);
  if (asked === null || !loopback.test(host) || !loopback.test(asked.host)) return host;
  return asked.port === port ? asked.host : host;
}
