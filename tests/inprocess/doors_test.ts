import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Step } from "../../lib/step/mod.ts";
import { TraceFile } from "../../lib/store/mod.ts";
import { CassetteRoom, Loopback } from "./room.ts";

const program = fileURLToPath(new URL("./doors_program.ts", import.meta.url));
const cli = fileURLToPath(new URL("../../cli.ts", import.meta.url));

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/socket") {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) => socket.send(`${data} yourself`);
    return response;
  }
  if (pathname !== "/events") return new Response(`${request.method} ${pathname} ${await request.text()}`);
  return new Response("data: a\n\n", { headers: { "content-type": "text/event-stream" } });
}

async function run(args: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const command = { args: ["run", "--no-lock", "--no-check", "-A", ...args], env: { NO_COLOR: "1", CI: "", ...env } };
  const { code, stderr } = await new Deno.Command(Deno.execPath(), command).output();
  equal(code, 0, new TextDecoder().decode(stderr));
}

function stepsOf(path: string): Step[] {
  using trace = new TraceFile(path, null);
  return trace.entries.map((entry) => trace.step(entry));
}

/** What both must agree on. */
function said({ key, type, request: { method, url, body }, response }: Step) {
  return { key, type, method, url, body, status: response?.status, answer: response?.body };
}

Deno.test("a program records the same in withReplay() as under `agrepl record`: equal keys, in equal order", async () => {
  await using server = new Loopback(answer);
  using room = new CassetteRoom();
  await run([program, server.url("/"), room.path]);
  await run([cli, "record", "--", Deno.execPath(), "run", "--no-lock", "--no-check", "-A", program, server.url("/")], {
    AGREPL_DIR: join(room.folder, ".agrepl"),
  });
  const [trace = ""] = [...Deno.readDirSync(join(room.folder, ".agrepl", "traces"))].map(({ name }) => name);
  const byProxy = stepsOf(join(room.folder, ".agrepl", "traces", trace)).filter((step) => step.optional !== true);
  equal(room.steps().length, 8);
  deepEqual(room.steps().map(said), byProxy.map(said));
});
