import { deepEqual } from "node:assert/strict";
import { anysOf, nonNullsOf, suppressionsOf, throwsOf } from "./escapes.ts";
import { type Finding, parse } from "./sources.ts";

function lines(find: (file: ReturnType<typeof parse>) => readonly Finding[], text: string): number[] {
  return find(parse({ path: "a.ts", text })).map((one) => one.line);
}

Deno.test("anysOf() finds the type any, and not the word", () => {
  deepEqual(lines(anysOf, "let a: any;\nlet b: Array<any>;\nconst any = 1; // any\nc as any;"), [1, 2, 4]);
});

Deno.test("nonNullsOf() finds assertions, and neither negations nor definite fields", () => {
  deepEqual(lines(nonNullsOf, "a!.b;\n!a;\na !== b;\nclass A { b!: string }\nf(a![0]!);"), [1, 5, 5]);
});

Deno.test("suppressionsOf() finds each comment that silences a tool", () => {
  const words = ["deno-lint-ignore no-any", "deno-lint-ignore-file", "@ts-ignore", "@ts-expect-error", "@ts-nocheck"];
  const text = [...words.map((word) => `// ${word} why`), "// not @ts-ignored", "/* @ts-ignore */"].join("\n");
  deepEqual(lines(suppressionsOf, text), [1, 2, 3, 4, 5, 7]);
});

Deno.test("throwsOf() tells a plain Error from other throws", () => {
  const text = 'throw new Error("a");\nthrow Error("b");\nthrow new TypeError("c");\nthrow error;\nnew Error("d");';
  const { count, plain } = throwsOf(parse({ path: "a.ts", text }));
  deepEqual([count, ...plain.map((one) => one.line)], [4, 1, 2]);
});
