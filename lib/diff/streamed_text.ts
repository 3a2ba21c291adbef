/**
 * Where the events of a model's stream carry a piece of a longer text, as data: adding a vendor is adding a line here.
 *
 * @module
 */

/** Pieces of one kind. */
export interface StreamedText {
  /** The way to the piece within one event; a star stands for any index. */
  readonly paths: readonly string[];
  /** Whose streams these are. */
  readonly source: string;
}

/** All lines. */
export const streamedTexts: readonly StreamedText[] = [
  {
    paths: [
      "choices/*/delta/content",
      "choices/*/delta/refusal",
      "choices/*/delta/reasoning",
      "choices/*/delta/reasoning_content",
      "choices/*/delta/tool_calls/*/function/arguments",
      "choices/*/delta/function_call/arguments",
      "choices/*/text",
    ],
    source: "OpenAI Chat Completions and Completions, and those who speak them: DeepSeek, Groq, Mistral, OpenRouter",
  },
  {
    paths: ["delta"],
    source:
      "OpenAI Responses and Realtime: response.output_text.delta, response.function_call_arguments.delta and others",
  },
  {
    paths: ["delta/text", "delta/partial_json", "delta/thinking", "completion"],
    source: "Anthropic Messages: content_block_delta; Text Completions before it",
  },
  { paths: ["candidates/*/content/parts/*/text"], source: "Gemini: streamGenerateContent" },
  {
    paths: [
      "delta/message/content/text",
      "delta/message/tool_plan",
      "delta/message/tool_calls/function/arguments",
    ],
    source: "Cohere v2: chat",
  },
  { paths: ["message/content", "message/thinking", "response"], source: "Ollama: /api/chat, /api/generate" },
];

/** Members that say to which of several texts a piece belongs, beside the way to it. */
export const textNumbers: readonly string[] = ["index", "output_index", "content_index", "summary_index"];
