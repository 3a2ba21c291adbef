import { deepEqual, equal, ok } from "node:assert/strict";
import { type ClassifiedRequest, classify } from "./classify.ts";
import { endpointRules } from "./endpoints.ts";

function label(method: string, url: string, rest: Partial<ClassifiedRequest> = {}): string {
  const { type, optional, provider } = classify({ method, url, headers: [], ...rest });
  return [type, ...(optional ? ["optional"] : []), ...(provider === undefined ? [] : [provider])].join(" ");
}

const cases: readonly (readonly [method: string, url: string, label: string])[] = [
  ["POST", "https://api.openai.com/v1/chat/completions", "LLM openai"],
  ["POST", "https://API.OpenAI.com:443/v1/responses?x=1", "LLM openai"],
  ["POST", "https://eu.api.openai.com/v1/embeddings", "LLM openai"],
  ["GET", "https://api.openai.com/v1/models", "HTTP"],
  ["POST", "https://me.openai.azure.com/openai/deployments/gpt/chat/completions?api-version=1", "LLM azure-openai"],
  ["POST", "https://me.openai.azure.com/openai/v1/responses", "LLM azure-openai"],
  ["POST", "https://api.anthropic.com/v1/messages", "LLM anthropic"],
  ["POST", "https://api.anthropic.com/v1/organizations/x", "HTTP"],
  [
    "POST",
    "https://generativelanguage.googleapis.com/v1beta/models/gemini-2:streamGenerateContent?alt=sse",
    "LLM gemini",
  ],
  ["POST", "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions", "LLM gemini"],
  [
    "POST",
    "https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google/models/g:generateContent",
    "LLM vertex",
  ],
  ["POST", "https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude%3A0/converse-stream", "LLM bedrock"],
  ["POST", "https://api.mistral.ai/v1/fim/completions", "LLM mistral"],
  ["POST", "https://api.cohere.com/v2/chat", "LLM cohere"],
  ["POST", "https://api.groq.com/openai/v1/chat/completions", "LLM groq"],
  ["POST", "https://openrouter.ai/api/v1/chat/completions", "LLM openrouter"],
  ["POST", "https://api.deepseek.com/chat/completions", "LLM deepseek"],
  ["POST", "http://localhost:11434/api/chat", "LLM ollama"],
  ["POST", "http://[::1]:11434/api/generate", "LLM ollama"],
  ["POST", "http://localhost:3000/api/chat", "HTTP"],
  ["POST", "http://user:pw@localhost:4000/proxy/v1/chat/completions", "LLM openai-compatible"],
  ["GET", "http://localhost:4000/v1/chat/completions", "HTTP"],
  ["POST", "https://example.com/v1/messages", "HTTP"],
  ["GET", "https://registry.npmjs.org/express", "SYSTEM optional npm"],
  ["PUT", "https://registry.npmjs.org/express", "HTTP"],
  ["GET", "https://jsr.io/@std/path/meta.json", "SYSTEM optional jsr"],
  ["GET", "https://dl.deno.land/release-latest.txt", "SYSTEM optional deno"],
  ["GET", "https://pypi.org/simple/pip/", "SYSTEM optional pypi"],
  ["GET", "https://pypi.org/project/pip/", "HTTP"],
  ["GET", "https://index.crates.io/se/rd/serde", "SYSTEM optional crates"],
  ["GET", "https://proxy.golang.org/golang.org/x/net/@v/list", "SYSTEM optional go"],
  ["GET", "https://repo1.maven.org/maven2/a/b/1/b-1.pom", "SYSTEM optional maven"],
  ["GET", "https://api.github.com/repos/denoland/deno/releases/latest", "SYSTEM optional github"],
  ["GET", "https://api.github.com/repos/me/mine/releases/latest", "HTTP"],
  ["TOOL", "agrepl:search", "TOOL"],
  ["SYSTEM", "agrepl:clock", "SYSTEM"],
  ["GET", "https://example.com", "HTTP"],
  ["GET", "not a URL", "HTTP"],
];

for (const [method, url, expected] of cases) {
  Deno.test(`classify() says ${expected} when asked for ${method} ${url}`, () => equal(label(method, url), expected));
}

Deno.test("classify() takes a path alone for Anthropic's only beside its header", () => {
  const headers = [["Anthropic-Version", "2023-06-01"]] as const;
  equal(label("POST", "http://localhost:4000/v1/messages", { headers }), "LLM anthropic-compatible");
});

Deno.test("classify() takes the Realtime API for a model when it upgrades", () => {
  equal(
    label("GET", "https://api.openai.com/v1/realtime?model=x", { headers: [["Upgrade", "websocket"]] }),
    "LLM openai",
  );
});

const rpc = (method: string) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: {} });
const bodies: readonly (readonly [what: string, bodyText: string, label: string])[] = [
  ["a tool's call", rpc("tools/call"), "TOOL mcp"],
  ["the handshake", ` ${rpc("initialize")}`, "TOOL mcp"],
  ["a notification", rpc("notifications/initialized"), "TOOL mcp"],
  ["a batch", `[${rpc("ping")},${rpc("resources/list")}]`, "TOOL mcp"],
  ["another protocol", rpc("eth_blockNumber"), "HTTP"],
  ["a message inside a string", JSON.stringify({ text: rpc("tools/call") }), "HTTP"],
  ["a message inside an object", `{"inner":${rpc("tools/call")}}`, "HTTP"],
  ["a broken message", rpc("tools/call").slice(0, -1), "HTTP"],
];

for (const [what, bodyText, expected] of bodies) {
  Deno.test(`classify() says ${expected} when a POST carries ${what}`, () => {
    equal(label("POST", "https://mcp.example.com/mcp", { bodyText }), expected);
  });
}

Deno.test("classify() knows an MCP session's stream by its header, without a body", () => {
  equal(label("GET", "https://mcp.example.com/mcp", { headers: [["Mcp-Session-Id", "x"]] }), "TOOL mcp");
  equal(label("POST", "https://mcp.example.com/mcp", { bodyText: null }), "HTTP");
});

Deno.test("endpointRules gives optional to nothing but SYSTEM", () => {
  deepEqual(endpointRules.filter((rule) => rule.optional !== (rule.type === "SYSTEM")), []);
});

Deno.test("endpointRules says why, everywhere", () => {
  ok(endpointRules.every((rule) => rule.why.length > 4 && rule.provider !== ""));
});
