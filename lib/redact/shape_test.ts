import { deepEqual, equal, notEqual } from "node:assert/strict";
import { Redactor } from "./redactor.ts";
import { shapeRules } from "./shape_rules.ts";

/** As long as a key of that class may be, its letters and digits mixed. */
function tailFor(tail: string, length: number): string {
  const alphabet = [..."k7Rz2mQ9xB4vT6nW8cY3hJ5dFgLpSaE1K0"].filter((letter) => new RegExp(`[${tail}]`).test(letter));
  return Array.from({ length }, (_, at) => alphabet[(at * 7) % alphabet.length]).join("");
}

for (const { id, prefix, tail, min, keepPrefix } of shapeRules) {
  Deno.test(`text() finds ${id} in loose text, in JSON and in a URL, and nothing of it is left`, () => {
    const secret = tailFor(tail, Math.max(min, 24) + 24);
    for (const [before, after] of [["use ", ", now"], ['{"x":"', '"}'], ["https://h/?x=", "&y=1"]] as const) {
      const { stored } = new Redactor().text(before + prefix + secret + after);
      deepEqual([stored.length, stored.endsWith(after)], [
        before.length + prefix.length + secret.length + after.length,
        true,
      ]);
      equal(stored.includes(secret.slice(0, 8)), false, stored);
      equal(stored.includes(prefix), keepPrefix, stored);
    }
  });
}

Deno.test("text() leaves alone what only begins like a key", () => {
  const words = [
    "https://news.example/sk-hynix-hbm4-memory-production-2026-outlook",
    "sk-circle-fade-dot-animation-element",
    "task-4f2b8c1d9e3a7f605b",
    "xoxo-and-many-hugs-from-all-of-us-2026",
    "pypi-package-index-mirror-for-python-3-12-and-all-later-versions",
    "ASIA-PACIFIC 2026",
    "-----BEGIN PRIVATE KEY----- is the line that a key of PKCS 8 begins with in PEM",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE",
  ];
  for (const text of words) equal(new Redactor().text(text).stored, text);
});

const pem = `-----BEGIN PRIVATE KEY-----\n${tailFor("\\w+/", 64)}\n${
  tailFor("\\w+/", 61)
}==\n-----END PRIVATE KEY-----\n`;

Deno.test("body() takes a private key out of JSON, however deep, and leaves it JSON", () => {
  let text = pem;
  for (const depth of [1, 2, 3]) {
    text = JSON.stringify({ key_file: text, rest: depth });
    const { stored, found } = new Redactor().text(text);
    deepEqual([found, stored.length, stored.includes(pem.slice(30, 50))], [1, text.length, false]);
    equal(JSON.parse(stored).rest, depth);
  }
});

Deno.test("body() leaves a JSON string closed when a private key in it was cut off", () => {
  const inner = JSON.stringify({ cut: pem.slice(0, 110) });
  const text = JSON.stringify({ inner, next: 1 });
  const { stored } = new Redactor().text(text);
  notEqual(stored, text);
  equal(JSON.parse(JSON.parse(stored).inner).cut.includes(pem.slice(30, 50)), false);
});
