import { isIPv6 } from "node:net";

/** Where a tunnel leads. */
export interface Origin {
  readonly scheme: "http" | "https";
  /** As in a URL: an IPv6 address stands in brackets. */
  readonly host: string;
  readonly port: number;
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
