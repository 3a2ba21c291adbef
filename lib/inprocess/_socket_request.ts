import { Buffer } from "node:buffer";
import type { LiveRequest } from "../engine/mod.ts";
import type { Header } from "../step/mod.ts";

/** What a WebSocket is asked for. */
export interface SocketRequest {
  /** As the WebSocket shows it: ws or wss. */
  readonly url: string;
  readonly protocols: readonly string[];
  /** Its `sec-websocket-key`. */
  readonly key: string;
  readonly live: LiveRequest;
}

/** What may be told beside the URL; Deno takes headers, too. */
interface SocketOptions {
  readonly protocols?: string | readonly string[];
  readonly headers?: HeadersInit;
}

/** A token (RFC 9110 5.6.2). */
const token = /^[!#$%&'*+\-.^_`|~\w]+$/;

/**
 * Reads what the constructor of a WebSocket was given.
 *
 * @throws {DOMException} a SyntaxError, where the genuine constructor throws one.
 */
export function toSocketRequest(args: readonly unknown[]): SocketRequest {
  const url = readUrl(String(args[0]));
  const { protocols: named = [], headers = [] } = readOptions(args[1]);
  const protocols = typeof named === "string" ? [named] : [...named];
  const distinct = new Set(protocols.map((name) => name.toLowerCase())).size === protocols.length;
  if (!distinct) throw syntaxError("Cannot open a WebSocket: a protocol is named twice, expected each once");
  if (!protocols.every((name) => token.test(name))) {
    throw syntaxError("Cannot open a WebSocket: a protocol is no token, expected letters and digits");
  }
  const key = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const own = [...new Headers(headers)].map(([name, value]): Header => [name, value]);
  return { url: url.href, protocols, key, live: toLive(url, { protocols, key, own }) };
}

function toLive(
  url: URL,
  { protocols, key, own }: Pick<SocketRequest, "protocols" | "key"> & { readonly own: readonly Header[] },
): LiveRequest {
  return {
    method: "GET",
    url: url.href.replace(/^ws/, "http"),
    httpVersion: "1.1",
    // In the order of Deno 2.9.6, which offers no compression.
    headers: [
      ["user-agent", navigator.userAgent],
      ["sec-websocket-version", "13"],
      ...(protocols.length === 0 ? [] : [["sec-websocket-protocol", protocols.join(", ")]] satisfies Header[]),
      ...own,
      ["host", url.host],
      ["upgrade", "websocket"],
      ["connection", "Upgrade"],
      ["sec-websocket-key", key],
    ],
    body: null,
    trailers: () => [],
    expectsContinue: false,
    upgrade: "websocket",
  };
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null) throw syntaxError(`Cannot open a WebSocket to "${text}": expected an absolute URL`);
  url.protocol = url.protocol.replace(/^http/, "ws");
  if (!/^wss?:$/.test(url.protocol)) {
    throw syntaxError(`Cannot open a WebSocket to "${text}": expected a ws or wss URL`);
  }
  if (url.hash === "" && !text.endsWith("#")) return url;
  throw syntaxError(`Cannot open a WebSocket to "${text}": it has a fragment, expected none`);
}

function readOptions(given: unknown): SocketOptions {
  if (given === undefined || given === null) return {};
  if (typeof given === "string") return { protocols: given };
  return Array.isArray(given) ? { protocols: given.map(String) } : given as SocketOptions; // as the genuine one takes it
}

function syntaxError(message: string): DOMException {
  return new DOMException(message, "SyntaxError");
}
