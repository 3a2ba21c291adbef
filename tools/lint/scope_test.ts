import { equal } from "node:assert/strict";
import { isBound, isReference } from "./scope.ts";

/** What the functions say of the last `x` in a source. */
function ofLastX(source: string): { readonly bound: boolean; readonly reference: boolean } {
  let last = { bound: false, reference: false };
  const visit = (node: Deno.lint.Identifier) => {
    if (node.name === "x") last = { bound: isBound(node), reference: isReference(node) };
  };
  const rule: Deno.lint.Rule = { create: () => ({ Identifier: visit }) };
  Deno.lint.runPlugin({ name: "scope", rules: { rule } }, "/a.ts", source);
  return last;
}

Deno.test("isBound() finds the name in every place that can declare it", () => {
  const sources = [
    "import { y as x } from 'a'; x;",
    "import * as x from 'a'; x;",
    "export const x = 1; x;",
    "const { a: { b: [c, x = 1] } } = d; x;",
    "const [...x] = a; x;",
    "function f({ ...x }) { x; }",
    "const f = function x() { x; };",
    "const C = class x { static a = x; };",
    "class A { static { const x = 1; x; } }",
    "class A { constructor(private x: B) { x; } }",
    "try { a(); } catch ({ x }) { x; }",
    "for (let x = 0;;) x;",
    "for (const x in a) x;",
    "for (const [x] of a) x;",
    "{ f(() => x); function x() {} }",
  ];
  for (const source of sources) equal(ofLastX(source).bound, true, source);
});

Deno.test("isBound() says no when the declaration stands in another scope", () => {
  const sources = [
    "{ const x = 1; } x;",
    "function f(x) {} x;",
    "const f = function x() {}; x;",
    "for (const x of a) b(); x;",
    "try { a(); } catch (x) { b(); } x;",
    "const { x: y } = a; x;",
    "import { x as y } from 'a'; f(x);",
    "type x = 1; f(x);",
    "class A { static { f(x); } }",
  ];
  for (const source of sources) equal(ofLastX(source).bound, false, source);
});

Deno.test("isReference() holds where a value is meant", () => {
  const sources = ["x;", "x.a;", "a[x];", "({ x });", "({ a: x });", "({ [x]: 1 });", "x as A;", "f`${x}`;", "x?.();"];
  for (const source of sources) equal(ofLastX(source).reference, true, source);
});

Deno.test("isReference() says no to members, types, labels and names in imports", () => {
  const sources = [
    "a.x;",
    "a?.x;",
    "({ x: 1 });",
    "({ x() {} });",
    "class A { x = 1; }",
    "class A { x() {} }",
    "let a: x;",
    "let a: typeof x;",
    "let a: b.x;",
    "interface A { x: 1 }",
    "type F = (x: A) => B;",
    "x: for (;;) break x;",
    "import { x as y } from 'a';",
    "export { y as x };",
  ];
  for (const source of sources) equal(ofLastX(source).reference, false, source);
});
