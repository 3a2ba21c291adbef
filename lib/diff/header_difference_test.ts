import { deepEqual } from "node:assert/strict";
import type { Header } from "../step/mod.ts";
import { headerDifference } from "./header_difference.ts";
import { tablesOnly } from "./rules.ts";

const options = {
  part: "response",
  kind: "header",
  besideBody: true,
  rules: tablesOnly,
  withEqual: false,
} as const;

function changesOf(a: readonly Header[], b: readonly Header[], withEqual = false): string[] {
  return headerDifference(a, b, { ...options, withEqual }).map((each) =>
    `${each.tier} ${each.field}: ${each.a} -> ${each.b}`
  );
}

const cases: readonly (readonly [what: string, a: readonly Header[], b: readonly Header[], expected: string[]])[] = [
  ["the case of a name", [["Vary", "x"]], [["vary", "x"]], []],
  ["the order of names", [["a", "1"], ["b", "2"]], [["b", "2"], ["a", "1"]], []],
  ["the order of repeats", [["vary", "a"], ["vary", "b"]], [["vary", "b"], ["vary", "a"]], [
    "signal header vary: a, b -> b, a",
  ]],
  ["a header that is new", [["vary", "x"]], [["location", "/"], ["vary", "x"], ["x-new", "1"]], [
    "signal header location: null -> /",
    "removed header x-new: null -> 1",
  ]],
  ["one cookie of two", [["set-cookie", "a=1; path=/"], ["set-cookie", "b=2"]], [["set-cookie", "a=9; path=/"], [
    "set-cookie",
    "b=2",
  ]], [
    "signal header set-cookie/a: 1; path=/ -> 9; path=/",
  ]],
  ["when a cookie ends", [["set-cookie", "a=1; expires=Sat, 18 Apr 2026 08:00:00 GMT"]], [
    ["set-cookie", "a=1; expires=Sun, 19 Apr 2026 08:00:00 GMT"],
  ], []],
  ["that a cookie is taken away", [["set-cookie", "a=1; expires=Sat, 18 Apr 2026 08:00:00 GMT"]], [
    ["set-cookie", "a=1; expires=Thu, 01 Jan 1970 00:00:00 GMT"],
  ], [
    "signal header set-cookie/a: 1; expires=Sat, 18 Apr 2026 08:00:00 GMT -> 1; expires=Thu, 01 Jan 1970 00:00:00 GMT",
  ]],
  ["one cookie that is sent", [["cookie", "a=1; b=2"]], [["cookie", "a=1; b=3"]], ["signal header cookie/b: 2 -> 3"]],
  ["which secret was replaced", [["authorization", "Bearer [redacted-1***]"]], [[
    "authorization",
    "Bearer [redacted-12]",
  ]], []],
  ["a boundary", [["content-type", "multipart/mixed; boundary=a1"]], [[
    "content-type",
    'multipart/mixed; boundary="b2"',
  ]], []],
  ["a nonce", [["content-security-policy", "script-src 'nonce-a1'"]], [[
    "content-security-policy",
    "script-src 'nonce-b2'",
  ]], []],
  ["a policy", [["content-security-policy", "script-src 'self'"]], [["content-security-policy", "script-src *"]], [
    "signal header content-security-policy: script-src 'self' -> script-src *",
  ]],
];
for (const [what, a, b, expected] of cases) {
  Deno.test(`headerDifference() gives ${expected.length} changes when what differs is ${what}`, () => {
    deepEqual(changesOf(a, b), expected);
  });
}

Deno.test("headerDifference() names what is listed as signal and equal, when that is asked for", () => {
  const headers: Header[] = [["server", "x"], ["date", "y"]];
  deepEqual(changesOf(headers, headers, true), ["equal header server: x -> x"]);
});
