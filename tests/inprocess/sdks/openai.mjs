// deno-lint-ignore-file no-import-prefix -- the SDK of this one program
import OpenAI from "npm:openai@7.55.0";
import { run } from "./run.mjs";

const tools = [{ type: "function", function: { name: "weather", parameters: { type: "object", properties: {} } } }];

await run(async (url) => {
  const client = new OpenAI({ apiKey: "sk-dummy", baseURL: `${url}v1` });
  const messages = [{ role: "user", content: "How warm is it in Oslo?" }];
  const deltas = [];
  const stream = await client.chat.completions.create({ model: "gpt-4o-mini", messages, tools, stream: true });
  for await (const { choices: [choice] } of stream) deltas.push(choice.delta);
  const responses = [];
  for await (const event of await client.responses.create({ model: "gpt-4o", input: "Say hello", stream: true })) {
    responses.push(event.type === "response.output_text.delta" ? event.delta : event.type);
  }
  const { output_text: whole } = await client.responses.create({ model: "gpt-4o", input: "Say it at once" });
  return { deltas, responses, whole };
});
