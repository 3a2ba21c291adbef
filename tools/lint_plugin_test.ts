import { deepEqual, equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import plugin, { pluginFor } from "./lint_plugin.ts";

const here = fileURLToPath(new URL("..", import.meta.url));

/** For each rule: a file, a violation there, and the closest legal code. */
const pairs: Readonly<Record<string, readonly [path: string, wrong: string, right: string]>> = {
  "layer-order": ["lib/key/key.ts", 'import "../store/mod.ts";', 'import "../redact/mod.ts";'],
  "folder-door": ["lib/key/key.ts", 'import "../redact/redact.ts";', 'import "../redact/mod.ts";'],
  "purity": ["lib/key/key.ts", "new Date();", "new Date(0);"],
  "no-escape": ["lib/key/key.ts", "await import(name);", 'await import("./norm.ts");'],
};

function ruleIds(checked: Deno.lint.Plugin, filename: string, source: string): string[] {
  return Deno.lint.runPlugin(checked, filename, source).map((finding) => finding.id);
}

Deno.test("plugin is named agrepl and has the four rules", () => {
  equal(plugin.name, "agrepl");
  deepEqual(Object.keys(plugin.rules), Object.keys(pairs));
});

Deno.test("plugin finds the checkout by its own place, and tells violation from closest legal code", () => {
  for (const [rule, [path, wrong, right]] of Object.entries(pairs)) {
    deepEqual(ruleIds(plugin, here + path, wrong), [`agrepl/${rule}`]);
    deepEqual(ruleIds(plugin, here + path, right), []);
  }
});

Deno.test("plugin leaves files outside its checkout alone", () => {
  for (const [path, wrong] of Object.values(pairs)) deepEqual(ruleIds(plugin, `/elsewhere/${path}`, wrong), []);
});

Deno.test("pluginFor() gives the same verdict when the checkout's own path holds lib and a folder's name", () => {
  for (const root of ["/home/lib/step/agrepl", "/lib/", "/tests/lib/cli/bench"]) {
    const moved = pluginFor(root);
    const base = root.endsWith("/") ? root : root + "/";
    for (const [rule, [path, wrong, right]] of Object.entries(pairs)) {
      deepEqual(ruleIds(moved, base + path, wrong), [`agrepl/${rule}`]);
      deepEqual(ruleIds(moved, base + path, right), []);
    }
  }
});
