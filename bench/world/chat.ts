/** `POST /v1/chat/completions`, as OpenAI answers it: whole or as a stream, with text or with a tool call. */

import { type Answer, type Call, type HeaderPair, json } from "./answer.ts";
import { proxyHeaders, requestId } from "./cdn.ts";
import { itemsOf, type Members, membersOf, parseJson } from "./json_body.ts";
import { type Conversation, countTokens, type Reply, replyTo, type TimedReply } from "./model.ts";
import { alphanumeric, hexadecimal } from "./sampler.ts";
import { doneEvent, toDeltas, toEventWrites } from "./stream.ts";

interface Completion {
  readonly id: string;
  readonly created: number;
  readonly model: unknown;
  readonly service_tier: "default";
  readonly system_fingerprint: string;
}

/**
 * Answers a chat completion.
 *
 * @param call A call with a bearer token and `{model, messages, tools?, stream?, stream_options?}`.
 * @returns A completion, a stream of chunks, or 400 or 401 in OpenAI's form.
 */
export function chatCompletions(call: Call): Answer {
  if (!/^Bearer \S+$/i.test(call.headers.authorization ?? "")) {
    return failure(401, "invalid_api_key", "You did not provide an API key in an Authorization header (Bearer)");
  }
  const request = membersOf(parseJson(call.body));
  const messages = itemsOf(request["messages"]);
  if (messages.length === 0) return failure(400, "invalid_messages", "'messages' must be a list with an item at least");

  const timed = replyTo(toConversation(messages, request), call.sample);
  return request["stream"] === true ? streamed(call, request, timed) : complete(call, request, timed);
}

function toConversation(messages: readonly Members[], request: Members): Conversation {
  const spoken = messages.filter((message) => message["role"] === "user").at(-1);
  const results = messages.slice(messages.findLastIndex((message) => message["role"] !== "tool") + 1);
  return {
    prompt: textOf(spoken?.["content"]),
    tools: itemsOf(request["tools"]).map((tool) => membersOf(tool["function"])).map((tool) => ({
      name: String(tool["name"]),
      parameters: tool["parameters"],
    })),
    toolResult: results.length === 0 ? null : results.map((message) => textOf(message["content"])).join("\n"),
  };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return itemsOf(content).map((part) => String(part["text"] ?? "")).join("");
}

function complete(call: Call, request: Members, { reply, exchange }: TimedReply): Answer {
  const text = reply.kind === "text"
    ? { content: reply.text }
    : { content: null, tool_calls: [toolCallOf(call, reply)] };
  const { id, ...completion } = begin(call, request);
  const choice = {
    index: 0,
    message: { role: "assistant", ...text, refusal: null, annotations: [] },
    logprobs: null,
    finish_reason: finishReason(reply),
  };
  const value = { id, object: "chat.completion", ...completion, choices: [choice], usage: usageOf(call, reply) };
  return json(value, { headers: vendorHeaders(call), exchange });
}

function streamed(call: Call, request: Members, { reply, exchange }: TimedReply): Answer {
  const withUsage = membersOf(request["stream_options"])["include_usage"] === true;
  const { id, ...completion } = begin(call, request);
  const chunk = (choices: readonly unknown[], usage: unknown = null) => ({
    id,
    object: "chat.completion.chunk",
    ...completion,
    choices,
    ...(withUsage ? { usage } : {}),
  });
  const events = deltasOf(call, reply).map((delta) =>
    chunk([{ index: 0, delta, logprobs: null, finish_reason: null }])
  );
  events.push(chunk([{ index: 0, delta: {}, logprobs: null, finish_reason: finishReason(reply) }]));
  if (withUsage) events.push(chunk([], usageOf(call, reply)));
  return {
    status: 200,
    headers: [["content-type", "text/event-stream; charset=utf-8"], ...vendorHeaders(call)],
    writes: [...toEventWrites(events), doneEvent],
    streamed: true,
    exchange,
  };
}

function deltasOf(call: Call, reply: Reply): readonly unknown[] {
  if (reply.kind === "text") {
    const opening = { role: "assistant", content: "", refusal: null };
    return [opening, ...toDeltas(reply.text, call.sample).map((content) => ({ content }))];
  }
  const { function: { name, arguments: all }, ...tool } = toolCallOf(call, reply);
  const opening = { index: 0, ...tool, function: { name, arguments: "" } };
  const rest = toDeltas(all, call.sample).map((part) => ({ index: 0, function: { arguments: part } }));
  return [
    { role: "assistant", content: null, tool_calls: [opening], refusal: null },
    ...rest.map((part) => ({ tool_calls: [part] })),
  ];
}

function toolCallOf({ sample }: Call, reply: Reply & { kind: "call" }) {
  return {
    id: `call_${sample.text(24, alphanumeric)}`,
    type: "function",
    function: { name: reply.name, arguments: JSON.stringify(reply.arguments) },
  };
}

function begin({ now, sample }: Call, request: Members): Completion {
  return {
    id: `chatcmpl-${sample.text(29, alphanumeric)}`,
    created: Math.floor(now.getTime() / 1000),
    model: request["model"],
    service_tier: "default",
    system_fingerprint: `fp_${sample.text(10, hexadecimal)}`,
  };
}

function finishReason(reply: Reply): "tool_calls" | "stop" {
  return reply.kind === "call" ? "tool_calls" : "stop";
}

function usageOf(call: Call, reply: Reply) {
  const promptTokens = countTokens(call.body);
  const completionTokens = countTokens(reply.kind === "text" ? reply.text : JSON.stringify(reply.arguments));
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
}

function vendorHeaders({ sample }: Call): readonly HeaderPair[] {
  return [
    ["openai-organization", "example"],
    ["openai-processing-ms", String(sample.int(80, 900))],
    ["openai-version", "2020-10-01"],
    ["x-ratelimit-limit-requests", "10000"],
    ["x-ratelimit-remaining-requests", String(sample.int(9_000, 9_999))],
    ["x-ratelimit-reset-requests", `${sample.int(6, 900)}ms`],
    ["x-ratelimit-limit-tokens", "2000000"],
    ["x-ratelimit-remaining-tokens", String(sample.int(1_900_000, 1_999_999))],
    requestId(sample),
    ...proxyHeaders(sample),
  ];
}

function failure(status: number, code: string, message: string): Answer {
  return json({ error: { message, type: "invalid_request_error", param: null, code } }, { status });
}
