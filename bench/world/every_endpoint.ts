/** One request for each endpoint, for tests. */

/** A request that can be made again and again. */
export interface ExampleRequest {
  readonly name: string;
  /** Path and query. */
  readonly path: string;
  readonly init?: RequestInit;
}

const prompt = "Tell me about the tides.";
const schema = { type: "object", properties: { query: { type: "string" }, count: { type: "integer" } } };
const chatTools = [{ type: "function", function: { name: "search", parameters: schema } }];
const chatMessages = [{ role: "user", content: prompt }];
const toolCall = { id: "call_1", type: "function", function: { name: "search", arguments: "{}" } };
const chatAfterTool = [
  ...chatMessages,
  { role: "assistant", tool_calls: [toolCall] },
  { role: "tool", tool_call_id: "call_1", content: "The tide comes twice a day, as a rule." },
];
const geminiTools = [{ functionDeclarations: [{ name: "search", parameters: schema }] }];
const geminiContents = [{ role: "user", parts: [{ text: prompt }] }];
const functionResponse = { name: "search", response: { result: "The tide comes twice a day, as a rule." } };
const geminiAfterTool = [
  ...geminiContents,
  { role: "model", parts: [{ functionCall: { name: "search", args: {} } }] },
  { role: "user", parts: [{ functionResponse }] },
];

/** One request at least for each endpoint and each of its manners. */
export const everyEndpoint: readonly ExampleRequest[] = [
  { name: "bulletin", path: "/fetch" },
  { name: "user", path: "/api/users/u-1" },
  { name: "orders", path: "/api/users/u-1/orders" },
  { name: "order", path: "/api/orders/123456" },
  { name: "search", path: "/search?q=tides%20%26%20clocks" },
  { name: "search as JSON", path: "/search?q=tides", init: { headers: { accept: "application/json" } } },
  { name: "page", path: "/pages/123456" },
  { name: "chat", ...chat({ messages: chatMessages }) },
  { name: "chat tool call", ...chat({ messages: chatMessages, tools: chatTools }) },
  { name: "chat after a tool", ...chat({ messages: chatAfterTool, tools: chatTools }) },
  { name: "chat stream", ...chat({ messages: chatMessages, ...streaming() }) },
  { name: "chat stream tool call", ...chat({ messages: chatMessages, tools: chatTools, ...streaming() }) },
  { name: "chat stream after a tool", ...chat({ messages: chatAfterTool, tools: chatTools, ...streaming() }) },
  { name: "gemini", ...gemini({ contents: geminiContents }) },
  { name: "gemini function call", ...gemini({ contents: geminiContents, tools: geminiTools }) },
  { name: "gemini after a function", ...gemini({ contents: geminiAfterTool, tools: geminiTools }) },
];

/**
 * Finds one of {@linkcode everyEndpoint}.
 *
 * @param name Its name.
 * @returns The request.
 * @throws {RangeError} when there is none of that name.
 */
export function exampleRequest(name: string): ExampleRequest {
  const request = everyEndpoint.find((example) => example.name === name);
  if (!request) throw new RangeError(`Cannot make a request: there is no example "${name}"`);
  return request;
}

function chat(body: Record<string, unknown>): Omit<ExampleRequest, "name"> {
  return {
    path: "/v1/chat/completions",
    init: post({ authorization: "Bearer sk-example" }, { model: "gpt-5-mini", ...body }),
  };
}

function gemini(body: unknown): Omit<ExampleRequest, "name"> {
  return {
    path: "/v1beta/models/gemini-2.5-flash:generateContent",
    init: post({ "x-goog-api-key": "example" }, body),
  };
}

function streaming() {
  return { stream: true, stream_options: { include_usage: true } };
}

function post(headers: Record<string, string>, body: unknown): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}
