import { deepEqual } from "node:assert/strict";
import { cyclesOf, importsOf } from "./cycles.ts";
import { parse } from "./sources.ts";

function loops(files: Readonly<Record<string, string>>): string[] {
  return cyclesOf(Object.entries(files).map(([path, text]) => parse({ path, text }))).map((one) => one.name);
}

Deno.test("cyclesOf() finds none when two roads lead to one file", () => {
  deepEqual(loops({ "a.ts": 'import "./b.ts"; import "./c.ts";', "b.ts": 'import "./c.ts";', "c.ts": "" }), []);
});

Deno.test("cyclesOf() counts a loop of types, and follows folders", () => {
  const files = { "lib/a/a.ts": 'import type { B } from "../b/b.ts";', "lib/b/b.ts": 'export * from "../a/a.ts";' };
  deepEqual(loops(files), ["lib/a/a.ts -> lib/b/b.ts -> lib/a/a.ts"]);
});

Deno.test("cyclesOf() gives the shortest loop, once", () => {
  const files = {
    "a.ts": 'import "./b.ts"; import "./c.ts";',
    "b.ts": 'import "./c.ts";',
    "c.ts": 'import "./a.ts";',
  };
  deepEqual(loops(files), ["a.ts -> c.ts -> a.ts", "b.ts -> c.ts -> a.ts -> b.ts"]);
});

Deno.test("cyclesOf() leaves out a file that only leads to a loop", () => {
  const files = { "a.ts": 'import "./b.ts";', "b.ts": 'import "./c.ts";', "c.ts": 'import "./b.ts";' };
  deepEqual(loops(files), ["b.ts -> c.ts -> b.ts"]);
});

Deno.test("cyclesOf() finds a file that imports itself", () => {
  deepEqual(loops({ "a.ts": 'await import("./a.ts");' }), ["a.ts -> a.ts"]);
});

Deno.test("importsOf() reads every syntax that imports", () => {
  const text = [
    'import "1"; import a from "2"; import type { b } from "3";',
    'export * from "4"; export { c } from "5"; export const d = 1;',
    'type E = import("6").E; await import("7"); await import(`8`); await import(name);',
  ].join("\n");
  deepEqual(importsOf(parse({ path: "a.ts", text })), ["1", "2", "3", "4", "5", "6", "7", "8"]);
});
