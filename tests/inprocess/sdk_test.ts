import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CassetteRoom, Loopback } from "./room.ts";

const program = fileURLToPath(new URL("./agent_program.ts", import.meta.url));

/** Answers as the API does: a tool call first, then words, each in several events. */
async function chat(request: Request): Promise<Response> {
  const { messages } = await request.json();
  const call = { index: 0, id: "call_1", type: "function", function: { name: "weather", arguments: "" } };
  const deltas = messages.length === 1
    ? [{ role: "assistant", tool_calls: [call] }, { tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] }, {
      tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }],
    }]
    : ["It is ", "12 degrees", " in Oslo."].map((content) => ({ role: "assistant", content }));
  const reason = messages.length === 1 ? "tool_calls" : "stop";
  const events = [...deltas.map((delta) => choice(delta, null)), choice({}, reason), "[DONE]"];
  const body = ReadableStream.from(events.map((event) => `data: ${event}\n\n`)).pipeThrough(new TextEncoderStream());
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

function choice(delta: unknown, reason: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: reason }];
  return JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "gpt-4o-mini", choices });
}

interface Run {
  readonly code: number;
  readonly output: string;
}

async function run(flags: readonly string[], args: readonly string[], env: Record<string, string>): Promise<Run> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "--no-lock", "--no-check", ...flags, program, "--", ...args],
    env: { NO_COLOR: "1", ...env },
  }).output();
  return { code, output: [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("") };
}

async function recordAgent(room: CassetteRoom): Promise<string> {
  await using server = new Loopback(chat);
  const url = server.url("/v1");
  const { code, output } = await run(["-A"], [room.path, url], { AGREPL_MODE: "record", CI: "" });
  equal(code, 0, output);
  return url;
}

const hermetic = ["--no-prompt", "--ignore-env", "--deny-net"];

Deno.test("an agent of the openai SDK replays with no permission but to read its cassette", async () => {
  using room = new CassetteRoom();
  const url = await recordAgent(room);
  deepEqual(room.steps().map((step) => step.request.method), ["POST", "TOOL", "POST"]);
  const audit = join(room.folder, "audit.jsonl");
  const flags = [...hermetic, `--allow-read=${room.folder}`];
  const { code, output } = await run(flags, [room.path, url], { DENO_AUDIT_PERMISSIONS: audit });
  equal(code, 0, output);
  match(output, /mode replay, isolation denied/);
  const used = Deno.readTextFileSync(audit).trim().split("\n").map((line) => JSON.parse(line).permission);
  deepEqual([...new Set(used)].filter((name) => name !== "env" && name !== "read"), []);
});

Deno.test("an agent that asks something else is told what differs", async () => {
  using room = new CassetteRoom();
  const url = await recordAgent(room);
  Deno.writeTextFileSync(
    room.path,
    room.text().replaceAll("in Oslo?", "in Bergen?").replace(/"key":"[^"]*"/, `"key":"${"0".repeat(64)}"`),
  );
  const { code, output } = await run([...hermetic, `--allow-read=${room.folder}`], [room.path, url], {});
  equal(code, 1);
  match(output, /ReplayDivergenceError: Cannot replay/);
  match(output, /body #\/messages\/0\/content: .*Bergen\?.* -> .*Oslo\?/);
});
