import { equal, match } from "node:assert/strict";
import { childEnvironment, type EnvironmentOptions } from "./environment.ts";

const options: EnvironmentOptions = {
  inherited: {},
  command: ["python", "agent.py"],
  proxyPort: 4711,
  trust: {
    own: "/t/ca.pem",
    merged: "/t/bundle.pem",
    javaStore: () => "/t/store.jks",
    [Symbol.dispose]: () => {},
  },
  bypass: [],
};

Deno.test("childEnvironment() names the proxy in both cases", () => {
  const variables = childEnvironment(options);
  for (const name of ["HTTP_PROXY", "https_proxy", "ALL_PROXY"]) equal(variables[name], "http://127.0.0.1:4711");
});

Deno.test("childEnvironment() clears NO_PROXY when nothing is bypassed", () => {
  const variables = childEnvironment({ ...options, inherited: { NO_PROXY: "localhost", no_proxy: "*" } });
  equal(variables["NO_PROXY"], "");
  equal(variables["no_proxy"], "");
});

Deno.test("childEnvironment() lists bypassed hosts in NO_PROXY", () => {
  equal(childEnvironment({ ...options, bypass: ["a.test", "localhost"] })["NO_PROXY"], "a.test,localhost");
});

Deno.test("childEnvironment() gives the merged bundle to variables that replace trust, ours alone to those that add", () => {
  const variables = childEnvironment(options);
  equal(variables["SSL_CERT_FILE"], "/t/bundle.pem");
  equal(variables["GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"], "/t/bundle.pem");
  equal(variables["NODE_EXTRA_CA_CERTS"], "/t/ca.pem");
  equal(variables["DENO_CERT"], "/t/ca.pem");
});

Deno.test("childEnvironment() turns update checks off and Node's proxy support on", () => {
  const variables = childEnvironment(options);
  equal(variables["DENO_NO_UPDATE_CHECK"], "1");
  equal(variables["NODE_USE_ENV_PROXY"], "1");
});

Deno.test("childEnvironment() leaves JAVA_TOOL_OPTIONS alone when the command is no virtual machine's", () => {
  equal(childEnvironment(options)["JAVA_TOOL_OPTIONS"], undefined);
});

Deno.test("childEnvironment() adds proxy and trust store to the JAVA_TOOL_OPTIONS of a virtual machine", () => {
  const inherited = { JAVA_TOOL_OPTIONS: "-Xmx1g" };
  const text = childEnvironment({ ...options, inherited, command: ["/opt/bin/mvnw", "test"] })["JAVA_TOOL_OPTIONS"] ??
    "";
  match(text, /^-Xmx1g -Djavax\.net\.ssl\.trustStore=\/t\/store\.jks /);
  match(text, /-Dhttps\.proxyPort=4711 /);
});

Deno.test("childEnvironment() quotes a trust store whose path holds a space", () => {
  const trust = { ...options.trust, javaStore: () => "/my temp/store.jks" };
  const text = childEnvironment({ ...options, trust, command: ["java"] })["JAVA_TOOL_OPTIONS"] ?? "";
  match(text, /-Djavax\.net\.ssl\.trustStore="\/my temp\/store\.jks" /);
});
