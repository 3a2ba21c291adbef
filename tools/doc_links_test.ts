import { deepEqual } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { explainBroken, type Page, referencesOf } from "./doc_links.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Folders that no page may rely on: a fresh clone does not have them. */
const notOurs: readonly string[] = [".git", ".agrepl", "node_modules", "coverage"];

async function namesUnder(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(join(root, folder))) {
    if (notOurs.includes(entry.name)) continue;
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    found.push(path, ...entry.isDirectory ? await namesUnder(path) : []);
  }
  return found;
}

function isPage(path: string): boolean {
  return /^(README|CONTRIBUTING|CHANGES)\.md$|^docs\/.*\.md$/.test(path);
}

function targets(text: string): string[] {
  return referencesOf(text, ["lib", "docs", "deno.json"]).map((one) => `${one.kind} ${one.line} ${one.target}`);
}

Deno.test("every relative link and path of the pages points to something that is there", async () => {
  const names = await namesUnder("");
  const read = async (path: string): Promise<Page> => ({ path, text: await Deno.readTextFile(join(root, path)) });
  deepEqual(explainBroken(await Promise.all(names.filter(isPage).map(read)), new Set(names)), []);
});

Deno.test("explainBroken() names page, line and target when a reference leads nowhere", () => {
  const text = "[a](gone.md)\n\n`lib/gone.ts` [b](../lib/step) `lib/step/` [c](#here) [d](../)";
  deepEqual(explainBroken([{ path: "docs/a.md", text }], new Set(["docs", "docs/a.md", "lib", "lib/step"])), [
    'docs/a.md:1: the link "gone.md" points to nothing in the checkout',
    'docs/a.md:3: the path "lib/gone.ts" points to nothing in the checkout',
  ]);
});

Deno.test("explainBroken() takes a link from its page only, and a path from the checkout too", () => {
  const text = "[a](lib/a.ts) `lib/a.ts` `./b.md` [b](b.md)";
  deepEqual(explainBroken([{ path: "docs/a.md", text }], new Set(["lib", "lib/a.ts", "docs/b.md"])), [
    'docs/a.md:1: the link "lib/a.ts" points to nothing in the checkout',
  ]);
});

Deno.test("referencesOf() reads links in each of their forms, without anchor and title", () => {
  deepEqual(targets('[a](b.md#c "d") ![e](f%20g.png)\n[h]: ./i.md "j"\n[k](<l.md>)'), [
    "link 1 b.md",
    "link 1 f g.png",
    "link 2 ./i.md",
    "link 3 l.md",
  ]);
});

Deno.test("referencesOf() leaves out what is not the checkout's", () => {
  deepEqual(targets("[a](https://example.com/b.md) [c](#d) [e](mailto:f@example.com) `[g](h.md)`"), []);
  deepEqual(targets("`application/json` `lib/*/mod.ts` `lib/<folder>/mod.ts` `.agrepl/runs/a.ts` `/etc/a.ts`"), []);
  deepEqual(targets("`mod.ts` `tests/answer.ndjson` `@agrepl/core` `https://deno.land/x.ts` `a/b && c.ts`"), []);
});

Deno.test("referencesOf() reads paths in backticks, a line number after them left out", () => {
  deepEqual(targets("`lib/step/step.ts:12` and `lib/key/` and `x/y.ts` and `./a.md`"), [
    "path 1 lib/step/step.ts",
    "path 1 lib/key/",
    "path 1 x/y.ts",
    "path 1 ./a.md",
  ]);
});

Deno.test("referencesOf() skips fenced blocks and still counts their lines", () => {
  deepEqual(targets("```ts\n`lib/a.ts`\n[a](b.md)\n```\n`lib/c.ts`\n~~~\n`lib/d.ts`\n~~~"), ["path 5 lib/c.ts"]);
  deepEqual(targets("`lib/a.ts`\n```\n`lib/b.ts`"), ["path 1 lib/a.ts"]);
});
