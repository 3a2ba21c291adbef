import { deepEqual, equal } from "node:assert/strict";
import { functionsOf } from "./functions.ts";
import { parse } from "./sources.ts";

/** The figures of the functions in a body, the first being the function around it. */
function inside(body: string) {
  return functionsOf(parse({ path: "a.ts", text: `function f() { ${body} }` }));
}

Deno.test("cyclomatic() is 1 when nothing branches", () => {
  equal(inside("const a = b + c; return a;")[0]?.cyclomatic, 1);
});

Deno.test("cyclomatic() counts each branch, loop, case, catch and short circuit once", () => {
  const counted = [
    "if (a) b();",
    "return a ? b : c;",
    "for (;;) a();",
    "for (const a of b) a();",
    "for (const a in b) a();",
    "while (a) b();",
    "do a(); while (b);",
    "switch (a) { case 1: default: }",
    "try { a(); } catch { b(); }",
    "return a && b;",
    "return a || b;",
    "return a ?? b;",
    "a ??= b;",
  ];
  for (const body of counted) equal(inside(body)[0]?.cyclomatic, 2, body);
});

Deno.test("cyclomatic() adds what lies in one another, and else adds nothing", () => {
  equal(inside("if (a && b) { for (;;) c(); } else if (d) e(); else g();")[0]?.cyclomatic, 5);
});

Deno.test("cyclomatic() counts an inline arrow's branches for the function around it, a block's for itself", () => {
  deepEqual(inside("return all.filter((a) => a ? b : c);").map((one) => one.cyclomatic), [2]);
  deepEqual(inside("all.forEach((a) => { if (a) b(); });").map((one) => one.cyclomatic), [1, 2]);
});

Deno.test("nesting() counts levels, and else if is none", () => {
  equal(inside("a();")[0]?.nesting, 0);
  equal(inside("if (a) { for (;;) { try { b(); } catch { c(); } } }")[0]?.nesting, 3);
  equal(inside("if (a) b(); else if (c) d(); else if (e) g();")[0]?.nesting, 1);
});

Deno.test("nesting() begins anew in a function with a block of its own", () => {
  deepEqual(inside("if (a) all.forEach((b) => { if (b) c(); });").map((one) => one.nesting), [1, 1]);
});
