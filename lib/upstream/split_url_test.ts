import { deepEqual, throws } from "node:assert/strict";
import { splitUrl } from "./split_url.ts";

const cases: Record<string, readonly [secure: boolean, host: string, port: number, target: string]> = {
  "http://a.test": [false, "a.test", 80, "/"],
  "https://A.test?x=1": [true, "a.test", 443, "/?x=1"],
  "HTTP://a.test:8080/%7ea b//c?q=[%5b]#part": [false, "a.test", 8080, "/%7ea b//c?q=[%5b]"],
  "https://[::1]:8443/": [true, "::1", 8443, "/"],
  "http://user:pw@a.test/x": [false, "a.test", 80, "/x"],
};

for (const [url, [secure, host, port, target]] of Object.entries(cases)) {
  Deno.test(`splitUrl() leaves the target as it is written when it takes ${url} apart`, () => {
    deepEqual(splitUrl(url), { secure, host, port, target });
  });
}

for (const url of ["", "/path", "ftp://a.test/", "http://", "http://a.test:99999/"]) {
  Deno.test(`splitUrl() throws a TypeError when it gets "${url}"`, () => {
    throws(() => splitUrl(url), TypeError);
  });
}
