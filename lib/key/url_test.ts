import { equal } from "node:assert/strict";
import fc from "fast-check";
import { defaultKeyRules } from "../step/mod.ts";
import { normalizeUrl } from "./url.ts";

const cases: readonly (readonly [what: string, url: string, normal: string])[] = [
  ["drops the default port and the fragment", "https://h:443/a#b", "https://h/a"],
  ["keeps another port", "http://h:8080/a", "http://h:8080/a"],
  ["adds the root path", "http://H", "http://h/"],
  ["sorts by name and keeps repeats in order", "http://h/?b=2&a=9&b=1&a=3", "http://h/?a=9&a=3&b=2&b=1"],
  ["drops an empty query and empty parameters", "http://h/?&", "http://h/"],
  ["tells a parameter without value from an empty one", "http://h/?b&a=", "http://h/?a=&b"],
  ["leaves percent-encoding alone", "http://h/?q=%7e+%20%ff", "http://h/?q=%7e+%20%ff"],
  ["drops campaign tracking", "http://h/?utm_source=x&UTM_Medium=y&q=1&gclid=2", "http://h/?q=1"],
  ["drops jQuery's cache buster", "http://h/?_=1700000000000&q=1", "http://h/?q=1"],
  ["keeps an underscore that is no time", "http://h/?_=abc", "http://h/?_=abc"],
  ["keeps `ts` and `timestamp`, which may be meant", "http://h/?timestamp=1&ts=2", "http://h/?timestamp=1&ts=2"],
  ["drops `timestamp` beside a signature", "http://h/?timestamp=1&signature=x", "http://h/?signature=x"],
  [
    "drops the date of a pre-signed URL",
    "https://b/k?X-Amz-Signature=[redacted]&X-Amz-Date=20261120T091233Z&X-Amz-Expires=60",
    "https://b/k?X-Amz-Expires=60&X-Amz-Signature=[redacted]",
  ],
  ["keeps X-Amz-Date without a signature", "https://b/?X-Amz-Date=1", "https://b/?X-Amz-Date=1"],
  ["keeps the constant", "https://h/?key=[redacted]", "https://h/?key=[redacted]"],
  ["reads the name of a function", "agrepl:search?b=1&a=2", "agrepl:search?a=2&b=1"],
  ["gives back what is no URL", "*", "*"],
];

for (const [what, url, normal] of cases) {
  Deno.test(`normalizeUrl() ${what}`, () => equal(normalizeUrl(url, defaultKeyRules), normal));
}

Deno.test("normalizeUrl() drops the parameters that rules name, percent-decoded and in their case", () => {
  const rules = { ...defaultKeyRules, ignoreQuery: ["trace id", "run"] };
  equal(normalizeUrl("http://h/?trace%20id=1&trace+id=2&run=3&Run=4&q=5", rules), "http://h/?Run=4&q=5");
});

Deno.test("normalizeUrl() is idempotent and ignores the order of different names", () => {
  const word = fc.constantFrom(
    "a",
    "b",
    "utm_source",
    "_",
    "x-amz-date",
    "x-amz-signature",
    "%20",
    "+",
    "é",
    "[redacted]",
    "",
  );
  const parameters = fc.uniqueArray(fc.tuple(word, fc.oneof(word, fc.string())), { selector: ([name]) => name });
  fc.assert(
    fc.property(parameters, fc.webUrl(), (pairs, base) => {
      const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
      const once = normalizeUrl(`${base}?${query.join("&")}`, defaultKeyRules);
      equal(normalizeUrl(once, defaultKeyRules), once);
      equal(normalizeUrl(`${base}?${query.toReversed().join("&")}`, defaultKeyRules), once);
    }),
    { numRuns: 300 },
  );
});

Deno.test("normalizeUrl() tells apart what differs in path, name, value or count", () => {
  const urls = [
    "http://h/a",
    "http://h/A",
    "http://h/a/",
    "http://h/a?x=1",
    "http://h/a?x=2",
    "http://h/a?x=1&x=1",
    "https://h/a",
  ];
  equal(new Set(urls.map((url) => normalizeUrl(url, defaultKeyRules))).size, urls.length);
});
