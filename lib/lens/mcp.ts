/**
 * The Model Context Protocol over HTTP (modelcontextprotocol.io, transports: Streamable HTTP, and HTTP with SSE before it).
 *
 * @module
 */
import { type Header, headerValue } from "../step/mod.ts";

/** Methods of the protocol, and the families below which all others lie. */
const methods =
  /^(?:initialize|ping|(?:tools|resources|prompts|notifications|completion|logging|sampling|roots|elicitation|tasks)\/.+)$/;
/** A cheap look before parsing: no message is without them. */
const hint = /"jsonrpc"/;

/**
 * Tells a request to an MCP server.
 *
 * @param request Its method, headers and decoded body, if there is one at hand.
 * @returns True when a header of the protocol is there (which GET and DELETE of a session carry), or when the body of a
 * POST is a JSON-RPC message, or a batch of them, whose method is one of the protocol's.
 */
export function isMcp(request: { method: string; headers: readonly Header[]; bodyText?: string | null }): boolean {
  const { headers, bodyText } = request;
  if (headerValue(headers, "mcp-session-id") !== undefined) return true;
  if (headerValue(headers, "mcp-protocol-version") !== undefined) return true;
  if (request.method !== "POST" || !bodyText || !hint.test(bodyText)) return false;
  const first = /[^\s]/.exec(bodyText)?.[0];
  return (first === "{" || first === "[") && isMcpBody(bodyText);
}

function isMcpBody(text: string): boolean {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return false; // SyntaxError is the parser's only way to say "not JSON"
  }
  return Array.isArray(body) ? body.some(isMcpMessage) : isMcpMessage(body);
}

function isMcpMessage(message: unknown): boolean {
  if (typeof message !== "object" || message === null) return false;
  if (!("jsonrpc" in message) || message.jsonrpc !== "2.0") return false;
  return "method" in message && typeof message.method === "string" && methods.test(message.method);
}
