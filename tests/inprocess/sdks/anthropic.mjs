// deno-lint-ignore-file no-import-prefix -- the SDK of this one program
import Anthropic from "npm:@anthropic-ai/sdk@1.10.0";
import { run } from "./run.mjs";

await run(async (url) => {
  const client = new Anthropic({ apiKey: "sk-ant-dummy", baseURL: url });
  const texts = [];
  const stream = client.messages.stream({
    model: "claude-sonnet-4-5",
    max_tokens: 64,
    messages: [{ role: "user", content: "Say hello" }],
  });
  stream.on("text", (text) => texts.push(text));
  const { stop_reason: stop, usage } = await stream.finalMessage();
  return { texts, stop, tokens: usage.output_tokens };
});
