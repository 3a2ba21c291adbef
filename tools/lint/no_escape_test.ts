import { deepEqual, equal, match } from "node:assert/strict";
import { noEscape } from "./no_escape.ts";
import { messages } from "./rule_messages.ts";

function explain(source: string, path = "lib/engine/replay.ts"): string | undefined {
  const found = messages(noEscape, path, source);
  equal(found.length < 2, true);
  return found[0];
}

Deno.test("noEscape() explains an import whose module no literal names", () => {
  const message = "Cannot import what no literal names: " +
    "a module that is loaded after permissions were revoked may still be fetched from the network";
  for (const source of ["await import(name);", "await import(`./${name}.ts`);", 'await import("./a" + ".ts");']) {
    equal(explain(source), message);
  }
  equal(explain('await import("node-forge"); import.meta.url;'), undefined);
});

Deno.test("noEscape() explains each way to a worker", () => {
  const message =
    "Cannot start a Worker: a remote worker is fetched from the network even after permissions were revoked";
  equal(explain("new Worker(url, { type: 'module' });"), message);
  equal(explain('new globalThis["Worker"](url);'), message);
  match(explain('import { Worker } from "node:worker_threads";') ?? "", /^Cannot import node:worker_threads: a worker/);
  equal(explain("const worker = pool.Worker; new Pool(Worker);"), undefined);
});

Deno.test("noEscape() explains text that is run as code, and lets a method of that name", () => {
  const message = "Cannot run text as code: it can import what no reader and no lint rule sees";
  equal(explain("eval(text);"), message);
  equal(explain("new Function(text);"), message);
  match(explain('import vm from "node:vm";') ?? "", /^Cannot import node:vm: it runs text as code/);
  match(explain('await import("node:module");') ?? "", /^Cannot import node:module: its `require`/);
  equal(explain("redis.eval(text);"), undefined);
});

Deno.test("noEscape() explains a default export in each of its spellings", () => {
  const message = "Cannot export by default: the importer would choose the name, and one idea has one word";
  equal(explain("export default function f() {}"), message);
  equal(explain("const a = 1; export { a as default };"), message);
  equal(explain('export { default } from "./a.ts";'), message);
  equal(explain('export { default as a } from "./a.ts"; export const b = 1;'), undefined);
});

Deno.test("noEscape() explains an enum, and lets a union", () => {
  equal(
    explain("const enum Mode { Strict }"),
    "Cannot declare an enum: it is code with a type's looks; a union of strings says the same",
  );
  equal(explain('type Mode = "strict" | "fallback";'), undefined);
});

Deno.test("noEscape() explains a plain Error that is thrown, and lets other errors and other uses", () => {
  const message =
    "Cannot throw a plain Error: nobody can tell it from a bug; throw TypeError, RangeError or a class with a code";
  equal(explain('throw new Error("x");'), message);
  equal(explain('throw Error("x");'), message);
  equal(explain('throw new globalThis.Error("x");'), message);
  equal(explain('if (e instanceof Error) throw new RangeError("x", { cause: e }); throw e;'), undefined);
});

Deno.test("noEscape() lets a test throw a plain Error, and nothing else of the list", () => {
  equal(explain('throw new Error("x");', "lib/engine/replay_test.ts"), undefined);
  match(explain("new Worker(url);", "lib/engine/replay_test.ts") ?? "", /^Cannot start a Worker/);
});

Deno.test("noEscape() explains a non-null assertion, and lets a negation", () => {
  equal(
    explain("const a = b!.c;"),
    "Cannot assert with `!` that a value is there: nothing checks it; narrow the type or return early",
  );
  equal(explain("const a = !b; let c!: number; if (a !== b) c = 1;"), undefined);
});

Deno.test("noEscape() holds for the two entries, and not outside the product", () => {
  const source = "export default 1;";
  deepEqual(["mod.ts", "cli.ts"].map((path) => messages(noEscape, path, source).length), [1, 1]);
  deepEqual(["tools/a.ts", "bench/a.ts", "tests/a.ts"].flatMap((path) => messages(noEscape, path, source)), []);
});

Deno.test("noEscape() leaves a .d.ts file to describe the default export of a package", () => {
  equal(explain("declare const a: number; export default a;", "lib/proxy/_forge.d.ts"), undefined);
});
