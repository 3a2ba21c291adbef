import { deepEqual, equal } from "node:assert/strict";
import { certificateName, parseAuthority, spellingOf } from "./_origin.ts";

Deno.test("parseAuthority() reads names, addresses and ports", () => {
  deepEqual(parseAuthority("API.test:443"), { host: "api.test", port: 443 });
  deepEqual(parseAuthority("127.0.0.1:8080"), { host: "127.0.0.1", port: 8080 });
  deepEqual(parseAuthority("[::1]:65535"), { host: "[::1]", port: 65535 });
});

for (
  const text of ["", "a.test", "a.test:", "a.test:0", "a.test:65536", "a.test:x", "a/b:1", "u@a:1", "::1:443", "[1]:1"]
) {
  Deno.test(`parseAuthority() gives null when it gets "${text}"`, () => {
    equal(parseAuthority(text), null);
  });
}

Deno.test("certificateName() takes the brackets off an address", () => {
  deepEqual(["[::1]", "a.test"].map(certificateName), ["::1", "a.test"]);
});

Deno.test("spellingOf() takes the request's own word for an origin of loopback", () => {
  const origin = { host: "127.0.0.1", port: 8080 };
  equal(spellingOf(origin, "localhost:8080"), "localhost");
  equal(spellingOf({ host: "localhost", port: 80 }, "127.0.0.1"), "127.0.0.1");
  equal(spellingOf(origin, undefined), "127.0.0.1");
});

Deno.test("spellingOf() lets no header name another machine or another port", () => {
  equal(spellingOf({ host: "127.0.0.1", port: 8080 }, "api.test:8080"), "127.0.0.1");
  equal(spellingOf({ host: "api.test", port: 8080 }, "localhost:8080"), "api.test");
  equal(spellingOf({ host: "127.0.0.1", port: 8080 }, "localhost:9"), "127.0.0.1");
});
