/**
 * What agrepl and the forwarder in its sandbox say to each other: settings in, reports out, and a line in front of each
 * connection.
 *
 * @module
 */

/** One address and port that lead to an origin. */
export interface ForwardedPlace {
  /** The origin's host, as in a URL: an IPv6 address stands in brackets. */
  readonly host: string;
  /** What to listen on; `null` for the address that the DNS stub gives to the host. */
  readonly address: string | null;
  readonly port: number;
}

/** What a forwarder is told when it starts: one line of JSON on its stdin. The end of stdin ends it. */
export interface ForwarderSettings {
  /** The unix socket that agrepl's proxy listens on. */
  readonly door: string;
  /** A port of loopback in the sandbox that leads to the proxy as a proxy. */
  readonly proxyPort: number;
  /** Ports that lead to agrepl on every address. */
  readonly ports: readonly number[];
  /** Further ports, each on one address. */
  readonly places: readonly ForwardedPlace[];
  /** Ports of loopback that lead to services of this machine, past agrepl. */
  readonly locals: readonly number[];
  /** The folder of the sockets that lead there. */
  readonly folder: string;
}

/** What a forwarder tells: a line of JSON each, on its stdout. */
export type ForwarderReport =
  /** Everything listens. */
  | { readonly kind: "ready" }
  /** Something does not listen, and why. */
  | { readonly kind: "unheard"; readonly place: string; readonly reason: string }
  /** A name was asked for, for the first time. */
  | { readonly kind: "name"; readonly name: string };

/** The unix socket behind which a service of this machine's loopback is found. */
export function localSocketOf(folder: string, port: number): string {
  return `${folder}/local-${port}`;
}

/** Where a connection through the door wants to go. */
export type Destination =
  /** To agrepl's proxy, which it speaks to as such. */
  | { readonly kind: "proxy" }
  /** To an origin, which it believes to speak to. */
  | { readonly kind: "origin"; readonly host: string; readonly port: number };

/** A destination's line is no longer than this: 253 bytes of name, a port, and the words around them. */
export const destinationLimitBytes = 300;

/**
 * Formats the line that a connection through the door begins with.
 *
 * @param destination Where it wants to go.
 * @returns The line, with its newline.
 */
export function formatDestination(destination: Destination): string {
  return destination.kind === "proxy" ? "proxy\n" : `origin ${destination.host}:${destination.port}\n`;
}
