/**
 * Loopback servers that speak as the vendors' APIs do, as far as their SDKs look.
 *
 * @module
 */

/** Answers requests of one vendor's SDK. */
export type Dialect = (request: Request) => Response | Promise<Response>;

const sse = { "content-type": "text/event-stream" };

/** An event stream, one event a piece. */
function events(all: readonly (string | { readonly type: string })[]): Response {
  const lines = all.map((event) => {
    if (typeof event === "string") return `data: ${event}\n\n`;
    return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  });
  return new Response(ReadableStream.from(lines).pipeThrough(new TextEncoderStream()), { headers: sse });
}

function chatChunk(delta: unknown, finish: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "gpt-4o-mini", choices });
}

/** Chat completions, with a tool call when tools are offered; and responses. */
export const openai: Dialect = async (request) => {
  const asked = await request.json();
  if (request.url.endsWith("/responses")) return responses(asked.stream === true);
  const call = { index: 0, id: "call_1", type: "function", function: { name: "weather", arguments: "{}" } };
  const words = ["It is ", "12 degrees"].map((content) => chatChunk({ role: "assistant", content }, null));
  const told = asked.tools === undefined ? words : [chatChunk({ role: "assistant", tool_calls: [call] }, null)];
  return events([...told, chatChunk({}, asked.tools === undefined ? "stop" : "tool_calls"), "[DONE]"]);
};

function responses(streamed: boolean): Response {
  const content = [{ type: "output_text", text: "hello", annotations: [] }];
  const output = [{ type: "message", id: "m", role: "assistant", status: "completed", content }];
  const response = { id: "r", object: "response", created_at: 1, status: "completed", model: "gpt-4o", output };
  if (!streamed) return Response.json(response);
  const delta = (text: string) => ({ type: "response.output_text.delta", item_id: "m", delta: text });
  return events([
    { type: "response.created", response: { ...response, output: [] } } as { type: string },
    delta("hel"),
    delta("lo"),
    { type: "response.completed", response } as { type: string },
  ]);
}

/** Messages, streamed. */
export const anthropic: Dialect = () => {
  const message = {
    id: "msg",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 1 },
  };
  const delta = (text: string) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
  const all: readonly { readonly type: string; readonly [member: string]: unknown }[] = [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    delta("hel"),
    delta("lo"),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ];
  return events(all);
};

/** `streamGenerateContent`. */
export const genai: Dialect = () =>
  events(["hel", "lo"].map((text) => {
    return JSON.stringify({ candidates: [{ content: { role: "model", parts: [{ text }] }, index: 0 }] });
  }));

/** An S3 that holds one object, and an STS. */
export const aws: Dialect = async (request) => {
  const xml = { "content-type": "text/xml" };
  const body = await request.text();
  if (request.method === "PUT") return new Response(null, { headers: { etag: '"e1"' } });
  if (request.method === "GET") return new Response("an object", { headers: { etag: '"e1"' } });
  const action = new URLSearchParams(body).get("Action");
  const result = `<${action}Result><Account>123456789012</Account></${action}Result>`;
  const namespace = 'xmlns="https://sts.amazonaws.com/doc/2011-06-15/"';
  return new Response(`<${action}Response ${namespace}>${result}</${action}Response>`, { headers: xml });
};

/** Echoes JSON, redirects, and talks over a WebSocket. */
export const plain: Dialect = async (request) => {
  const { pathname } = new URL(request.url);
  if (pathname === "/moved") return new Response(null, { status: 302, headers: { location: "/text" } });
  if (pathname === "/text") return new Response("a text");
  if (pathname === "/json") return Response.json({ got: await request.json(), by: request.headers.get("x-by") });
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.onmessage = ({ data }) => socket.send(`${data} yourself`);
  return response;
};

/** A server of the Model Context Protocol, over Streamable HTTP: one tool that adds. */
export const mcp: Dialect = async (request) => {
  if (request.method === "DELETE") return new Response(null, { status: 200 });
  if (request.method !== "POST") return new Response(null, { status: 405 });
  const { id, method, params } = await request.json();
  if (id === undefined) return new Response(null, { status: 202 });
  const { a = 0, b = 0 } = params?.arguments ?? {};
  const results: Readonly<Record<string, unknown>> = {
    "initialize": {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "s", version: "1" },
    },
    "tools/list": { tools: [{ name: "add", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: String(a + b) }] },
  };
  const answer = JSON.stringify({ jsonrpc: "2.0", id, result: results[method] });
  if (method === "tools/call") return events([answer]);
  return new Response(answer, { headers: { "content-type": "application/json", "mcp-session-id": "s1" } });
};
