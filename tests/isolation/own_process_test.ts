/** What agrepl's own process can still reach in a strict replay: see docs/ISOLATION.md, "In every layer". */
import { equal } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ScriptRoom } from "../support/script_room.ts";
import { Greeter } from "./greeter.ts";

const hello = Deno.readTextFileSync(new URL("../cli/traces/hello.ndjson", import.meta.url));
const plant = fileURLToPath(new URL("./programs/plant.ts", import.meta.url));
const cli = fileURLToPath(new URL("../../cli.ts", import.meta.url));

/** Where this Deno keeps what it has loaded: agrepl gets another home, in which its packages are not. */
function denoFolder(): string {
  const { stdout } = new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).outputSync();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}

/** Plants the attempts in agrepl, and gives what became of them. */
async function planted(layer: string): Promise<{ readonly outcomes: string; readonly connections: number }> {
  using room = new ScriptRoom();
  const greeter = await Greeter.start(join(room.folder, "greeter.sock"));
  room.write("hello.ndjson", hello);
  // Of all registries only that of one scope is the test's, so that agrepl finds its own packages where they are.
  room.write(".npmrc", `@planted:registry=http://127.0.0.1:${greeter.port}/\n`);
  const env = `HOME="$PWD" DENO_DIR="${denoFolder()}" PLANTED_PORT=${greeter.port} PLANTED_REPORT="$PWD/report"`;
  const wait = "for n in $(seq 400); do [ -e report ] && break; sleep 0.05; done";
  const agrepl = `"${Deno.execPath()}" run -A --no-lock --no-check --preload "${plant}" "${cli}"`;
  const { stderr } = await room.run(
    `${env} ${agrepl} replay hello.ndjson --isolation ${layer} --allow-unused -- sh -c '${wait}; cat report >&2'`,
  );
  const outcomes = [...stderr.matchAll(/^([\w-]+)\t(.*)$/gm)].map(([, name, outcome]) => `${name}: ${outcome}`);
  return { outcomes: outcomes.length === 0 ? stderr : outcomes.join("\n"), connections: await greeter.end() };
}

Deno.test("agrepl's own process reaches nobody in a strict replay, but for a package that no cache holds", async () => {
  const { outcomes, connections } = await planted("proxy");
  equal(
    outcomes,
    [
      ...["fetch", "deno-connect", "node-http", "node-net", "websocket", "deno-listen", "resolve-dns", "subprocess"],
      ...["ffi", "remote-import", "worker-that-fetches", "remote-worker", "asked-for-permission"],
    ].map((name) => `${name}: NotCapable`).concat("npm-import: asked the registry").join("\n"),
  );
  equal(connections > 0, true); // the lint rule no-escape forbids what would do that
});
