import { equal } from "node:assert/strict";
import { ruleFor } from "./_rule_for.ts";

const change = (field: string, recorded: string | null = "1", asked: string | null = "2") => ({
  field,
  recorded,
  asked,
});

const cases: readonly (readonly [what: string, changes: ReturnType<typeof change>[], rule: string | null])[] = [
  ["nothing", [], null],
  ["a parameter", [change("query user id")], "--ignore-query 'user id'"],
  ["a member", [change("body #/a/b")], "--ignore-json '#/a/b'"],
  ["a member more", [change("body #/a", null)], "--ignore-json '#/a'"],
  ["an item", [change("body #/a/0")], "--ignore-json '#/a/0'"],
  ["an item more, which makes the list longer", [change("body #/a/1", null)], null],
  ["an item less", [change("body #/a/1", "1", null)], null],
  ["another path", [change("query a"), change("path")], null],
  ["text", [change("body")], null],
  ["too much", Array.from({ length: 5 }, (_, index) => change(`body #/${index}x`)), null],
];
for (const [what, changes, rule] of cases) {
  Deno.test(`ruleFor() gives ${rule ?? "no rule"} when what differs is ${what}`, () => equal(ruleFor(changes), rule));
}
