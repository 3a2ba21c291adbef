// deno-lint-ignore-file no-import-prefix -- the SDKs of this one program
import { createOpenAI } from "npm:@ai-sdk/openai@4.0.118";
import { streamText } from "npm:ai@7.0.173";
import { run } from "./run.mjs";

await run(async (url) => {
  const openai = createOpenAI({ apiKey: "sk-dummy", baseURL: `${url}v1` });
  const { textStream } = streamText({ model: openai.chat("gpt-4o-mini"), prompt: "How warm is it?" });
  const texts = [];
  for await (const text of textStream) texts.push(text);
  return texts;
});
