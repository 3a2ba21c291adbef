import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("main.ts", import.meta.url));

async function readLine(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n")) text += (await reader.read()).value ?? assert.fail(`stdout ended after "${text}"`);
  await reader.cancel();
  return text;
}

Deno.test("main.ts serves until its stdin ends when it is started", async () => {
  const args = ["run", "-A", "--quiet", "--no-lock", program, "--no-delays"];
  const child = new Deno.Command(Deno.execPath(), { args, stdin: "piped", stdout: "piped" }).spawn();
  const { origin, ca } = JSON.parse(await readLine(child.stdout));
  using client = Deno.createHttpClient({ caCerts: [await Deno.readTextFile(ca)] });
  const response = await fetch(`${origin}/fetch`, { client });
  assert.match(await response.text(), /^Bulletin/);

  await child.stdin.close();
  assert.equal((await child.status).code, 0);
  await assert.rejects(Deno.stat(ca), Deno.errors.NotFound);
});
