import { deepEqual, equal, match } from "node:assert/strict";
import fc from "fast-check";
import { explainLayer, layerOrder } from "./layer_order.ts";
import { order, placeOf } from "./places.ts";
import { messages, root } from "./rule_messages.ts";

const orderText = "step < redact < key < lookup < lens < diff < report < wire < store < engine < upstream < " +
  "{proxy, inprocess} < child < cli";

function explain(path: string, source: string): string | undefined {
  const found = messages(layerOrder, path, source);
  equal(found.length < 2, true);
  return found[0];
}

Deno.test("layerOrder() explains an import that points right, and lets one that points left", () => {
  equal(
    explain("lib/key/key.ts", 'import { Store } from "../store/mod.ts";'),
    `Cannot import lib/store from lib/key: imports point left in ${orderText}`,
  );
  equal(explain("lib/store/store.ts", 'import { keyOf } from "../key/mod.ts";'), undefined);
});

Deno.test("layerOrder() counts every syntax that imports", () => {
  const syntaxes = [
    'import type { A } from "../cli/mod.ts";',
    'import "../cli/mod.ts";',
    'export * from "../cli/mod.ts";',
    'export type { A } from "../cli/mod.ts";',
    'await import("../cli/mod.ts");',
    'type A = import("../cli/mod.ts").A;',
  ];
  for (const source of syntaxes) {
    match(explain("lib/step/step.ts", source) ?? "", /^Cannot import lib\/cli from lib\/step/);
    equal(explain("lib/step/step.ts", source.replace("cli/mod", "step/body")), undefined);
  }
});

Deno.test("layerOrder() keeps proxy and inprocess apart", () => {
  equal(
    explain("lib/proxy/connect.ts", 'import { f } from "../inprocess/mod.ts";'),
    "Cannot import lib/inprocess from lib/proxy: proxy and inprocess are two doors into one engine, and neither knows the other",
  );
  equal(explain("lib/proxy/connect.ts", 'import { f } from "../engine/mod.ts";'), undefined);
});

Deno.test("layerOrder() lets exactly one of two folders import the other", () => {
  const folders = order.flat();
  const pair = fc.tuple(fc.constantFrom(...folders), fc.constantFrom(...folders)).filter(([a, b]) => a !== b);
  fc.assert(fc.property(pair, ([a, b]) => {
    const place = (folder: string) => placeOf(root, `${root}/lib/${folder}/mod.ts`);
    const legal = [explainLayer(place(a), place(b)), explainLayer(place(b), place(a))].filter((one) => !one);
    equal(legal.length, [a, b].every((one) => one === "proxy" || one === "inprocess") ? 0 : 1);
  }));
});

Deno.test("layerOrder() names a folder that the order does not know", () => {
  equal(explain("lib/utils/x.ts", 'import "../step/mod.ts";')?.startsWith("Cannot place lib/utils/x.ts"), true);
  match(
    explain("lib/cli/x.ts", 'import "../utils/mod.ts";') ?? "",
    /lib\/utils from lib\/cli: the order .* has no such/,
  );
});

Deno.test("layerOrder() keeps lib from what is built around it", () => {
  for (const path of ["tests/world.ts", "bench/run.ts", "tools/health.ts", "examples/a.ts", "mod.ts", "cli.ts"]) {
    equal(
      explain("lib/cli/run.ts", `import "../../${path}";`),
      `Cannot import ${path} from lib/cli: lib ships alone, and knows nothing of what is built around it`,
    );
  }
  equal(explain("lib/cli/run.ts", 'import deno from "../../deno.json" with { type: "json" };'), undefined);
});

Deno.test("layerOrder() sees the package's own name as an import of its entry", () => {
  match(explain("lib/cli/run.ts", 'import "@agrepl/core";') ?? "", /^Cannot import mod.ts from lib\/cli/);
  equal(explain("tests/e2e/run_test.ts", 'import "@agrepl/core";'), undefined);
});

Deno.test("layerOrder() lets a test reach tests, and neither bench nor a folder to its right", () => {
  equal(explain("lib/step/x_test.ts", 'import "../../tests/clock.ts"; import "fast-check";'), undefined);
  equal(
    explain("lib/step/x_test.ts", 'import "../../bench/run.ts";'),
    "Cannot import bench/run.ts from lib/step: a test beside the source may reach lib and tests/ only",
  );
  match(explain("lib/step/x_test.ts", 'import "../store/mod.ts";') ?? "", /imports point left/);
});

Deno.test("layerOrder() lets cli.ts import lib/cli alone", () => {
  equal(
    explain("cli.ts", 'import { list } from "./lib/store/mod.ts";'),
    "Cannot import lib/store from cli.ts: cli.ts starts lib/cli and knows nothing else",
  );
  equal(explain("cli.ts", 'import { main } from "./lib/cli/main.ts"; import "node:process";'), undefined);
});

Deno.test("layerOrder() lets mod.ts re-export doors and nothing else", () => {
  equal(
    explain("mod.ts", 'export * from "./tests/clock.ts";'),
    "Cannot import tests/clock.ts from mod.ts: mod.ts re-exports the doors of lib and nothing else",
  );
  equal(
    explain("mod.ts", "export const version = 1;"),
    "Cannot write code in mod.ts: it is the package's face, and only re-exports with `export … from`",
  );
  equal(explain("mod.ts", 'export * from "./lib/step/mod.ts"; export { a } from "./lib/key/mod.ts";'), undefined);
});

Deno.test("layerOrder() lets tests and bench share support, and keeps examples and tools out of it", () => {
  equal(explain("bench/run.ts", 'import "../tests/world.ts"; import "../lib/engine/mod.ts";'), undefined);
  equal(explain("tests/e2e/a_test.ts", 'import "../../bench/world/live.ts"; import "../../cli.ts";'), undefined);
  equal(
    explain("examples/a.ts", 'import "../tests/world.ts";'),
    "Cannot import tests/world.ts from examples/a.ts: " +
      "it may import examples, lib, mod.ts, cli.ts, schema, deno.json, and each area can be read without the others",
  );
});

Deno.test("layerOrder() lets an example's test use support that the example itself may not", () => {
  equal(explain("examples/demo/a_test.ts", 'import "../../bench/world/mod.ts";'), undefined);
  match(explain("examples/demo/a.ts", 'import "../../bench/world/mod.ts";') ?? "", /^Cannot import bench/);
  match(explain("tests/e2e/a_test.ts", 'import "../../tools/health.ts";') ?? "", /^Cannot import tools/);
});

Deno.test("layerOrder() refuses what lies outside the checkout, and ignores files that do", () => {
  equal(
    explain("tests/a.ts", 'import "../../other/x.ts";'),
    "Cannot import /home/lib/step/other/x.ts from tests/a.ts: it lies outside the checkout, where nobody else has it",
  );
  deepEqual(messages(layerOrder, "../lib/step/x.ts", 'import "../cli/mod.ts";'), []);
});
