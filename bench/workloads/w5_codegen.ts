/** W5: code generation: one completion, and a file that holds the code. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import OpenAI from "openai";
import { runProgram } from "./program.ts";
import type { WorkloadOptions } from "./workload.ts";

const prompt = "Write a TypeScript function that turns a title into the last part of a URL.";

/** Has `slug.ts` written; see {@linkcode RunWorkload}. */
export async function run(base: string, options: WorkloadOptions): Promise<string> {
  const fetch = options.fetch ?? globalThis.fetch;
  const client = new OpenAI({ apiKey: options.apiKey ?? "sk-none", baseURL: `${base}/v1`, fetch });
  const { choices: [choice] } = await client.chat.completions.create({
    model: "gpt-5-mini",
    messages: [{ role: "user", content: prompt }],
  });
  const code = codeIn(choice?.message.content ?? "");
  await writeFile(join(options.directory ?? ".", "slug.ts"), code);
  return `slug.ts\n${code}`;
}

function codeIn(text: string): string {
  const [, code] = /```\w*\n([\s\S]*?)```/.exec(text) ?? [];
  if (code === undefined) throw new SyntaxError("Cannot read the completion: it has no fenced block of code");
  return code;
}

if (import.meta.main) await runProgram("W5", run);
