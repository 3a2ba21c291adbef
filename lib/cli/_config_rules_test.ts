import { deepEqual, equal } from "node:assert/strict";
import { defaultKeyRules } from "../step/mod.ts";
import { withConfig } from "./_config_rules.ts";

const config = { ignoreQuery: ["t"], ignoreJson: ["#/id"], ignoreText: [{ pattern: "date" }], noise: [], signal: [] };

Deno.test("withConfig() adds what is not there", () => {
  const rules = { ...defaultKeyRules, ignoreQuery: ["t", "u"], ignoreText: [{ pattern: "date", url: "https://a/*" }] };
  deepEqual(withConfig(rules, config), {
    version: 1,
    ignoreQuery: ["t", "u"],
    ignoreJson: ["#/id"],
    ignoreText: [{ pattern: "date", url: "https://a/*" }, { pattern: "date" }],
  });
});

Deno.test("withConfig() gives the same rules when all is there already", () => {
  const rules = withConfig(defaultKeyRules, config);
  equal(withConfig(rules, config), rules);
});
