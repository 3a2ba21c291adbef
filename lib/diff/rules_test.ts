import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { bodyRules, looksMachineMade, nameOf } from "./body_rules.ts";
import { cookieRules } from "./cookie_rules.ts";
import { headerRules } from "./header_rules.ts";
import { compileDiffRules, headerVerdict, isListedSignal, memberVerdict, tablesOnly } from "./rules.ts";
import type { Tier } from "./tier.ts";

const headers: readonly (readonly [name: string, a: string | null, b: string | null, tier: Tier])[] = [
  ["date", "x", "y", "noise"],
  ["date", null, "y", "noise"],
  ["x-ratelimit-remaining-tokens", "1", "2", "noise"],
  ["location", null, "/", "signal"],
  ["x-cache", "HIT", null, "signal"],
  ["access-control-allow-origin", "*", "a", "signal"],
  ["x-unheard-of", "1", "2", "signal"],
  ["x-unheard-of", null, "2", "removed"],
  ["set-cookie/NID", "1", null, "removed"],
  ["set-cookie/NID", "1", "2", "noise"],
  ["set-cookie/laravel_session", "1", "2", "noise"],
  ["set-cookie/theme", "dark", "light", "signal"],
  ["cookie/_ga_X1", "1", "2", "noise"],
  ["expires", "Sat, 18 Apr 2026 08:00:00 GMT", "Sun, 19 Apr 2026 08:00:00 GMT", "noise"],
  ["expires", "0", "Sun, 19 Apr 2026 08:00:00 GMT", "signal"],
];
for (const [name, a, b, tier] of headers) {
  Deno.test(`headerVerdict() calls ${name} ${a} -> ${b} ${tier}`, () => {
    equal(headerVerdict({ name, a, b, besideBody: true }, tablesOnly).tier, tier);
  });
}

Deno.test("headerVerdict() calls an etag noise beside a body, and signal where it is all there is", () => {
  const etag = { name: "etag", a: '"1"', b: '"2"' };
  equal(headerVerdict({ ...etag, besideBody: true }, tablesOnly).tier, "noise");
  equal(headerVerdict({ ...etag, besideBody: false }, tablesOnly).tier, "signal");
});

Deno.test("headerVerdict() takes a user's rules before the tables, signal before noise", () => {
  const rules = compileDiffRules({
    noise: ["X-Build-*", "server", "set-cookie/theme"],
    signal: ["date", "x-build-os"],
  });
  const tierOf = (name: string) => headerVerdict({ name, a: "1", b: "2", besideBody: true }, rules).tier;
  deepEqual(["x-build-id", "x-build-os", "server", "date", "set-cookie/theme"].map(tierOf), [
    "noise",
    "signal",
    "noise",
    "signal",
    "noise",
  ]);
  equal(headerVerdict({ name: "server", a: "1", b: "2", besideBody: true }, rules).why, 'your rule "server"');
});

const post = { method: "POST", url: "https://api.example.com/v1/chat" };

