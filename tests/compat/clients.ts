/** The clients that agrepl must record and replay, as one table. */

import { clientFile, denoCommand, goProgram, nodeCommand, pythonCommand, rustProgram } from "./programs.ts";

/** One client of one runtime. */
export interface Client {
  readonly name: string;
  /** Commands that the machine must have. */
  readonly needs: readonly string[];
  /** What it calls the machine it runs on. */
  readonly host: string;
  /** How many exchanges it makes. */
  readonly steps: number;
  /** What it speaks with an origin that speaks both. */
  readonly httpVersion: "1.1" | "2";
  /** What it ends with when it has read its last answer. */
  readonly exitCode: number;
  /**
   * Gives the command that makes the exchanges.
   *
   * @param origin Where to: `https://localhost:PORT`.
   */
  readonly command: (origin: string) => Promise<readonly string[]>;
  /**
   * Gives a command that makes them without trusting agrepl.
   *
   * @param origin Where to.
   * @param ca A PEM file with an authority that has nothing to do with it.
   */
  readonly distrusting: (origin: string, ca: string) => Promise<readonly string[]>;
  /** What the end of such a recording must say. */
  readonly advice: RegExp;
}

/** What most clients have in common: four exchanges, the last of which they turn into an exit code. */
const usual = { host: "localhost", steps: 4, httpVersion: "1.1", exitCode: 22 } as const;

const node24 = "24.21.0";

/** The last Node line that knows no proxy variable. */
export const node20 = "20.20.2";

const question = '{"question":"what is it?","numbers":[1,2.5,null]}';

/** All of them. */
export const clients: readonly Client[] = [
  curl("curl", []),
  curl("curl --http1.1", ["--http1.1"]),
  deno("fetch"),
  deno("https"),
  node("fetch"),
  node("https"),
  python("urllib"),
  python("requests"),
  python("httpx"),
  { ...python("httpx2"), httpVersion: "2" },
  {
    ...usual,
    name: "Go, net/http",
    httpVersion: "2",
    needs: ["go"],
    host: "0.0.0.0", // Go takes "localhost" and 127.0.0.1 past every proxy; this reaches the same machine
    command: async (origin) => [await goProgram(), origin],
    distrusting: async (origin) => [await goProgram(), origin, "alone"],
    advice: /agrepl sets SSL_CERT_FILE for it/,
  },
  java("java.net.http", "client"),
  java("HttpsURLConnection", "connection"),
  {
    ...usual,
    name: "Rust, ureq over rustls",
    needs: ["cargo"],
    command: async (origin) => [await rustProgram(), origin],
    distrusting: async (origin) => [await rustProgram(), origin, "webpki"],
    advice: /agrepl sets SSL_CERT_FILE/,
  },
  {
    name: "git ls-remote",
    needs: ["git"],
    host: "localhost",
    steps: 1,
    httpVersion: "2",
    exitCode: 0,
    command: (origin) => Promise.resolve(["git", "ls-remote", `${origin}/repository`]),
    // GIT_SSL_CAINFO wins over any http.sslCAInfo, so this one pins a key
    distrusting: (origin) =>
      Promise.resolve([
        "git",
        "-c",
        `http.pinnedPubkey=sha256//${"A".repeat(43)}=`,
        "ls-remote",
        `${origin}/repository`,
      ]),
    advice: /agrepl sets GIT_SSL_CAINFO for it/,
  },
];

function curl(name: string, version: readonly string[]): Client {
  const exchanges = (origin: string, trust: readonly string[]) => {
    const common = ["--silent", "--show-error", ...version, ...trust];
    const post = ["--json", question, `${origin}/echo`];
    return [
      ...["curl", ...common, `${origin}/chunked`],
      ...["--next", ...common, "--compressed", `${origin}/gzip`],
      ...["--next", ...common, ...post],
      ...["--next", ...common, "--include", "--fail-with-body", `${origin}/repeated`],
    ];
  };
  return {
    ...usual,
    name,
    httpVersion: version.length === 0 ? "2" : "1.1",
    needs: ["curl"],
    command: (origin) => Promise.resolve(exchanges(origin, [])),
    distrusting: (origin, ca) => Promise.resolve(exchanges(origin, ["--cacert", ca])),
    advice: /agrepl sets CURL_CA_BUNDLE for it/,
  };
}

function deno(kind: "fetch" | "https"): Client {
  const runtime = async () => [await denoCommand(), "run", "-A", "--no-config"];
  return {
    ...javascript(kind, runtime),
    name: `Deno, ${kind}`,
    httpVersion: kind === "fetch" ? "2" : "1.1",
    needs: [],
    advice: /agrepl sets DENO_CERT for it/,
  };
}

function node(kind: "fetch" | "https"): Client {
  const advice = /agrepl sets NODE_EXTRA_CA_CERTS for it/;
  const runtime = async () => [await nodeCommand(node24)];
  return { name: `Node 24, ${kind}`, needs: ["npm"], advice, ...javascript(kind, runtime) };
}

function javascript(
  kind: "fetch" | "https",
  runtime: () => Promise<readonly string[]>,
): Omit<Client, "name" | "needs" | "advice"> {
  const program = [clientFile("javascript.mjs"), kind];
  return {
    ...usual,
    command: async (origin) => [...await runtime(), ...program, origin],
    distrusting: async (origin, ca) => [...await runtime(), ...program, origin, ca],
  };
}

function python(library: "urllib" | "requests" | "httpx" | "httpx2"): Client {
  const program = [clientFile("python.py"), library];
  return {
    ...usual,
    name: `Python, ${library}`,
    needs: ["python3"],
    command: async (origin) => [await pythonCommand(), ...program, origin],
    distrusting: async (origin, ca) => [await pythonCommand(), ...program, origin, ca],
    advice: /agrepl sets SSL_CERT_FILE .* REQUESTS_CA_BUNDLE \(requests\) for it/,
  };
}

function java(name: string, kind: "client" | "connection"): Client {
  const program = ["java", clientFile("Exchanges.java"), kind];
  return {
    ...usual,
    name: `Java, ${name}`,
    httpVersion: kind === "client" ? "2" : "1.1",
    needs: ["java"],
    command: (origin) => Promise.resolve([...program, origin]),
    distrusting: (origin) => Promise.resolve([...program, origin, "alone"]),
    advice: /agrepl sets javax\.net\.ssl\.trustStore \(in JAVA_TOOL_OPTIONS\) for it/,
  };
}
