/**
 * The variables that lead a child's traffic through the proxy and make it trust what it meets there.
 *
 * @module
 */
import { programOf } from "./program_of.ts";
import { javaStorePassword, type TrustFiles } from "./trust_files.ts";

/** What a child's variables are made from. */
export interface EnvironmentOptions {
  /** The variables that the child would have without agrepl. */
  readonly inherited: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly proxyPort: number;
  readonly trust: TrustFiles;
  /** Hosts that the child is to reach by itself. */
  readonly bypass: readonly string[];
}

/** Variables whose certificates replace the public roots: they get both. */
const replacing = [
  "SSL_CERT_FILE", // OpenSSL, Python's ssl, Go, rustls-native-certs, Ruby
  "REQUESTS_CA_BUNDLE", // Python's requests
  "CURL_CA_BUNDLE",
  "AWS_CA_BUNDLE",
  "GIT_SSL_CAINFO",
  "CARGO_HTTP_CAINFO",
  "PIP_CERT",
  "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",
];

/** Variables whose certificates come on top of the public roots. */
const adding = ["NODE_EXTRA_CA_CERTS", "DENO_CERT"];

const updateChecksOff = {
  DENO_NO_UPDATE_CHECK: "1",
  NO_UPDATE_NOTIFIER: "1",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
};

/**
 * Makes a child's variables.
 *
 * @returns What is to be set beside (and over) the inherited variables.
 */
export function childEnvironment(options: EnvironmentOptions): Record<string, string> {
  const proxy = `http://127.0.0.1:${options.proxyPort}`;
  const variables: Record<string, string> = { ...updateChecksOff, NODE_USE_ENV_PROXY: "1" };
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]) setBoth(variables, name, proxy);
  setBoth(variables, "NO_PROXY", options.bypass.join(","));
  for (const name of replacing) variables[name] = options.trust.merged;
  for (const name of adding) variables[name] = options.trust.own;
  if (isJvm(options.command)) variables["JAVA_TOOL_OPTIONS"] = javaOptions(options);
  return variables;
}

function setBoth(variables: Record<string, string>, name: string, value: string): void {
  variables[name] = value;
  variables[name.toLowerCase()] = value; // curl reads HTTP_PROXY in lower case only
}

const jvmCommands: ReadonlySet<string> = new Set(
  [
    "java",
    "javaw",
    "jshell",
    "jbang",
    "mvn",
    "mvnw",
    "gradle",
    "gradlew",
    "kotlin",
    "scala",
    "sbt",
    "clojure",
    "groovy",
  ],
);

function isJvm(command: readonly string[]): boolean {
  return jvmCommands.has(programOf(command));
}

function javaOptions({ inherited, proxyPort, trust, bypass }: EnvironmentOptions): string {
  const properties = {
    "javax.net.ssl.trustStore": trust.javaStore(),
    "javax.net.ssl.trustStoreType": "JKS",
    "javax.net.ssl.trustStorePassword": javaStorePassword,
    "http.proxyHost": "127.0.0.1",
    "http.proxyPort": String(proxyPort),
    "https.proxyHost": "127.0.0.1",
    "https.proxyPort": String(proxyPort),
    "http.nonProxyHosts": bypass.join("|"), // without it Java goes to loopback by itself
  };
  // The virtual machine splits at white space and reads double quotes.
  const options = Object.entries(properties).map(([name, value]) =>
    `-D${name}=${/\s/.test(value) ? `"${value}"` : value}`
  );
  return [inherited["JAVA_TOOL_OPTIONS"] ?? "", ...options].join(" ").trim();
}
