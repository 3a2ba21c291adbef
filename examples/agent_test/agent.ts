/**
 * A small research agent, made to be tested: what it needs of the world beside its model is handed to it.
 *
 * The model is one that runs on this machine, behind the API that most servers of models speak.
 *
 * @module
 */
import OpenAI from "openai";

/** Finds texts about something. */
export type Search = (query: string) => Promise<readonly string[]>;

type Message = OpenAI.ChatCompletionMessageParam;

const maxTurns = 5;

const searchTool: OpenAI.ChatCompletionTool = {
  type: "function",
  function: {
    name: "search",
    description: "Searches the library and gives what it finds.",
    parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  },
};

/** Answers a question, and searches before it does. */
export async function research(question: string, search: Search): Promise<string> {
  const client = new OpenAI({ baseURL: "http://localhost:11434/v1", apiKey: "none" });
  const messages: Message[] = [
    { role: "system", content: "You are a careful researcher. Search before you answer." },
    { role: "user", content: question },
  ];
  for (let turn = 0; turn < maxTurns; turn++) {
    const stream = client.chat.completions.stream({ model: "llama3.2", messages, tools: [searchTool] });
    const reply = await stream.finalMessage();
    if (!reply.tool_calls?.length) return reply.content ?? "";
    messages.push(reply, ...await Promise.all(reply.tool_calls.map((call) => callTool(call, search))));
  }
  throw new RangeError(`Cannot finish the research: no answer after ${maxTurns} turns`);
}

async function callTool(call: OpenAI.ChatCompletionMessageToolCall, search: Search): Promise<Message> {
  if (call.type !== "function") throw new TypeError(`Cannot call a tool of type "${call.type}"`);
  const { query } = JSON.parse(call.function.arguments);
  return { role: "tool", tool_call_id: call.id, content: (await search(query)).join("\n") };
}
