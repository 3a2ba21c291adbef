/**
 * How each runtime is led through the proxy, for advice when one was not.
 *
 * @module
 */
import { basename } from "node:path";

/** What is known of one runtime or client. */
interface Runtime {
  readonly name: string;
  /** In a CONNECT's user-agent. */
  readonly userAgent: RegExp;
  /** The command's own name. */
  readonly command: RegExp;
  /** The variable that carries our authority to it; agrepl sets it. */
  readonly trustVariable: string;
  /** Why its traffic may not have come through the proxy. */
  readonly unreached: string;
}

const runtimes: readonly Runtime[] = [
  {
    name: "Python",
    userAgent: /python|httpx|aiohttp/i,
    command: /^(?:python[\d.]*|uv|pytest|pip\d?)$/,
    trustVariable: "SSL_CERT_FILE (httpx, urllib) or REQUESTS_CA_BUNDLE (requests)",
    unreached: "aiohttp wants trust_env=True, and a client made with trust_env=False or proxies={} ignores the proxy",
  },
  {
    name: "curl",
    userAgent: /^curl\//,
    command: /^curl$/,
    trustVariable: "CURL_CA_BUNDLE",
    unreached: "--noproxy, or a proxy in ~/.curlrc, overrides the variables",
  },
  {
    name: "Go",
    userAgent: /^Go-http-client/,
    command: /^go$/,
    trustVariable: "SSL_CERT_FILE",
    unreached: "Go never sends requests to localhost through a proxy",
  },
  {
    name: "Deno",
    userAgent: /^Deno\//,
    command: /^deno$/,
    trustVariable: "DENO_CERT",
    unreached: "Deno goes through the proxy by itself: it made no request, or --cached-only code made none",
  },
  {
    name: "Node",
    userAgent: /^(?:node|undici)/i,
    command: /^(?:node|npm|npx|pnpm|yarn|tsx|bun)$/,
    trustVariable: "NODE_EXTRA_CA_CERTS",
    unreached: "Node honours proxy variables from 22.21 and 24.5 on; older ones ignore them",
  },
  {
    name: "Java",
    userAgent: /java/i,
    command: /^(?:java|mvnw?|gradlew?|kotlin|scala|sbt)$/,
    trustVariable: "javax.net.ssl.trustStore (in JAVA_TOOL_OPTIONS)",
    unreached: "a client built with its own ProxySelector ignores the system's properties",
  },
  {
    name: "git",
    userAgent: /^git\//,
    command: /^git$/,
    trustVariable: "GIT_SSL_CAINFO",
    unreached: "http.proxy in the git configuration overrides the variables",
  },
];

/** A client that turned away in the middle of a TLS handshake. */
export interface DistrustingClient {
  readonly host: string;
  readonly userAgent: string | undefined;
  readonly message: string;
}

/**
 * Says what to do about a client that does not trust agrepl's certificate.
 *
 * @param client What the proxy saw of it.
 * @param command The child's command, which tells the runtime where the client does not.
 */
export function trustAdvice(client: DistrustingClient, command: string): string {
  const runtime = runtimes.find((each) => client.userAgent !== undefined && each.userAgent.test(client.userAgent)) ??
    runtimeOf(command);
  const who = runtime?.name ?? client.userAgent ?? "A client";
  const variable = runtime?.trustVariable ?? "SSL_CERT_FILE, NODE_EXTRA_CA_CERTS and their like";
  return `${who} broke off TLS to ${client.host} (${client.message}): it does not trust agrepl's certificate. ` +
    `agrepl sets ${variable} for it; an option of its own, or a pinned certificate, seems to override that`;
}

/**
 * Says why a recording may hold no step.
 *
 * @param command The child's command.
 * @param distrust How many hosts a TLS client turned away from.
 */
export function unreachedAdvice(command: readonly string[], distrust: number): string {
  if (distrust > 0) return "No step was recorded: every TLS connection was broken off by the client, see above";
  const runtime = runtimeOf(command[0] ?? "");
  const why = runtime === undefined
    ? "the command made no HTTP request, or its client ignores HTTP_PROXY and HTTPS_PROXY"
    : `the command made no HTTP request, or its client ignores the proxy variables (${runtime.unreached})`;
  return `No step was recorded: ${why}`;
}

function runtimeOf(command: string): Runtime | undefined {
  const name = basename(command).replace(/\.(?:exe|cmd|bat|sh)$/, "");
  return runtimes.find((each) => each.command.test(name));
}
