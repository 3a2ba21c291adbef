/**
 * Gives a step its type.
 *
 * @module
 */
import { type Header, headerValue, type StepType } from "../step/mod.ts";
import { type EndpointRule, endpointRules } from "./endpoints.ts";
import { isMcp } from "./mcp.ts";

/** What is looked at. */
export interface ClassifiedRequest {
  /** As on the wire. */
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  /** In any order and case. */
  readonly headers: readonly Header[];
  /** Decoded; absent or `null` when it is not at hand, and then only headers tell an MCP server. */
  readonly bodyText?: string | null;
}

/** What a step is. */
export interface Classification {
  /** The step's τ. */
  readonly type: StepType;
  /** Served if asked for, never counted in the divergence set. */
  readonly optional: boolean;
  /** Whose endpoint it is, when that is known: `openai`, `npm`. */
  readonly provider?: string;
}

interface CompiledRule {
  readonly rule: EndpointRule;
  readonly host: RegExp | null;
  readonly paths: RegExp;
  readonly result: Classification;
}

const http: Classification = { type: "HTTP", optional: false };
const mcp: Classification = { type: "TOOL", optional: false, provider: "mcp" };
const tool: Classification = { type: "TOOL", optional: false };
const system: Classification = { type: "SYSTEM", optional: false };

const byHost = indexByHost();
const byPattern = endpointRules.flatMap((rule) => rule.hosts.filter(isPattern).map((host) => compile(rule, host)));
/** Host, port, path. */
const parts = /^[a-z][\w+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]+)(:\d+)?([^?#]*)/i;

/**
 * Tells what kind of exchange a request begins (paper III-A, τ).
 *
 * @param request The request.
 * @returns `LLM` for a model's endpoint, `TOOL` for an MCP server or a recorded tool, `SYSTEM` for a package registry or
 * update check (optional) or a recorded system function, else `HTTP`.
 *
 * @example A chat completion
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const request = { method: "POST", url: "https://api.openai.com/v1/chat/completions", headers: [] };
 * deepEqual(classify(request), { type: "LLM", optional: false, provider: "openai" });
 * ```
 */
export function classify(request: ClassifiedRequest): Classification {
  if (request.url.startsWith("agrepl:")) return request.method === "SYSTEM" ? system : tool;
  const found = findEndpoint(request);
  if (found !== null) return found;
  return isMcp(request) ? mcp : http;
}

function findEndpoint(request: ClassifiedRequest): Classification | null {
  const [, name = "", port = "", path = ""] = parts.exec(request.url) ?? [];
  const host = name.toLowerCase();
  for (const rule of byHost.get(host) ?? []) if (fits(rule, request, path)) return rule.result;
  for (const rule of byPattern) {
    if (rule.host?.test(host + port) && fits(rule, request, path)) return rule.result;
  }
  return null;
}

function fits({ rule, paths }: CompiledRule, request: ClassifiedRequest, path: string): boolean {
  return rule.methods.includes(request.method) && paths.test(path === "" ? "/" : path) &&
    (rule.header === undefined || headerValue(request.headers, rule.header) !== undefined);
}

function indexByHost(): Map<string, CompiledRule[]> {
  const index = new Map<string, CompiledRule[]>();
  for (const rule of endpointRules) {
    for (const host of rule.hosts.filter((host) => !isPattern(host))) {
      index.set(host, [...(index.get(host) ?? []), compile(rule, null)]);
    }
  }
  return index;
}

function isPattern(host: string): boolean {
  return host.includes("*");
}

function compile(rule: EndpointRule, host: string | null): CompiledRule {
  return {
    rule,
    host: host === null ? null : new RegExp(`^${toSource(host, ".*")}${host.includes(":") ? "" : "(?::\\d+)?"}$`),
    paths: new RegExp(`^(?:${rule.paths.map((path) => toSource(path, "[^/]*")).join("|")})$`),
    result: { type: rule.type, optional: rule.optional, provider: rule.provider },
  };
}

/** A pattern with stars as the source of a regular expression. */
function toSource(pattern: string, star: string): string {
  return pattern.split("**").map((part) => part.split("*").map(escapePattern).join(star)).join(".*");
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
