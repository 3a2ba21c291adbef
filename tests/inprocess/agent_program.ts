/**
 * A test file as a user would write one, run by sdk_test.ts in a process of its own: an agent of the openai SDK.
 *
 * @module
 */
import { equal } from "node:assert/strict";
import OpenAI from "openai";
import { withReplay } from "../../mod.ts";

const [path = "", baseURL = ""] = Deno.args;

type Messages = OpenAI.Chat.ChatCompletionMessageParam[];

Deno.test("an agent asks, calls its tool, and answers", async () => {
  const answer = await withReplay(path, async (t) => {
    const client = new OpenAI({ apiKey: "sk-dummy", baseURL });
    const messages: Messages = [{ role: "user", content: "How warm is it in Oslo?" }];
    const first = await ask(client, messages);
    const call = first.tool_calls?.[0];
    if (call?.type !== "function") throw new TypeError("Cannot go on: expected a tool call");
    const { city } = JSON.parse(call.function.arguments);
    const { degrees } = await t.tool("weather", { city }, () => ({ degrees: 12 }));
    messages.push(first, { role: "tool", tool_call_id: call.id, content: `${degrees} degrees` });
    const { content } = await ask(client, messages);
    console.log(`mode ${t.mode}, isolation ${t.isolation.held}`);
    return content;
  });
  equal(answer, "It is 12 degrees in Oslo.");
});

async function ask(client: OpenAI, messages: Messages): Promise<OpenAI.Chat.ChatCompletionMessage> {
  const parameters = { type: "object", properties: { city: { type: "string" } } };
  const stream = client.chat.completions.stream({
    model: "gpt-4o-mini",
    messages,
    tools: [{ type: "function", function: { name: "weather", parameters } }],
  });
  return (await stream.finalChatCompletion()).choices[0]?.message ??
    { role: "assistant", content: null, refusal: null };
}
