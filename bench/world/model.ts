/** A pretend language model: it calls the first tool it is offered, and then talks about what the tool brought. */

import type { Exchange } from "./delays.ts";
import { type Members, membersOf, parseJson } from "./json_body.ts";
import type { Sampler } from "./sampler.ts";
import { closings, links, openings } from "./wording.ts";

/** A tool as a vendor's request declares it. */
export interface OfferedTool {
  readonly name: string;
  /** The JSON Schema of its arguments. */
  readonly parameters: unknown;
}

/** What the model is told, whichever vendor's form it came in. */
export interface Conversation {
  /** The last thing the user said. */
  readonly prompt: string;
  readonly tools: readonly OfferedTool[];
  /** What the tools answered, when they were the last to speak. */
  readonly toolResult: string | null;
}

/** What the model does: it calls a tool, or it talks. */
export type Reply =
  | { readonly kind: "call"; readonly name: string; readonly arguments: Members }
  | { readonly kind: "text"; readonly text: string };

/** A reply, and the exchange it is timed as. */
export interface TimedReply {
  readonly reply: Reply;
  readonly exchange: Exchange;
}

/**
 * Answers a conversation, in other words each time.
 *
 * @param conversation What was said, and the tools there are.
 * @param sample Draws the wording.
 * @returns A tool call when tools are offered and the user spoke last, else text.
 */
export function replyTo(conversation: Conversation, sample: Sampler): TimedReply {
  const { prompt, tools: [tool], toolResult } = conversation;
  if (toolResult !== null) {
    return { reply: { kind: "text", text: summarise(factsOf(toolResult), sample) }, exchange: "tool_answer" };
  }
  if (tool) {
    const reply = { kind: "call", name: tool.name, arguments: fillArguments(tool, topicOf(prompt), sample) } as const;
    return { reply, exchange: "tool_call" };
  }
  const text = /\b(code|function|program)\b/i.test(prompt) ? writeCode(sample) : summarise([prompt], sample);
  return { reply: { kind: "text", text }, exchange: "completion" };
}

/**
 * Counts tokens as a tokenizer would, near enough.
 *
 * @param text The text to count.
 * @returns A fourth of its length, rounded up.
 */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

function topicOf(prompt: string): string {
  const [, about] = /\babout\s+(?:the\s+)?([^.?!\n]+)/i.exec(prompt) ?? [];
  return (about ?? prompt.slice(0, 80)).trim();
}

function fillArguments({ parameters }: OfferedTool, topic: string, sample: Sampler): Members {
  return Object.fromEntries(
    Object.entries(membersOf(membersOf(parameters)["properties"]))
      .map(([name, schema]) => [name, fillArgument(membersOf(schema), topic, sample)]),
  );
}

function fillArgument(schema: Members, topic: string, sample: Sampler): unknown {
  if (Array.isArray(schema["enum"])) return sample.pick(schema["enum"]);
  switch (String(schema["type"]).toLowerCase()) {
    case "integer":
    case "number":
      return sample.int(1, 5);
    case "boolean":
      return sample.int(0, 1) === 1;
    default:
      return `${topic}${sample.pick(["", " explained", " overview", " — für Anfänger", " today"])}`;
  }
}

/** Whole sentences before fragments such as titles; never addresses, which name the port of the day. */
function factsOf(toolResult: string): readonly string[] {
  const texts = leavesOf(parseJson(toolResult) ?? toolResult).filter((text) => !/^(\/|https?:)/.test(text));
  const sentences = texts.flatMap((text) => text.match(/[^.!?\n]{12,}(?=[.!?])/g) ?? []);
  return (sentences.length > 0 ? sentences : texts).map((fact) => fact.trim()).slice(0, 3);
}

function summarise(facts: readonly string[], sample: Sampler): string {
  const lead = sample.int(0, links.length - 1);
  const told = facts.map((fact, index) => `${links[(lead + index) % links.length]} ${fact}.`);
  const certainty = `I am ${(sample.int(5_000, 9_999) / 100).toFixed(2)} % sure.`;
  return [sample.pick(openings), ...told, certainty, sample.pick(closings)].join(" ");
}

function writeCode(sample: Sampler): string {
  const name = sample.pick(["slugify", "toSlug", "makeSlug"]);
  const text = sample.pick(["title", "text", "heading"]);
  return [
    `${sample.pick(openings)}`,
    "",
    "```ts",
    `/** Turns a ${text} into the last part of a URL: “Crème brûlée” → “creme-brulee”. */`,
    `export function ${name}(${text}: string, length = ${sample.int(32, 9_999)}): string {`,
    `  const plain = ${text}.normalize("NFKD").replace(/\\p{M}/gu, "").toLowerCase();`,
    `  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, length);`,
    "}",
    "```",
    "",
    `${sample.pick(closings)}`,
  ].join("\n");
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  return Object.values(membersOf(value)).flatMap(leavesOf);
}
