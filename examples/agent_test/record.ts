/**
 * Records the cassette of agent_test.ts anew, from a made-up model that never answers twice alike.
 *
 *     deno run -A examples/agent_test/record.ts
 *
 * With a genuine model on port 11434, `AGREPL_MODE=record deno test -A examples/agent_test` is all there is to it.
 *
 * @module
 */
import { fileURLToPath } from "node:url";

const worldProgram = fileURLToPath(new URL("../../bench/world/main.ts", import.meta.url));
const world = new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", "--quiet", "--no-lock", worldProgram, "--plain", "--no-delays"],
  stdin: "piped",
  stdout: "piped",
}).spawn();
const { origin } = JSON.parse(await firstLine(world.stdout));

const server = Deno.serve({ hostname: "127.0.0.1", port: 11434, onListen: () => {} }, async (request) => {
  const { pathname } = new URL(request.url);
  const headers = { "content-type": "application/json", authorization: "Bearer sk-made-up" };
  return await fetch(`${origin}${pathname}`, { method: request.method, headers, body: await request.text() });
});
const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["test", "-A", "--no-lock", fileURLToPath(new URL("./agent_test.ts", import.meta.url))],
  env: { AGREPL_MODE: "record", CI: "" },
  stdout: "inherit",
  stderr: "inherit",
}).output();
Deno.exitCode = code;
await server.shutdown();
await world.stdin.close();
await world.status;

async function firstLine(stdout: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let text = "";
  for await (const piece of stdout.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.includes("\n")) break;
  }
  return text;
}
