import { equal, notEqual } from "node:assert/strict";
import { answerTo, bodyBytes, type ExchangeKind, requestBody, stepPath } from "./exchange.ts";

const distinct: ExchangeKind = { method: "POST", distinct: true };
const alike: ExchangeKind = { method: "POST", distinct: false };

Deno.test("requestBody() is JSON of 1 KiB whatever the number", () => {
  for (const index of [0, 7, 3999, 123456]) {
    equal(requestBody(distinct, index).length, bodyBytes);
    equal(JSON.parse(requestBody(distinct, index)).seed, index);
  }
});

Deno.test("requestBody() and stepPath() tell requests apart when they are to be distinct", () => {
  notEqual(requestBody(distinct, 1), requestBody(distinct, 2));
  notEqual(stepPath(distinct, 1), stepPath(distinct, 2));
  equal(requestBody(alike, 1), requestBody(alike, 2));
  equal(stepPath(alike, 1), stepPath(alike, 2));
});

Deno.test("answerTo() is 1 KiB and another for each path", () => {
  equal(answerTo("/step/1").length, bodyBytes);
  notEqual(answerTo("/step/1"), answerTo("/step/11"));
});
