/**
 * A URL taken apart without being changed: the target goes out exactly as the client wrote it.
 *
 * @module
 */

/** Where a request goes, and what its request line says. */
export interface SplitUrl {
  readonly secure: boolean;
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** Path and query, untouched. */
  readonly target: string;
}

/**
 * Takes an absolute http or https URL apart.
 *
 * @throws {TypeError} when it is none.
 */
export function splitUrl(url: string): SplitUrl {
  const match = /^(https?):\/\/([^/?#]*)([^#]*)/i.exec(url);
  const parsed = URL.parse(url);
  if (match === null || parsed === null || parsed.hostname === "") {
    throw new TypeError(`Cannot send a request to "${url}": expected an absolute http or https URL`);
  }
  const secure = parsed.protocol === "https:";
  const port = parsed.port === "" ? (secure ? 443 : 80) : Number(parsed.port);
  const rest = match[3] ?? "";
  const target = rest.startsWith("/") ? rest : `/${rest}`;
  return { secure, host: parsed.hostname.replace(/^\[|\]$/g, ""), port, target };
}
