import { deepEqual, equal, throws } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { defaultKeyRules, type KeyRules } from "../step/mod.ts";
import { canonicalBody } from "./body.ts";
import { compileRules } from "./rules.ts";

const context = { cwd: "/work/agent", home: "/home/me" };

function canonical(body: string, contentType?: string, rules: Partial<KeyRules> = {}, url = "https://h/v1/x"): string {
  const request = { method: "POST", url, contentType, body: Buffer.from(body, "utf8") };
  return Buffer.from(canonicalBody(request, compileRules({ ...defaultKeyRules, ...rules }, context))).toString("utf8");
}

const jsonTypes = [
  "application/json",
  "Application/JSON; charset=utf-8",
  "application/vnd.api+json",
  "text/plain;charset=UTF-8",
];
for (const type of [...jsonTypes, "application/x-www-form-urlencoded", undefined]) {
  Deno.test(`canonicalBody() reads JSON when the content type is ${type}`, () => {
    equal(canonical(' {"b":1,"a":2}', type), '{"a":2,"b":1}');
  });
}

for (const type of ["application/x-ndjson", "application/json-seq", "application/octet-stream", "text/html"]) {
  Deno.test(`canonicalBody() leaves a body alone when the content type is ${type}`, () => {
    equal(canonical('{"b":1,"a":2}', type), '{"b":1,"a":2}');
  });
}

Deno.test("canonicalBody() leaves a text alone that only looks like JSON", () => {
  equal(canonical("[draft] hello", "text/plain"), "[draft] hello");
});

Deno.test("canonicalBody() changes no byte of a body that is not UTF-8", () => {
  const body = Uint8Array.from([0x7b, 0xff, 0x7d]);
  const request = { method: "POST", url: "https://h/", contentType: "application/json", body };
  deepEqual(canonicalBody(request, compileRules(defaultKeyRules, context)), body);
});

Deno.test("canonicalBody() drops the id of JSON-RPC, in batches too, but no other id", () => {
  equal(canonical('{"jsonrpc":"2.0","id":"a","params":{"id":1}}'), '{"jsonrpc":"2.0","params":{"id":1}}');
  equal(canonical('[{"jsonrpc":"2.0","id":1},{"jsonrpc":"2.0","id":2}]'), '[{"jsonrpc":"2.0"},{"jsonrpc":"2.0"}]');
  equal(canonical('{"jsonrpc":"1.0","id":1}'), '{"id":1,"jsonrpc":"1.0"}');
});

Deno.test("canonicalBody() replaces the boundary only in delimiter lines", () => {
  const body = "--b\r\n\r\nsay --b and --bc\r\n--bc\r\n--b--\r\n";
  const expected = "--agrepl-boundary\r\n\r\nsay --b and --bc\r\n--bc\r\n--agrepl-boundary--\r\n";
  equal(canonical(body, 'multipart/mixed; boundary="b"'), expected);
});

const jsonRules: readonly (readonly [rule: string, result: string])[] = [
  ["#/a", '{"b":{"c":1}}'],
  ["POST #/b/c", '{"a":1,"b":{}}'],
  ["GET #/a", '{"a":1,"b":{"c":1}}'],
  ["https://h/v1/* #/a", '{"b":{"c":1}}'],
  ["https://other/* #/a", '{"a":1,"b":{"c":1}}'],
  ["post /v1/* #/*", "{}"],
  ["#", "null"],
];
for (const [rule, result] of jsonRules) {
  Deno.test(`canonicalBody() obeys ignore_json "${rule}"`, () => {
    equal(canonical('{"a":1,"b":{"c":1}}', "application/json", { ignoreJson: [rule] }), result);
  });
}

const texts: readonly (readonly [pattern: string, text: string, result: string])[] = [
  ["date", "on 2026-11-20T09:12:33.120Z or 2026-11-20", "on [ignored] or [ignored]"],
  ["date", "Today is Friday, November 20, 2026.", "Today is [ignored]."],
  ["date", "Fri, 20 Nov 2026 09:12:33 GMT!", "[ignored]!"],
  ["date", "at 11/20/2026 9:12 AM", "at [ignored]"],
  ["date", "version 12.2026-1, May I, room 2026", "version 12.2026-1, May I, room 2026"],
  ["uuid", "id 0b5c9a52-3B0e-4c5e-9c55-0123456789ab", "id [ignored]"],
  ["cwd", "in /work/agent/src, not /work/agents", "in [ignored]/src, not /work/agents"],
  ["home", "~ is /home/me", "~ is [ignored]"],
  ["run-\\d+", "run-12 run-x", "[ignored] run-x"],
];
for (const [pattern, text, result] of texts) {
  Deno.test(`canonicalBody() obeys ignore_text "${pattern}" in "${text}"`, () => {
    equal(canonical(text, "text/plain", { ignoreText: [{ pattern }] }), result);
  });
}

Deno.test("canonicalBody() obeys ignore_text only for its URL", () => {
  equal(canonical("x1", "text/plain", { ignoreText: [{ url: "https://h/*", pattern: "\\d" }] }), "x[ignored]");
  equal(canonical("x1", "text/plain", { ignoreText: [{ url: "https://g/*", pattern: "\\d" }] }), "x1");
});

Deno.test("canonicalBody() finds a Windows path in JSON too", () => {
  const rules = compileRules({ ...defaultKeyRules, ignoreText: [{ pattern: "cwd" }] }, { cwd: "C:\\work", home: "" });
  const body = Buffer.from('{"a":"C:\\\\work\\\\x"}');
  const request = { method: "POST", url: "https://h/", contentType: "application/json", body };
  equal(Buffer.from(canonicalBody(request, rules)).toString(), '{"a":"[ignored]\\\\x"}');
});

const wrong: readonly (readonly [rules: Partial<KeyRules>, message: RegExp])[] = [
  [{ ignoreJson: ["/a/b"] }, /Cannot read ignore_json rule "\/a\/b": expected/],
  [{ ignoreJson: ["#a"] }, /Cannot read JSON pointer "#a"/],
  [{ ignoreJson: ["#/a~2"] }, /"~" must be written "~0"/],
  [{ ignoreJson: ["POST https://[ #/a"] }, /is no URLPattern/],
  [{ ignoreText: [{ pattern: "(" }] }, /it is no regular expression and no preset/],
  [{ ignoreText: [{ pattern: "a*" }] }, /it matches the empty text/],
];
for (const [rules, message] of wrong) {
  Deno.test(`compileRules() throws a TypeError that says ${message.source}`, () => {
    throws(
      () => compileRules({ ...defaultKeyRules, ...rules }, context),
      (error) => error instanceof TypeError && message.test(error.message),
    );
  });
}
