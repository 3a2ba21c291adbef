/** What the library's door pulls in before anything is asked of it. */
import { deepEqual, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";

interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly {
    readonly code?: { readonly specifier?: string };
    readonly isDynamic?: boolean;
  }[];
}

Deno.test("importing @agrepl/core loads no package of npm", async () => {
  const entry = fileURLToPath(new URL("../../mod.ts", import.meta.url));
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json", entry] }).output();
  const { modules, roots }: { modules: Module[]; roots: string[] } = JSON.parse(new TextDecoder().decode(stdout));
  const known = new Map(modules.map((module) => [module.specifier, module]));
  const loaded = new Set(roots);
  for (const specifier of loaded) {
    const dependencies = known.get(specifier)?.dependencies ?? [];
    for (const { code, isDynamic = false } of dependencies) {
      if (code?.specifier !== undefined && !isDynamic) loaded.add(code.specifier);
    }
  }
  ok(loaded.size > 10);
  deepEqual([...loaded].filter((specifier) => !/^(?:file|node):/.test(specifier)), []);
});
