import { equal } from "node:assert/strict";
import { type Header, headerValue } from "./step.ts";

const headers: readonly Header[] = [["X-Token", "a"], ["Set-Cookie", "b"], ["set-cookie", "c"]];

Deno.test("headerValue() finds the first of a name when it stands in another case", () => {
  equal(headerValue(headers, "set-cookie"), "b");
});

Deno.test("headerValue() gives undefined when there is none, though another begins alike", () => {
  equal(headerValue(headers, "x-toke"), undefined);
  equal(headerValue([], "x-token"), undefined);
});
