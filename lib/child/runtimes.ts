/**
 * How each runtime is led through the proxy, for advice when one was not.
 *
 * @module
 */
import { programIndex, programOf } from "./program_of.ts";

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
  /** True when it leaves an authority that it does not trust without an alert, so that the proxy sees nothing of it. */
  readonly silent: boolean;
  /** Where the program itself can be made to ask: its names, and the arguments that make it. */
  readonly probe?: { readonly command: RegExp; readonly args: (url: string) => string[] };
}

const runtimes: readonly Runtime[] = [
  {
    name: "Python",
    userAgent: /python|httpx|aiohttp/i,
    command: /^(?:python[\d.]*|uv|pytest|pip\d?)$/,
    trustVariable: "SSL_CERT_FILE (httpx, urllib) or REQUESTS_CA_BUNDLE (requests)",
    unreached: "aiohttp wants trust_env=True, and a client made with trust_env=False or proxies={} ignores the proxy",
    silent: false,
    probe: {
      command: /^python[\d.]*$/,
      args: (url) => ["-c", "import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=5).read()", url],
    },
  },
  {
    name: "curl",
    userAgent: /^curl\//,
    command: /^curl$/,
    trustVariable: "CURL_CA_BUNDLE",
    unreached: "--noproxy, or a proxy in ~/.curlrc, overrides the variables",
    silent: false,
    probe: { command: /^curl$/, args: (url) => ["-sS", "--max-time", "5", url] },
  },
  {
    name: "Go",
    userAgent: /^Go-http-client/,
    command: /^go$/,
    trustVariable: "SSL_CERT_FILE",
    unreached: "Go never sends requests to localhost or a loopback address through a proxy",
    silent: false,
  },
  {
    name: "Deno",
    userAgent: /^Deno\//,
    command: /^deno$/,
    trustVariable: "DENO_CERT",
    unreached: "Deno's fetch goes through the proxy, its raw sockets (Deno.connect) do not",
    silent: true,
    probe: { command: /^deno$/, args: (url) => ["eval", "--no-lock", "await (await fetch(Deno.args[0])).text()", url] },
  },
  {
    name: "Node",
    userAgent: /^(?:node|undici)/i,
    command: /^(?:node|npm|npx|pnpm|yarn|tsx|bun)$/,
    trustVariable: "NODE_EXTRA_CA_CERTS",
    unreached: "Node honours proxy variables from 22.21 and 24.5 on; older ones ignore them",
    silent: true, // it checks the certificate when the handshake is over
    probe: {
      command: /^node$/,
      args: (url) => ["-e", "fetch(process.argv[1]).then((response) => response.text())", url],
    },
  },
  {
    name: "Java",
    userAgent: /java/i,
    command: /^(?:java|mvnw?|gradlew?|kotlin|scala|sbt)$/,
    trustVariable: "javax.net.ssl.trustStore (in JAVA_TOOL_OPTIONS)",
    unreached: "a client built with its own ProxySelector ignores the system's properties",
    silent: true, // java.net.http; HttpsURLConnection sends an alert
  },
  {
    name: "git",
    userAgent: /^git\//,
    command: /^git$/,
    trustVariable: "GIT_SSL_CAINFO",
    unreached: "http.proxy in the git configuration overrides the variables",
    silent: true, // where it was built on GnuTLS, as Debian's is
  },
  {
    name: "Rust",
    userAgent: /^(?:ureq|reqwest|hyper)\b/,
    command: /^cargo$/,
    trustVariable: "SSL_CERT_FILE (read by rustls-native-certs, not by webpki-roots)",
    unreached: "a client built on hyper alone reads no proxy variable",
    silent: true,
  },
];

/** For a runtime that is not known. */
const everyVariable = "SSL_CERT_FILE, NODE_EXTRA_CA_CERTS and their like";

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
export function trustAdvice(client: DistrustingClient, command: readonly string[]): string {
  const runtime = runtimes.find((each) => client.userAgent !== undefined && each.userAgent.test(client.userAgent)) ??
    runtimeOf(command);
  const who = runtime?.name ?? client.userAgent ?? "A client";
  const variable = runtime?.trustVariable ?? everyVariable;
  return `${who} broke off TLS to ${client.host} (${client.message}): it does not trust agrepl's certificate. ` +
    `agrepl sets ${variable} for it; an option of its own, or a pinned certificate, seems to override that`;
}

/**
 * Says why a recording may hold no step: there was no request, it went past the proxy, or nothing inside was trusted.
 *
 * @param command The child's command.
 * @param distrust How many hosts a TLS client turned away from.
 */
export function unreachedAdvice(command: readonly string[], distrust: number): string {
  if (distrust > 0) return "No step was recorded: every TLS connection was broken off by the client, see above";
  const runtime = runtimeOf(command);
  const past = runtime === undefined
    ? "its client ignores HTTP_PROXY and HTTPS_PROXY"
    : `its client ignores the proxy variables (${runtime.unreached})`;
  const why = ["the command made no HTTP request", past];
  if (runtime?.silent !== false) {
    const variable = runtime?.trustVariable ?? everyVariable;
    why.push(`it does not trust agrepl's certificate and left without saying so (agrepl sets ${variable} for it)`);
  }
  return `No step was recorded: ${why.slice(0, -1).join(", ")}, or ${why.at(-1)}; agrepl doctor -- COMMAND tries it`;
}

function runtimeOf(command: readonly string[]): Runtime | undefined {
  const name = programOf(command);
  return runtimes.find((each) => each.command.test(name));
}

/** What is known of the runtime that a command starts. */
export interface RuntimeFacts {
  readonly name: string;
  /** The variable that carries our authority to it; agrepl sets it. */
  readonly trustVariable: string;
  /** Why its traffic may not come through the proxy. */
  readonly unreached: string;
  /** Makes the command that has the same runtime ask for a URL; `null` where there is none. */
  readonly probe: ((url: string) => string[]) | null;
}

/**
 * Tells what is known of a command's runtime.
 *
 * @param command The command and its arguments.
 * @returns `null` for a program that is none of the table's.
 */
export function runtimeFacts(command: readonly string[]): RuntimeFacts | null {
  const runtime = runtimeOf(command);
  if (runtime === undefined) return null;
  const { name, trustVariable, unreached, probe } = runtime;
  const start = command.slice(0, programIndex(command) + 1);
  const asks = probe?.command.test(programOf(command)) === true;
  return { name, trustVariable, unreached, probe: asks ? (url) => [...start, ...probe.args(url)] : null };
}
