import { equal, match } from "node:assert/strict";
import { runtimeFacts, trustAdvice, unreachedAdvice } from "./runtimes.ts";

const broken = { host: "api.example.com:443", userAgent: undefined, message: "unknown ca" };

Deno.test("trustAdvice() knows the client by its user-agent before the command", () => {
  const advice = trustAdvice({ ...broken, userAgent: "curl/8.5.0" }, ["python"]);
  match(advice, /^curl broke off TLS to api\.example\.com:443 \(unknown ca\)/);
  match(advice, /CURL_CA_BUNDLE/);
});

Deno.test("trustAdvice() knows the client by the command where it gives no user-agent", () => {
  match(trustAdvice(broken, ["/usr/bin/python3.12"]), /^Python .*REQUESTS_CA_BUNDLE/);
  match(trustAdvice(broken, ["node.exe"]), /^Node .*NODE_EXTRA_CA_CERTS/);
});

Deno.test("trustAdvice() names the common variables for a client that it does not know", () => {
  match(trustAdvice({ ...broken, userAgent: "my-agent/1" }, ["./agent"]), /^my-agent\/1 .*SSL_CERT_FILE, NODE_EXTRA/);
  match(trustAdvice(broken, ["./agent"]), /^A client broke off/);
});

for (
  const [command, cause] of [
    ["python3", /trust_env=True/],
    ["curl", /--noproxy/],
    ["go", /localhost/],
    ["deno", /raw sockets/],
    ["node", /22\.21/],
    ["./gradlew", /ProxySelector/],
    ["git", /http\.proxy/],
    ["./agent", /HTTP_PROXY and HTTPS_PROXY/],
  ] as const
) {
  Deno.test(`unreachedAdvice() names the likely cause when the command is ${command}`, () => {
    match(unreachedAdvice([command, "x"], 0), cause);
  });
}

Deno.test("unreachedAdvice() points to the TLS warnings when every connection was broken off", () => {
  match(unreachedAdvice(["python"], 2), /every TLS connection was broken off by the client/);
});

Deno.test("unreachedAdvice() is one sentence that begins with what happened", () => {
  const advice = unreachedAdvice([], 0);
  equal(advice.startsWith("No step was recorded: "), true);
  equal(advice.includes("\n"), false);
});

Deno.test("unreachedAdvice() names the trust variable when the runtime leaves without an alert", () => {
  match(unreachedAdvice(["/usr/bin/node", "x.js"], 0), /agrepl sets NODE_EXTRA_CA_CERTS for it/);
  match(unreachedAdvice(["./agent"], 0), /agrepl sets SSL_CERT_FILE, NODE_EXTRA_CA_CERTS and their like for it/);
});

Deno.test("unreachedAdvice() does not speak of trust when the runtime would have sent an alert", () => {
  equal(unreachedAdvice(["python3"], 0).includes("trust agrepl"), false);
});

Deno.test("runtimeFacts() has the command's own program ask, behind what starts it", () => {
  const facts = runtimeFacts(["env", "A=b", "/opt/python3.12", "agent.py"]);
  equal(facts?.name, "Python");
  equal(facts?.probe?.("http://x.test/").slice(0, 4).join(" "), "env A=b /opt/python3.12 -c");
});

Deno.test("runtimeFacts() knows no probe for a program that starts its runtime by itself", () => {
  equal(runtimeFacts(["npx", "agent"])?.probe, null);
  equal(runtimeFacts(["./agent"]), null);
});
