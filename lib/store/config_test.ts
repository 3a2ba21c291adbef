import { deepEqual, throws } from "node:assert/strict";
import { ThrowawayStore } from "../../tests/support/throwaway_store.ts";
import { addToConfig, configPath, readConfig } from "./config.ts";

const nothing = { ignoreQuery: [], ignoreJson: [], ignoreText: [], noise: [], signal: [] };

Deno.test("readConfig() gives no rules when there is no file", () => {
  using room = new ThrowawayStore();
  deepEqual(readConfig(room.layout), nothing);
});

Deno.test("readConfig() reads all rules, text rules in both spellings", () => {
  using room = new ThrowawayStore();
  room.write(
    ".agrepl/config.json",
    JSON.stringify({
      ignore_query: ["t"],
      ignore_json: ["#/id"],
      ignore_text: ["date", { url: "https://a/*", pattern: "x+" }],
      diff: { noise: ["x-build"], signal: ["etag"] },
    }),
  );
  deepEqual(readConfig(room.layout), {
    ignoreQuery: ["t"],
    ignoreJson: ["#/id"],
    ignoreText: [{ pattern: "date" }, { url: "https://a/*", pattern: "x+" }],
    noise: ["x-build"],
    signal: ["etag"],
  });
});

Deno.test("readConfig() gives no rules when a file stands where the store should", () => {
  using room = new ThrowawayStore();
  room.write(".agrepl", "");
  deepEqual(readConfig(room.layout), nothing);
});

const wrong: readonly (readonly [what: string, text: string, problem: RegExp])[] = [
  ["no JSON", "{", /config\.json": it is no JSON/],
  ["a list", "[]", /the whole of it is a list, expected an object/],
  ["a diff that is none", '{"diff":1}', /diff is a number, expected an object/],
  ["a text for a list", '{"ignore_query":"t"}', /ignore_query is a string, expected a list/],
  ["a number among texts", '{"diff":{"noise":[1]}}', /diff\.noise holds a number, expected texts/],
  ["a text rule without a pattern", '{"ignore_text":[{}]}', /a rule without its pattern/],
];
for (const [what, text, problem] of wrong) {
  Deno.test(`readConfig() throws a ConfigError when the file holds ${what}`, () => {
    using room = new ThrowawayStore();
    room.write(".agrepl/config.json", text);
    throws(() => readConfig(room.layout), { name: "ConfigError", message: problem });
  });
}

Deno.test("addToConfig() keeps what is there, unknown members too, and writes nothing twice", () => {
  using room = new ThrowawayStore();
  room.write(".agrepl/config.json", '{"later":1,"ignore_query":["t"],"diff":{"noise":["a"],"more":2}}');
  const added = { ...nothing, ignoreQuery: ["t", "u"], ignoreText: [{ pattern: "date" }], noise: ["b"] };
  addToConfig(room.layout, added);
  addToConfig(room.layout, added);
  deepEqual(JSON.parse(Deno.readTextFileSync(configPath(room.layout))), {
    later: 1,
    ignore_query: ["t", "u"],
    ignore_json: [],
    ignore_text: ["date"],
    diff: { noise: ["a", "b"], more: 2, signal: [] },
  });
});

Deno.test("readConfig() reads what is redacted besides, and addToConfig() leaves it", () => {
  using room = new ThrowawayStore();
  room.write(".agrepl/config.json", '{"redact":["cust-\\\\d+"]}');
  addToConfig(room.layout, { ...nothing, noise: ["date"] });
  deepEqual(readConfig(room.layout), { ...nothing, noise: ["date"], redact: ["cust-\\d+"] });
});
