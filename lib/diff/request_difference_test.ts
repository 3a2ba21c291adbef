import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { type ComparedRequest, requestDifference } from "./request_difference.ts";

const base: ComparedRequest = { method: "POST", url: "https://api.example.com/v1/chat?a=1", text: "", bodyBytes: 0 };

function request(text: string | null, bodyBytes: number = text?.length ?? 0): ComparedRequest {
  return { ...base, text, bodyBytes };
}

/** What differs, as `field: recorded -> asked`. */
function changesOf(recorded: ComparedRequest, asked: ComparedRequest): string[] {
  return requestDifference(recorded, asked).changes.map((each) => `${each.field}: ${each.recorded} -> ${each.asked}`);
}

const heads: readonly (readonly [what: string, changes: Partial<ComparedRequest>, difference: string[]])[] = [
  ["method", { method: "GET" }, ["method: POST -> GET"]],
  [
    "host",
    { url: "https://eu.example.com/v1/chat?a=1" },
    ["origin: https://api.example.com -> https://eu.example.com"],
  ],
  [
    "port",
    { url: "https://api.example.com:444/v1/chat?a=1" },
    ["origin: https://api.example.com -> https://api.example.com:444"],
  ],
  ["path", { url: "https://api.example.com/v2/chat?a=1" }, ["path: /v1/chat -> /v2/chat"]],
  ["value of a query parameter", { url: "https://api.example.com/v1/chat?a=2" }, ["query a: 1 -> 2"]],
  ["repeat of a query parameter", { url: "https://api.example.com/v1/chat?a=1&a=2" }, ["query a: 1 -> 1, 2"]],
  [
    "name of a query parameter",
    { url: "https://api.example.com/v1/chat?b=1" },
    ["query a: 1 -> null", "query b: null -> 1"],
  ],
  ["order of the query", { url: "https://api.example.com:443/v1/chat?a=1" }, []],
  ["URL that is none", { url: "agrepl" }, [
    "origin: https://api.example.com -> ",
    "path: /v1/chat -> agrepl",
    "query a: 1 -> null",
  ]],
];
for (const [what, changes, difference] of heads) {
  Deno.test(`requestDifference() gives ${difference.length} changes when the request has another ${what}`, () => {
    deepEqual(changesOf(base, { ...base, ...changes }), difference);
  });
}

const bodies: readonly (readonly [what: string, recorded: string, asked: string, difference: string[]])[] = [
  ["a member", '{"a":{"b":1},"c":2}', '{"a":{"b":3},"c":2}', ["body #/a/b: 1 -> 3"]],
  ["an item", '{"m":[{"t":"x"},{"t":"y"}]}', '{"m":[{"t":"x"},{"t":"z"}]}', ['body #/m/1/t: "y" -> "z"']],
  ["one member more", '{"a":1}', '{"a":1,"b":null}', ["body #/b: null -> null"]],
  ["a name that wants escaping", '{"a/b~c":1}', '{"a/b~c":2}', ["body #/a~1b~0c: 1 -> 2"]],
  ["an empty list", '{"a":[]}', '{"a":[1]}', ["body #/a/0: null -> 1"]],
  ["text where JSON was", "[1]", "none", ["body: [1] -> none"]],
  ["text", "good morning", "good night", ["body: good morning -> good night"]],
  ["a bare JSON value", "1", "2", ["body: 1 -> 2"]],
  ["a body at all", "", "x", ["body:  -> x"]],
  ["a number that no double tells apart", "[9007199254740993]", "[9007199254740992]", [
    "body: [9007199254740993] -> [9007199254740992]",
  ]],
];
for (const [what, recorded, asked, difference] of bodies) {
  Deno.test(`requestDifference() names it when the body differs in ${what}`, () => {
    deepEqual(changesOf(request(recorded), request(asked)), difference);
  });
}

Deno.test("requestDifference() does not tell of blanks in JSON when something else differs", () => {
  deepEqual(changesOf(request('{"a":1}'), { ...request('{ "a": 1 }'), method: "PUT" }), ["method: POST -> PUT"]);
});

Deno.test("requestDifference() counts bytes when a body is not text", () => {
  deepEqual(changesOf(request(null, 5), request(null, 7)), ["body: 5 bytes -> 7 bytes"]);
  deepEqual(changesOf(request(null, 5), request("hello")), ["body: 5 bytes -> 5 bytes of text"]);
});

Deno.test("requestDifference() shows long values around the place where they part", () => {
  const [recorded, asked] = [`${"x".repeat(1000)}A${"y".repeat(500)}`, `${"x".repeat(1000)}B${"y".repeat(500)}`];
  const [change] = requestDifference(request(recorded), request(asked)).changes;
  equal(change?.recorded, `…${"x".repeat(40)}A${"y".repeat(119)}…`);
  equal(change?.asked, `…${"x".repeat(40)}B${"y".repeat(119)}…`);
});

const similarities: readonly (readonly [recorded: string, asked: string, similarity: number])[] = [
  ["", "", 1],
  ['{"a":1,"b":2}', '{"a":1,"b":3}', 0.5],
  ['{"a":1}', '{"b":1}', 0],
  ["one two three", "one two four", 0.5],
  ["one", "two", 0],
];
for (const [recorded, asked, similarity] of similarities) {
  Deno.test(`requestDifference() finds ${recorded || "nothing"} and ${asked || "nothing"} alike by ${similarity}`, () => {
    equal(requestDifference(request(recorded), request(asked)).similarity, similarity);
  });
}

Deno.test("requestDifference() reads JSON that is nested deeper than a stack is", () => {
  const deep = (leaf: string) => "[".repeat(4000) + leaf + "]".repeat(4000);
  equal(requestDifference(request(deep("1")), request(deep("2"))).changes.length, 1);
});

const anyRequest: fc.Arbitrary<ComparedRequest> = fc.record({
  method: fc.constantFrom("GET", "POST"),
  url: fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string()),
  text: fc.option(fc.oneof(fc.string(), fc.json())),
  bodyBytes: fc.nat(),
});

Deno.test("requestDifference() finds nothing between a request and itself", () => {
  fc.assert(fc.property(anyRequest, (each) => {
    deepEqual(requestDifference(each, { ...each }), { changes: [], similarity: 1 });
  }));
});

Deno.test("requestDifference() gives the same the other way round, sides exchanged", () => {
  fc.assert(fc.property(anyRequest, anyRequest, (a, b) => {
    // An item of a list is told by its place, which is another one on the other side.
    fc.pre(![a, b].some(({ text }) => text?.includes("[")));
    const sort = (changes: string[]) => changes.toSorted();
    const turned = requestDifference(b, a).changes.map((each) => `${each.field}: ${each.asked} -> ${each.recorded}`);
    deepEqual(sort(changesOf(a, b)), sort(turned));
  }));
});
