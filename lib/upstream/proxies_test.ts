import { Buffer } from "node:buffer";
import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { proxiesOf, proxyFor } from "./proxies.ts";

const plain = { secure: false, host: "a.test", port: 80 };
const secure = { secure: true, host: "a.test", port: 443 };

/** Where the two kinds of origin go, as `host:port`. */
function ways(environment: Record<string, string>): (string | null)[] {
  const proxies = proxiesOf(environment);
  return [plain, secure].map((origin) => {
    const proxy = proxyFor(proxies, origin);
    return proxy === null ? null : `${proxy.host}:${proxy.port}`;
  });
}

const cases: readonly (readonly [environment: Record<string, string>, ways: readonly (string | null)[]])[] = [
  [{}, [null, null]],
  [{ HTTP_PROXY: "http://p.test:3128" }, ["p.test:3128", null]],
  [{ https_proxy: "http://p.test:3128/" }, [null, "p.test:3128"]],
  [{ ALL_PROXY: "p.test:3128" }, ["p.test:3128", "p.test:3128"]],
  [{ all_proxy: "http://all.test", HTTPS_PROXY: "http://s.test:1" }, ["all.test:80", "s.test:1"]],
  [{ http_proxy: "http://low.test:1", HTTP_PROXY: "http://up.test:1" }, ["low.test:1", null]],
  [{ http_proxy: "", HTTP_PROXY: " http://up.test:1 " }, ["up.test:1", null]],
  [{ HTTP_PROXY: "http://[::1]:3128" }, ["::1:3128", null]],
  [{ ALL_PROXY: "http://p.test:1", NO_PROXY: "a.test:443" }, ["p.test:1", null]],
  [{ ALL_PROXY: "http://p.test:1", no_proxy: "*" }, [null, null]],
  [{ ALL_PROXY: "socks5://p.test", HTTP_PROXY: "http://h.test:1", HTTPS_PROXY: "http://s.test:1" }, [
    "h.test:1",
    "s.test:1",
  ]],
];

for (const [environment, expected] of cases) {
  Deno.test(`proxiesOf() finds the way when it is given ${JSON.stringify(environment)}`, () => {
    deepEqual(ways(environment), expected);
  });
}

Deno.test("proxiesOf() leaves loopback to the proxy when NO_PROXY does not name it", () => {
  const proxies = proxiesOf({ HTTP_PROXY: "http://p.test:1" });
  equal(proxyFor(proxies, { secure: false, host: "127.0.0.1", port: 80 })?.host, "p.test");
});

for (const [written, credentials] of Object.entries({ "me:p%40ss": "me:p@ss", "me": "me:", "m%:a": "m%:a" })) {
  Deno.test(`proxiesOf() makes Basic credentials when a URL holds ${written}`, () => {
    const { http } = proxiesOf({ HTTP_PROXY: `http://${written}@p.test:1` });
    equal(http?.authorization, `Basic ${Buffer.from(credentials).toString("base64")}`);
  });
}

for (const value of ["https://me:hidden@p.test:1", "socks5://me:hidden@p.test", "http://me:hidden@p.test:99999"]) {
  Deno.test(`proxiesOf() names the variable and not its value when it cannot use ${value}`, () => {
    throws(() => proxiesOf({ all_proxy: value }), (error: unknown) => {
      ok(error instanceof TypeError);
      return error.message.includes("all_proxy") && !/hidden|p\.test/.test(error.message);
    });
  });
}