const members: readonly (readonly [what: string, path: string, value: unknown, isNoise: boolean])[] = [
  ["a vendor's id", "id", "chatcmpl-9sXq2LmPz4Ab", true],
  ["an id that is a number", "id", 7, false],
  ["an id that is a word", "id", "main-character", false],
  ["the name of a model", "data/0/id", "gpt-4o-mini-2024-07-18", false],
  ["the name of a model in capitals", "data/0/id", "Llama-3-70B-Instruct-2024-07-18", false],
  ["the hash of a commit", "id", "da39a3ee5e6b4b0d3255bfef95601890afd80709", false],
  ["an id of another vendor", "id", "msg_bdrk_01XyZw4567890aBc", true],
  ["an id without a digit", "id", "call_QzXfTbLmNRaKpWvYhUsDgJeC", true],
  ["a name in camelCase", "id", "event_userProfilePictureUpdated", false],
  ["an id with a time in it", "id", "gen-1776503553-AbCd3fGh1JkLmN0p", true],
  ["an id behind a prefix", "id", "chatcmpl-3f2b8c1e-0d4a-4b6f-9a77-2c5d1e8f9a10", true],
  ["an id without a prefix", "responseId", "3yDzaKi0Jp6Qz7IPw4qX-A", true],
  ["a uuid", "data/0/uuid", "3f2b8c1e-0d4a-4b6f-9a77-2c5d1e8f9a10", true],
  ["the id of a call", "choices/0/message/tool_calls/0/id", "call_Ab12Cd34Ef56Gh78", true],
  ["a creation time in seconds", "created", 1776503553, true],
  ["a creation time in another spelling", "createdAt", "2026-04-18T09:12:33.120Z", true],
  ["a year", "created", 1998, false],
  ["when a meeting starts", "start_time", "2026-04-18T09:12:33Z", false],
  ["a fingerprint", "system_fingerprint", "fp_44709d6fcb", true],
  ["how warm a cache was", "usage/prompt_tokens_details/cached_tokens", 128, true],
  ["how many tokens", "usage/prompt_tokens", 128, false],
  [
    "an id among a tool's arguments",
    "tool_calls/0/function/arguments/id",
    "3f2b8c1e-0d4a-4b6f-9a77-2c5d1e8f9a10",
    false,
  ],
  ["an id in a tool's input", "content/1/input/id", "3f2b8c1e-0d4a-4b6f-9a77-2c5d1e8f9a10", false],
  ["an id in a conversation's input", "input/2/call_id", "call_Ab12Cd34Ef56Gh78", true],
  ["an answer's words", "choices/0/message/content", "chatcmpl-9sXq2LmPz4Ab", false],
  ["a member that is not there", "id", undefined, false],
];
for (const [what, path, value, isNoise] of members) {
  Deno.test(`memberVerdict() calls ${what} ${isNoise ? "noise" : "no noise"}`, () => {
    equal(memberVerdict(post, tablesOnly)(path.split("/"), value)?.tier === "noise", isNoise);
  });
}

Deno.test("memberVerdict() takes a moment for a hostile value", () => {
  const begun = performance.now();
  for (const letter of ["a", "aB", "aB1"]) memberVerdict(post, tablesOnly)(["id"], letter.repeat(1_000_000));
  ok(performance.now() - begun < 5000, "backtracking");
});

Deno.test("memberVerdict() knows no noise in what a recorded tool was given and gave", () => {
  equal(memberVerdict({ method: "TOOL", url: "agrepl:x" }, tablesOnly)(["id"], "chatcmpl-9sXq2LmPz4Ab"), null);
});

Deno.test("memberVerdict() holds a user's rule for its method, its URL and all below its pointer", () => {
  const rules = compileDiffRules({ noise: ["POST https://api.example.com/* #/usage", "#/n/*/at"], signal: ["#/id"] });
  const verdict = memberVerdict(post, rules);
  const tiers = ["usage", "usage/tokens", "n/3/at", "n/3", "id"].map((path) => verdict(path.split("/"), 1)?.tier);
  deepEqual(tiers, ["noise", "noise", "noise", undefined, "signal"]);
  equal(memberVerdict({ ...post, method: "GET" }, rules)(["usage"], 1), null);
});

for (const rule of ["two words", "", "#pointer", "a;b"]) {
  Deno.test(`compileDiffRules() throws a TypeError when a rule is "${rule}"`, () => {
    throws(() => compileDiffRules({ noise: [rule], signal: [] }), TypeError);
  });
}

Deno.test("isListedSignal() tells what is always named", () => {
  deepEqual(["server", "x-cache", "date", "x-unheard-of"].map(isListedSignal), [true, true, false, false]);
});

Deno.test("the tables give a reason and a source with every line, and name nothing in two spellings", () => {
  for (const { why, source } of [...headerRules, ...cookieRules, ...bodyRules]) ok(why !== "" && source !== "");
  for (const name of headerRules.flatMap(({ names }) => names)) equal(name, name.toLowerCase());
  for (const name of bodyRules.flatMap(({ names }) => names)) equal(name, nameOf(name));
});

Deno.test("the table of headers names no header twice", () => {
  const names = headerRules.flatMap((rule) => rule.names);
  deepEqual(names.filter((name, at) => names.indexOf(name) !== at), []);
});

const values: readonly (readonly [value: string, isMade: boolean])[] = [
  ["a81f3c9d77", true],
  ["2026-04-18T09:12:33Z", true],
  ["12.5ms", true],
  ["hello", false],
  ["deadbeef", false],
  ["42", false],
  ["gpt-4o-mini", false],
];
for (const [value, isMade] of values) {
  Deno.test(`looksMachineMade() is ${isMade} for ${value}`, () => equal(looksMachineMade(value), isMade));
}
