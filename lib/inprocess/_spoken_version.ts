import type { LiveRequest, OriginAddress } from "../engine/mod.ts";

/** Where a URL of http or https leads. */
export function originAddress(url: string): OriginAddress {
  const { protocol, hostname, port } = new URL(url);
  const secure = protocol === "https:";
  return {
    secure,
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (secure ? 443 : 80) : Number(port),
  };
}

/** What HTTP/2 says otherwise: the authority stands beside the headers, and frames need no header (RFC 9113 8.2.2). */
const saidOtherwise: ReadonlySet<string> = new Set(["host", "transfer-encoding", "connection"]);

/** The request as HTTP/2 says it. */
export function overHttp2(request: LiveRequest): LiveRequest {
  return { ...request, httpVersion: "2", headers: request.headers.filter(([name]) => !saidOtherwise.has(name)) };
}
