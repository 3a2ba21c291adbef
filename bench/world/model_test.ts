import assert from "node:assert/strict";
import { replyTo } from "./model.ts";
import { createSampler } from "./sampler.ts";

const search = { name: "search", parameters: { properties: { q: { type: "STRING" }, kind: { enum: ["a", "b"] } } } };

function reply(conversation: Partial<Parameters<typeof replyTo>[0]>) {
  return replyTo({ prompt: "", tools: [], toolResult: null, ...conversation }, createSampler("model"));
}

function textOf(conversation: Parameters<typeof reply>[0]): string {
  const { reply: given } = reply(conversation);
  return given.kind === "text" ? given.text : "";
}

Deno.test("replyTo() fills the arguments by their schema when it calls a tool", () => {
  const { reply: call, exchange } = reply({ prompt: "What is known about the tides?", tools: [search] });
  assert.ok(call.kind === "call");
  assert.match(String(call.arguments["q"]), /^tides/);
  assert.match(String(call.arguments["kind"]), /^[ab]$/);
  assert.equal(exchange, "tool_call");
});

Deno.test("replyTo() leaves addresses out when the tool's result has them", () => {
  const toolResult = JSON.stringify({ results: [{ url: "https://localhost:1/a", snippet: "It comes twice a day." }] });
  assert.match(textOf({ tools: [search], toolResult }), /It comes twice a day\./);
  assert.doesNotMatch(textOf({ tools: [search], toolResult }), /localhost/);
});

Deno.test("replyTo() tells three sentences at most when the tool brought more", () => {
  const toolResult = Array.from({ length: 9 }, (_, index) => `This is sentence number ${index}.`).join(" ");
  assert.equal(textOf({ toolResult }).match(/sentence number/g)?.length, 3);
});

Deno.test("replyTo() makes do with fragments when the tool brought no sentence", () => {
  assert.match(textOf({ toolResult: "42" }), / 42\. /);
});

Deno.test("replyTo() writes code that compiles when asked for a function", async () => {
  const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(textOf({ prompt: "Write a function" })) ?? [];
  const exported = Object.values(await import(`data:application/typescript,${encodeURIComponent(code)}`));
  assert.deepEqual(exported.map((slug) => typeof slug === "function" && slug("Crème brûlée")), ["creme-brulee"]);
});
