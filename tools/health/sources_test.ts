import { deepEqual } from "node:assert/strict";
import { join } from "node:path";
import { isProductFile, readProduct } from "./sources.ts";

Deno.test("isProductFile() leaves tests, data and other languages out", () => {
  const paths = [
    "lib/a/a.ts",
    "lib/a/a_test.ts",
    "lib/a/testdata/b.ts",
    "lib/a/rules.json",
    "lib/a/view.tsx",
    "mod.ts",
  ];
  deepEqual(paths.filter(isProductFile), ["lib/a/a.ts", "lib/a/view.tsx", "mod.ts"]);
});

Deno.test("readProduct() reads lib and the entries that are there, sorted, and no other folder", async () => {
  const root = await Deno.makeTempDir();
  try {
    for (const folder of ["lib/b", "lib/a", "tools"]) await Deno.mkdir(join(root, folder), { recursive: true });
    for (const path of ["mod.ts", "lib/b/b.ts", "lib/a/a.ts", "lib/a/a_test.ts", "tools/t.ts"]) {
      await Deno.writeTextFile(join(root, path), `// ${path}`);
    }
    const expected = ["lib/a/a.ts", "lib/b/b.ts", "mod.ts"].map((path) => ({ path, text: `// ${path}` }));
    deepEqual(await readProduct(root), expected);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
