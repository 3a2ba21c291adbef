import { deepEqual, equal } from "node:assert/strict";
import { isProduct, placeOf, rankOf, targetOf } from "./places.ts";

const root = "/home/lib/step/agrepl";

Deno.test("placeOf() names the folder when the checkout's own path holds lib", () => {
  const expected = { path: "lib/key/key.ts", area: "lib", folder: "key", isTest: false };
  deepEqual(placeOf(root, `${root}/lib/key/key.ts`), expected);
  deepEqual(placeOf(`${root}/`, `${root}/lib/key/key.ts`), expected);
});

Deno.test("placeOf() reads Windows paths when they carry backslashes", () => {
  equal(placeOf("C:\\lib\\agrepl\\", "C:\\lib\\agrepl\\lib\\key\\key.ts").path, "lib/key/key.ts");
});

Deno.test("placeOf() gives no folder when the file stands directly in lib", () => {
  equal(placeOf(root, `${root}/lib/stray.ts`).folder, "");
});

Deno.test("placeOf() says outside when a sibling's name only begins like the checkout's", () => {
  equal(placeOf(root, `${root}-copy/lib/key/key.ts`).area, "..");
});

Deno.test("placeOf() knows a test by its name and by testdata", () => {
  equal(placeOf(root, `${root}/lib/key/key_test.ts`).isTest, true);
  equal(placeOf(root, `${root}/lib/key/testdata/a.ts`).isTest, true);
  equal(placeOf(root, `${root}/lib/key/contest.ts`).isTest, false);
});

Deno.test("targetOf() resolves a specifier against the importing file", () => {
  equal(targetOf(root, `${root}/lib/key/key.ts`, "../step/mod.ts")?.path, "lib/step/mod.ts");
  equal(targetOf(root, `${root}/lib/key/key.ts`, "../../../x.ts")?.area, "..");
});

Deno.test("targetOf() finds the entries when the package is imported by its own name", () => {
  equal(targetOf(root, `${root}/lib/key/key.ts`, "@agrepl/core")?.path, "mod.ts");
  equal(targetOf(root, `${root}/lib/key/key.ts`, "@agrepl/core/cli")?.path, "cli.ts");
});

Deno.test("targetOf() gives nothing when the specifier names a built-in or a package", () => {
  for (const specifier of ["node:fs", "commander", "npm:ajv@8", "https://example.com/a.ts"]) {
    equal(targetOf(root, `${root}/lib/key/key.ts`, specifier), undefined);
  }
});

Deno.test("rankOf() puts proxy and inprocess on one rank", () => {
  equal(rankOf("proxy"), rankOf("inprocess"));
  equal(rankOf("step"), 0);
  equal(rankOf("utils"), -1);
});

Deno.test("isProduct() holds for lib and the two entries only", () => {
  const areas = ["lib/key/key.ts", "mod.ts", "cli.ts", "tools/health.ts", "tests/x.ts", "library.ts"];
  deepEqual(areas.filter((path) => isProduct(placeOf(root, `${root}/${path}`))), [
    "lib/key/key.ts",
    "mod.ts",
    "cli.ts",
  ]);
});
