// deno-lint-ignore-file no-import-prefix -- the SDK of this one program
import { GoogleGenAI } from "npm:@google/genai@3.1.0";
import { run } from "./run.mjs";

await run(async (url) => {
  const client = new GoogleGenAI({ apiKey: "dummy", httpOptions: { baseUrl: url } });
  const texts = [];
  const stream = await client.models.generateContentStream({ model: "gemini-2.5-flash", contents: "Say hello" });
  for await (const { text } of stream) texts.push(text);
  return texts;
});
