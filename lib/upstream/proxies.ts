/**
 * The proxies that an environment names: which way out a request takes.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { type Exempts, parseNoProxy } from "./_no_proxy.ts";

/** A proxy of HTTP on the way out. */
export interface UpstreamProxy {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** What `Proxy-Authorization` is to say; `null` without credentials. Goes to the proxy and nowhere else. */
  readonly authorization: string | null;
}

/** The proxy for each kind of origin, and the hosts that want none. */
export interface UpstreamProxies {
  /** For `http:` URLs; `null` when they go out directly. */
  readonly http: UpstreamProxy | null;
  /** For `https:` URLs; `null` when they go out directly. */
  readonly https: UpstreamProxy | null;
  /** Tells whether a host and port go out directly all the same. */
  readonly exempts: Exempts;
}

/** No proxy for anything. */
export const noProxies: UpstreamProxies = { http: null, https: null, exempts: () => true };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` of an environment.
 *
 * As with curl, a name in lower case comes before one in upper case, `ALL_PROXY` stands in for what is not set, and
 * loopback is exempt only when `NO_PROXY` says so. A proxy without a port is asked on port 80.
 *
 * @param environment Values by name.
 * @returns Which proxy is asked for what.
 * @throws {TypeError} when a variable that counts is no `http:` URL; its value, which may hold a password, is not told.
 */
export function proxiesOf(environment: Environment): UpstreamProxies {
  return {
    http: parseProxy(setting(environment, "HTTP_PROXY", "ALL_PROXY")),
    https: parseProxy(setting(environment, "HTTPS_PROXY", "ALL_PROXY")),
    exempts: parseNoProxy(setting(environment, "NO_PROXY")?.value ?? ""),
  };
}

interface Setting {
  readonly name: string;
  readonly value: string;
}

/** The first of some variables that is set to more than nothing. */
function setting(environment: Environment, ...names: readonly string[]): Setting | null {
  for (const name of names.flatMap((name) => [name.toLowerCase(), name])) {
    const value = environment[name]?.trim() ?? "";
    if (value !== "") return { name, value };
  }
  return null;
}

function parseProxy(set: Setting | null): UpstreamProxy | null {
  if (set === null) return null;
  const { name, value } = set;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`);
  const cannot = `Cannot use the proxy of ${name}:`;
  if (url === null) throw new TypeError(`${cannot} it is no URL, expected "http://host:port"`);
  if (url.protocol !== "http:") {
    throw new TypeError(`${cannot} it begins with "${url.protocol}//", expected "http://host:port"`);
  }
  const { username, password } = url;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? 80 : Number(url.port),
    authorization: username === "" && password === "" ? null : basic(username, password),
  };
}

/** RFC 7617, in UTF-8. */
function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${unescaped(username)}:${unescaped(password)}`).toString("base64")}`;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a bare percent sign, meant as it stands
  }
}

/** The proxy for an origin, or `null` when it is reached directly. */
export function proxyFor(
  proxies: UpstreamProxies,
  { secure, host, port }: { readonly secure: boolean; readonly host: string; readonly port: number },
): UpstreamProxy | null {
  const proxy = secure ? proxies.https : proxies.http;
  return proxy === null || proxies.exempts(host, port) ? null : proxy;
}
