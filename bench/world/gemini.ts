/** `POST /v1beta/models/{model}:generateContent`, as Google's Gemini API answers it. */

import { type Answer, type Call, json } from "./answer.ts";
import { itemsOf, type Members, membersOf, parseJson } from "./json_body.ts";
import { type Conversation, countTokens, type Reply, replyTo } from "./model.ts";
import { alphanumeric } from "./sampler.ts";

/**
 * Answers a `generateContent`.
 *
 * @param call A call with an API key (header `x-goog-api-key` or query `key`) and `{contents, tools?}`.
 * @returns One candidate with text or a function call, or 400 or 403 in Google's form.
 */
export function generateContent(call: Call): Answer {
  if (!(call.headers["x-goog-api-key"] ?? call.url.searchParams.get("key"))) {
    return failure(403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers");
  }
  const request = membersOf(parseJson(call.body));
  const contents = itemsOf(request["contents"]);
  if (contents.length === 0) return failure(400, "INVALID_ARGUMENT", "contents is not specified");

  const { reply, exchange } = replyTo(toConversation(contents, request), call.sample);
  return json(toCandidate(call, reply), {
    headers: [
      ["vary", "Origin, X-Origin, Referer"],
      ["server", "scaffolding on HTTPServer2"],
      ["server-timing", `gfet4t7; dur=${call.sample.int(80, 900)}`],
    ],
    exchange,
  });
}

function toConversation(contents: readonly Members[], request: Members): Conversation {
  const parts = itemsOf(contents.at(-1)?.["parts"]);
  const results = parts.map((part) => part["functionResponse"]).filter((result) => result !== undefined);
  const spoken = contents.filter((content) => content["role"] !== "model").flatMap((content) =>
    itemsOf(content["parts"])
  );
  const declared = itemsOf(request["tools"]).flatMap((tool) => itemsOf(tool["functionDeclarations"]));
  return {
    prompt: spoken.map((part) => part["text"]).filter((text) => typeof text === "string").at(-1) ?? "",
    tools: declared.map((tool) => ({ name: String(tool["name"]), parameters: tool["parameters"] })),
    toolResult: results.length === 0 ? null : JSON.stringify(results.map((result) => membersOf(result)["response"])),
  };
}

function toCandidate(call: Call, reply: Reply) {
  const part = reply.kind === "text"
    ? { text: reply.text }
    : { functionCall: { name: reply.name, args: reply.arguments } };
  const promptTokenCount = countTokens(call.body);
  const candidatesTokenCount = countTokens(JSON.stringify(part));
  return {
    candidates: [{
      content: { parts: [part], role: "model" },
      finishReason: "STOP",
      index: 0,
      avgLogprobs: -call.sample.fraction(),
    }],
    usageMetadata: {
      promptTokenCount,
      candidatesTokenCount,
      totalTokenCount: promptTokenCount + candidatesTokenCount,
    },
    modelVersion: call.params["model"],
    responseId: call.sample.text(22, alphanumeric),
  };
}

function failure(code: number, status: string, message: string): Answer {
  return json({ error: { code, message, status } }, { status: code });
}
