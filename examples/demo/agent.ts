/**
 * A small research agent: it asks a language model a question, lets the model search the web, and writes a report.
 *
 *     deno run -A agent.ts [report.md] [question]
 *
 * It reads OPENAI_API_KEY and OPENAI_BASE_URL, as every program on the openai SDK does, and SEARCH_URL: an address
 * that answers `?q=…` with `{"results": [{"title", "url", "snippet"}]}`.
 *
 * @module
 */

import { writeFile } from "node:fs/promises";
import process from "node:process";
import OpenAI from "openai";

type Message = OpenAI.ChatCompletionMessageParam;
type ToolCall = OpenAI.ChatCompletionMessageToolCall;

const [reportPath = "report.md", question = "What is known about tidal clocks?"] = process.argv.slice(2);
const searchUrl = readSetting("SEARCH_URL");
const maxTurns = 5;

const tools: OpenAI.ChatCompletionTool[] = [{
  type: "function",
  function: {
    name: "search",
    description: "Searches the web and gives titles, addresses and snippets.",
    parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  },
}];

const client = new OpenAI();

async function main(): Promise<void> {
  const answer = await research([
    { role: "system", content: "You are a careful researcher. Search before you answer." },
    { role: "user", content: question },
  ]);
  await writeFile(reportPath, `# ${question}\n\n${answer}\n`);
  console.log(`\nThe report is in ${reportPath}`);
}

/** Talks with the model until it has no more tools to call. */
async function research(messages: Message[]): Promise<string> {
  for (let turn = 0; turn < maxTurns; turn++) {
    const reply = await complete(messages);
    if (!reply.tool_calls?.length) return reply.content ?? "";
    messages.push(reply, ...await Promise.all(reply.tool_calls.map(callTool)));
  }
  throw new RangeError(`Cannot finish the research: no answer after ${maxTurns} turns`);
}

/** Asks for the model's next message, and prints its text while it arrives. */
async function complete(messages: Message[]): Promise<OpenAI.ChatCompletionMessage> {
  const stream = client.chat.completions.stream({
    model: "gpt-5-mini",
    messages,
    tools,
    stream_options: { include_usage: true },
  });
  stream.on("content", (delta) => process.stdout.write(delta));
  return await stream.finalMessage();
}

async function callTool(call: ToolCall): Promise<Message> {
  if (call.type !== "function") throw new TypeError(`Cannot call a tool of type "${call.type}"`);
  const { query } = JSON.parse(call.function.arguments);
  console.log(`[searching for “${query}”]`);
  return { role: "tool", tool_call_id: call.id, content: await search(query) };
}

async function search(query: string): Promise<string> {
  const response = await fetch(`${searchUrl}?q=${encodeURIComponent(query)}`, {
    headers: { accept: "application/json" },
  });
  return await response.text();
}

function readSetting(name: string): string {
  const value = process.env[name];
  if (value) return value;
  console.error(`Cannot start: ${name} is not set`);
  process.exit(2);
}

await main();
