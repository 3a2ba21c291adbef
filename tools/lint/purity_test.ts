import { deepEqual, equal } from "node:assert/strict";
import { pureFolders } from "./places.ts";
import { purity } from "./purity.ts";
import { messages } from "./rule_messages.ts";

function explain(source: string, path = "lib/key/key.ts"): string[] {
  return messages(purity, path, source);
}

function sentence(name: string, what: string): string {
  return `Cannot use ${name} in lib/key: it is ${what}, and a pure folder gets that as an argument or not at all`;
}

Deno.test("purity() explains each forbidden global", () => {
  const cases: Readonly<Record<string, readonly [name: string, what: string]>> = {
    "Deno.readTextFile(path);": ["Deno", "the runtime"],
    "await fetch(url);": ["fetch", "the network"],
    "setTimeout(f, 1);": ["setTimeout", "a timer"],
    "queueMicrotask(f);": ["queueMicrotask", "a timer"],
    "performance.now();": ["performance", "the clock"],
    'console.error("x");': ["console", "the console"],
    "const { env } = process;": ["process", "the process"],
    "const f = { fetch };": ["fetch", "the network"],
    "type S = Deno.FileInfo;": ["a type of Deno", "the runtime"],
    "if (typeof Deno === 'object') f();": ["Deno", "the runtime"],
  };
  for (const [source, [name, what]] of Object.entries(cases)) deepEqual(explain(source), [sentence(name, what)]);
});

Deno.test("purity() lets the same words when they are members, labels, types or the file's own", () => {
  const legal = [
    "options.fetch(url); ({ fetch: 1, process() {} }); class A { console = 1; }",
    "function f(fetch: () => void, { process }: O) { fetch(); return process; }",
    "const prompt = messages[0]; { prompt; }",
    'import { performance } from "../step/mod.ts"; performance.now();',
    "try { f(); } catch (process) { process; } for (const caches of all) caches;",
    "class A { constructor(readonly fetch: F) { fetch(); } }",
    "type F = typeof fetch; let c: Console; interface I { fetch(): void }",
    "process: for (;;) break process;",
  ];
  for (const source of legal) deepEqual(explain(source), [], source);
});

Deno.test("purity() sees a global again where the scope that hid it ends", () => {
  deepEqual(explain("function f(fetch: F) { fetch(); } fetch(url);"), [sentence("fetch", "the network")]);
});

Deno.test("purity() explains a Date that reads the clock, and lets one that does not", () => {
  deepEqual(explain("Date.now();"), [sentence("Date.now", "the clock")]);
  for (const source of ["new Date();", "Date();", "new Date(...args);", "const D = Date;", "Date instanceof A;"]) {
    deepEqual(explain(source), [sentence("Date as a whole", "a way to the clock by Date.now")], source);
  }
  deepEqual(explain("new Date(text); Date.parse(text); Date.UTC(1, 2); if (x instanceof Date) f(); let d: Date;"), []);
});

Deno.test("purity() explains randomness, and lets the rest of Math and crypto", () => {
  deepEqual(explain("Math.random();"), [sentence("Math.random", "randomness")]);
  deepEqual(explain('Math["random"]();'), [sentence("Math.random", "randomness")]);
  deepEqual(explain("const { random } = Math;"), [sentence("Math.random", "randomness")]);
  deepEqual(explain("crypto.randomUUID();"), [sentence("crypto.randomUUID", "randomness")]);
  deepEqual(explain("Math[name]();"), [sentence("Math as a whole", "a way to randomness by Math.random")]);
  deepEqual(explain("Math.max(1, 2); crypto.subtle.digest(a, b); const { floor } = Math;"), []);
});

Deno.test("purity() follows globalThis to its members", () => {
  deepEqual(explain("globalThis.fetch(url);"), [sentence("fetch", "the network")]);
  deepEqual(explain('self["Deno"];'), [sentence("Deno", "the runtime")]);
  deepEqual(explain("globalThis.Date.now();"), [sentence("Date.now", "the clock")]);
  deepEqual(explain("globalThis.globalThis.fetch;"), [sentence("fetch", "the network")]);
  deepEqual(explain("const { fetch: f } = globalThis;"), [sentence("fetch", "the network")]);
  const whole = sentence("globalThis as a whole", "a way to everything by globalThis.fetch");
  deepEqual(explain("globalThis[name]; const g = globalThis;"), [whole, whole]);
  deepEqual(explain("globalThis.structuredClone(x); new globalThis.Date(0); const { Array: A } = globalThis;"), []);
});

Deno.test("purity() explains each built-in module that reaches out, and lets those that compute", () => {
  deepEqual(explain('import { readFile } from "node:fs/promises";'), [sentence("node:fs/promises", "the disk")]);
  deepEqual(explain('import type { Socket } from "node:net";'), [sentence("node:net", "the network")]);
  deepEqual(explain('import { setTimeout } from "timers";'), [sentence("timers", "a timer")]);
  deepEqual(explain('export * from "node:os";'), [sentence("node:os", "the process")]);
  deepEqual(
    explain('import "node:buffer"; import "node:zlib"; import "node:util"; import "tty-table"; import "console/x";'),
    [],
  );
});

Deno.test("purity() lets node:crypto hash, and explains what it draws by chance", () => {
  const names = (name: string) => [sentence(`${name} of node:crypto`, "randomness")];
  deepEqual(explain('import { randomUUID as id } from "node:crypto";'), names("randomUUID"));
  deepEqual(explain('import crypto from "node:crypto";'), names("*"));
  deepEqual(explain('export { randomBytes } from "node:crypto";'), names("randomBytes"));
  deepEqual(explain('import { createHash, type Hash } from "node:crypto";'), []);
});

Deno.test("purity() holds in every pure folder, and in no other place", () => {
  const count = (path: string) => explain("Date.now();", path).length;
  equal(pureFolders.every((folder) => count(`lib/${folder}/a.ts`) === 1), true);
  deepEqual(["lib/store/a.ts", "lib/cli/a.ts", "tools/step/a.ts", "lib/key/key_test.ts"].map(count), [0, 0, 0, 0]);
});
