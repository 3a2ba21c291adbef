/** W4: a web search agent of four HTTP steps: search, read, search for what that page points to, read. */

import { runProgram } from "./program.ts";
import { getText, type WorkloadOptions } from "./workload.ts";

/** Reads two pages, the second found through the first; see {@linkcode RunWorkload}. */
export async function run(base: string, options: WorkloadOptions): Promise<string> {
  const get = (path: string) => getText(base + path, options, "text/html");
  const readTopResult = async (search: string) => {
    const [, path] = find(await get(search), /<li class="result"><a href="([^"]+)"/);
    return await get(path);
  };
  const first = await readTopResult(`/search?q=${encodeURIComponent("tide clocks & how they work")}`);
  const [, next, topic] = find(first, /<a class="related" href="([^"]+)">([^<]+)</);
  const second = await readTopResult(next);
  return [paragraphsOf(first), `→ ${topic}`, paragraphsOf(second)].join("\n");
}

function find(html: string, pattern: RegExp): readonly [match: string, first: string, second: string] {
  const [match, first, second = ""] = pattern.exec(html) ?? [];
  if (match === undefined || first === undefined) {
    throw new SyntaxError(`Cannot read the page: it has nothing like ${pattern}`);
  }
  return [match, first, second];
}

function paragraphsOf(html: string): string {
  return [...html.matchAll(/<p>([^<]*)<\/p>/g)].map(([, text]) => text).join(" ");
}

if (import.meta.main) await runProgram("W4", run);
