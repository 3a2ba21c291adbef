import { deepEqual, equal } from "node:assert/strict";
import { parseNoProxy } from "./_no_proxy.ts";

/** Which of some origins a list exempts. */
const cases: Record<string, { readonly yes: readonly string[]; readonly no: readonly string[] }> = {
  "": { yes: [], no: ["a.test:80", "127.0.0.1:80", "localhost:80"] },
  "*": { yes: ["a.test:80", "[::1]:443"], no: [] },
  "a.test": { yes: ["a.test:80", "b.a.test:443", "A.TEST:80", "a.test.:80"], no: ["ba.test:80", "a.test.org:80"] },
  ".a.test": { yes: ["a.test:80", "b.a.test:80"], no: ["ba.test:80"] },
  "*.a.test": { yes: ["b.a.test:80"], no: ["ba.test:80"] },
  "a.test:8080": { yes: ["a.test:8080", "b.a.test:8080"], no: ["a.test:80"] },
  "127.0.0.1": { yes: ["127.0.0.1:80"], no: ["127.0.0.2:80", "9.127.0.0.1.test:80"] },
  "127.0.0.1:81": { yes: ["127.0.0.1:81"], no: ["127.0.0.1:80"] },
  "::1": { yes: ["[::1]:80"], no: ["[::2]:80"] },
  "[0:0:0:0:0:0:0:1]:81": { yes: ["[::1]:81"], no: ["[::1]:80"] },
  "10.0.0.0/8": { yes: ["10.9.8.7:80"], no: ["11.0.0.1:80", "10.test:80", "[::1]:80"] },
  "fd00::/8": { yes: ["[fd12::1]:80"], no: ["[fe80::1]:80", "10.0.0.1:80"] },
  "10.0.0.0/99": { yes: [], no: ["10.0.0.0:80"] },
  " a.test,\tb.test ,, c.test": { yes: ["a.test:80", "b.test:80", "c.test:80"], no: ["d.test:80"] },
  ".": { yes: [], no: ["a.test:80"] },
};

for (const [list, { yes, no }] of Object.entries(cases)) {
  Deno.test(`parseNoProxy() exempts what is meant when the list is ${JSON.stringify(list)}`, () => {
    const exempts = parseNoProxy(list);
    const asked = (origin: string) => {
      const at = origin.lastIndexOf(":");
      return exempts(origin.slice(0, at), Number(origin.slice(at + 1)));
    };
    deepEqual([...yes, ...no].filter(asked), yes);
  });
}

Deno.test("parseNoProxy() takes an IPv6 address as a URL gives it, without brackets", () => {
  equal(parseNoProxy("[::1]")("::1", 80), true);
});
