/** W3: a language model summarises an article that it reads by one tool call; two streamed completions. */

import OpenAI from "openai";
import { runProgram } from "./program.ts";
import type { WorkloadOptions } from "./workload.ts";

type Message = OpenAI.ChatCompletionMessageParam;
type ToolCall = OpenAI.ChatCompletionMessageFunctionToolCall;

interface Turn {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
}

const tools: OpenAI.ChatCompletionTool[] = [{
  type: "function",
  function: {
    name: "read_article",
    description: "Reads the article of a title",
    parameters: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
  },
}];

/** Summarises an article; see {@linkcode RunWorkload}. */
export async function run(base: string, options: WorkloadOptions): Promise<string> {
  const fetch = options.fetch ?? globalThis.fetch;
  const client = new OpenAI({ apiKey: options.apiKey ?? "sk-none", baseURL: `${base}/v1`, fetch });
  const messages: Message[] = [{ role: "user", content: "Summarise what is known about the Antikythera mechanism." }];

  const { toolCalls } = await complete(client, messages);
  messages.push({ role: "assistant", tool_calls: [...toolCalls] });
  for (const { id, function: called } of toolCalls) {
    messages.push({ role: "tool", tool_call_id: id, content: readArticle(JSON.parse(called.arguments)) });
  }
  const { text } = await complete(client, messages);
  return text;
}

async function complete(client: OpenAI, messages: Message[]): Promise<Turn> {
  const stream = await client.chat.completions.create({ model: "gpt-5-mini", messages, tools, stream: true });
  const toolCalls: ToolCall[] = [];
  let text = "";
  for await (const { choices: [choice] } of stream) {
    text += choice?.delta.content ?? "";
    for (const part of choice?.delta.tool_calls ?? []) addPart(toolCalls, part);
  }
  return { text, toolCalls };
}

function addPart(calls: ToolCall[], part: OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall): void {
  const { id = "", name = "", arguments: added = "" } = { id: part.id, ...part.function };
  const call = calls[part.index] ??= { id, type: "function", function: { name, arguments: "" } };
  call.function.arguments += added;
}

function readArticle({ title }: { title: string }): string {
  return [
    `“${title}” has one entry.`,
    "The device was lifted from a wreck off Antikythera in 1901.",
    "Its bronze gears follow the sun, the moon and the eclipses.",
    "Nothing as intricate is known from the thousand years after it.",
  ].join(" ");
}

if (import.meta.main) await runProgram("W3", run);
