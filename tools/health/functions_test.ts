import { deepEqual } from "node:assert/strict";
import { functionsOf } from "./functions.ts";
import { parse } from "./sources.ts";

function namesAndLines(text: string): string[] {
  return functionsOf(parse({ path: "a.ts", text })).map((one) => `${one.name} ${one.line} ${one.lines}`);
}

Deno.test("functionsOf() leaves the doc comment out and counts from the signature to the last brace", () => {
  deepEqual(namesAndLines("/**\n * Words.\n */\nexport function f(\n  a: A,\n) {\n  return a;\n}\n"), ["f 4 5"]);
});

Deno.test("functionsOf() names methods, accessors and constructors after their class", () => {
  const text = "class A {\n  constructor() {}\n  get b() { return 1; }\n  static #c() {}\n  d = () => 1;\n}";
  deepEqual(namesAndLines(text), ["A.constructor 2 1", "A.b 3 1", "A.#c 4 1", "A.d 5 1"]);
});

Deno.test("functionsOf() counts arrows that have a name or a block, and no other", () => {
  deepEqual(namesAndLines("const f = () => 1;\nconst o = { g: () => 2 };"), ["f 1 1", "g 2 1"]);
  deepEqual(namesAndLines("all.map((a) => a.b);\nall.map((a) => {\n  a;\n});"), ["(anonymous) 2 3"]);
});

Deno.test("functionsOf() leaves out signatures without a body", () => {
  deepEqual(namesAndLines("declare function f(): void;\ninterface I { g(): void }\ntype T = () => void;"), []);
  deepEqual(namesAndLines("function f(a: 1): 1;\nfunction f(a: 2): 2;\nfunction f(a: 3) { return a; }"), ["f 3 1"]);
});
