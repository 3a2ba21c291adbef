/** Whether a Deno child gets out of `--isolation deno`, tried by real processes; see docs/ISOLATION.md for the layers. */
import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CommandResult, ScriptRoom } from "../support/script_room.ts";
import { startScriptUpstream } from "../support/script_upstream.ts";
import { Greeter } from "./greeter.ts";

const hello = Deno.readTextFileSync(new URL("../cli/traces/hello.ndjson", import.meta.url));
const page = Deno.readTextFileSync(new URL("../../docs/ISOLATION.md", import.meta.url));
const attempts = fileURLToPath(new URL("./programs/attempts.ts", import.meta.url));
const deno = `"${Deno.execPath()}"`;
const replay = "agrepl replay hello.ndjson --isolation deno";
const asks = 'console.log(await (await fetch("http://api.example.com/hello")).text());';

function room(files: Readonly<Record<string, string>> = {}): ScriptRoom {
  const made = new ScriptRoom();
  made.write("hello.ndjson", hello);
  for (const [path, text] of Object.entries(files)) made.write(path, text);
  return made;
}

async function inRoom(line: string, files: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
  using made = room(files);
  return await made.run(line);
}

interface Tried extends CommandResult {
  readonly connections: number;
}

/** All attempts, under one layer. */
async function tried(layer: string): Promise<Tried> {
  using made = room();
  const socketPath = join(made.folder, "greeter.sock");
  const greeter = await Greeter.start(socketPath);
  const child = `${deno} run --no-lock --no-check -A ${attempts} ${greeter.port} ${socketPath}`;
  const result = await made.run(`agrepl replay hello.ndjson --isolation ${layer} --on-exhausted last -- ${child}`);
  return { ...result, connections: await greeter.end() };
}

const outcomes = (stdout: string) => stdout.trim().split("\n").map((line) => line.split("\t"));

Deno.test("A Deno child under --isolation deno gets out by a program that it starts, and by nothing else", async () => {
  const { stdout, stderr, connections } = await tried("deno");
  const out = outcomes(stdout).filter(([, outcome]) => outcome === "HOST");
  deepEqual(out, [["subprocess-past-the-proxy", "HOST"]], stdout + stderr);
  equal(connections, 1);
  match(stderr, /isolation {2}deno: Deno refuses the network/);
});

Deno.test("The same Deno child gets out of --isolation proxy: it can tell", async () => {
  const { stdout } = await tried("proxy");
  const out = outcomes(stdout).filter(([, outcome]) => outcome === "HOST").map(([name]) => name);
  deepEqual(["deno-connect", "node-net", "node-net-unix", "worker"].map((name) => out.includes(name)), [
    true,
    true,
    true,
    false, // its fetch goes through the proxy
  ]);
});

Deno.test("docs/ISOLATION.md has the table of what --isolation deno lets out of a Deno child", async () => {
  const { stdout } = await tried("deno");
  const rows = page.matchAll(/^\| `([\w-]+)` +\| ([\w-]+) +\|$/gm);
  equal(
    [...rows].map(([, name, outcome]) => `${name} ${outcome}`).join("\n"),
    outcomes(stdout).map((each) => each.join(" ")).join("\n"),
  );
});

const flags: readonly (readonly [what: string, flags: string])[] = [
  ["no flag", "run"],
  ["-A", "run -A"],
  ["--allow-net", "run --allow-net"],
  ["a list of hosts, and one of variables", "run --allow-net=api.example.com --allow-env=HOME"],
  ["a denial of some hosts only", "run -A --deny-net=elsewhere.test"],
  ["every permission by itself", "run -RWEN"],
  ["no right to its environment", "run --ignore-env --deny-read"],
  ["no verb", "-A"],
];

for (const [what, words] of flags) {
  Deno.test(`--isolation deno holds a command with ${what}, and answers it from the trace`, async () => {
    const source = `${asks}\nconsole.log((await Deno.permissions.query({ name: "net" })).state);`;
    const { stdout, stderr, code } = await inRoom(`${replay} -- ${deno} ${words} main.ts`, { "main.ts": source });
    deepEqual([stdout, code], ["hello\n\ndenied\n", 0], stderr);
    match(stderr, /exact, F = 1\.0\n {2}steps {6}1 recorded, 1 hit, 0 misses, 0 unused\n/);
  });
}

Deno.test("--isolation deno leaves a command the permissions that it had", async () => {
  const names = "['env', 'read', 'write', 'run', 'sys']";
  const source = `${asks}\nfor (const name of ${names}) console.log((await Deno.permissions.query({ name })).state);`;
  const states = async (words: string) => {
    const { stdout } = await inRoom(`${replay} -- ${deno} run ${words} main.ts`, { "main.ts": source });
    return stdout.trim().split("\n").slice(2).join(" ");
  };
  equal(await states("-A"), "granted granted granted granted granted");
  equal(await states("-E -R"), "granted granted prompt prompt prompt");
});

Deno.test("--isolation deno replays `deno test`", async () => {
  const source = `Deno.test("asks", async () => { ${asks} });`;
  const { stdout, stderr, code } = await inRoom(`${replay} -- ${deno} test -A a_test.ts`, { "a_test.ts": source });
  equal(code, 0, stdout + stderr);
  match(stdout, /1 passed/);
  match(stderr, /1 hit, 0 misses, 0 unused/);
});

Deno.test("--isolation deno tells a miss when it happens, and ends with 3", async () => {
  const source = `${asks}\nconsole.log((await fetch("http://api.example.com/other")).status);`;
  const line = `${replay} --report r.json -- ${deno} run -A main.ts; c=$?; cat r.json; exit $c`;
  const { stdout, stderr, code } = await inRoom(line, { "main.ts": source });
  equal(code, 3);
  match(stderr, /^agrepl: miss GET http:\/\/api\.example\.com\/other/m);
  match(stdout, /^hello\n\n502\n/);
  const report = JSON.parse(stdout.slice(stdout.indexOf("{")));
  deepEqual([report.hits, report.misses.length, report.unused, report.isolation.held], [1, 1, [], "deno"]);
});

Deno.test("--isolation deno keys as the recording did, a credential that is not set any more included", async () => {
  await using upstream = await startScriptUpstream();
  using made = new ScriptRoom({ ORIGIN: upstream.origin });
  made.write(
    "main.ts",
    `const body = JSON.stringify({ key: Deno.env.get("ORACLE_API_KEY") });
    const response = await fetch(Deno.env.get("ORIGIN") + "/echo", { method: "POST", body });
    console.log(response.status, (await response.text()).length > 0);`,
  );
  const variables = "--allow-env=ORIGIN,ORACLE_API_KEY";
  const recorded = await made.run(
    `ORACLE_API_KEY=f3Gk29sLqpZx81mVbT07 agrepl record -- ${deno} run -N ${variables} main.ts`,
  );
  equal(recorded.code, 0, recorded.stderr);
  const { stdout, stderr, code } = await made.run("agrepl run latest --isolation deno");
  deepEqual([stdout, code, upstream.requests], ["200 true\n", 0, 1], stderr);
});

Deno.test("--isolation deno joins what the command asked and what a program of its asked by the proxy", async () => {
  const source = `await new Deno.Command("curl", { args: ["-sS", "http://api.example.com/hello"] }).output();`;
  const { stderr, code } = await inRoom(`${replay} -- ${deno} run -A main.ts`, { "main.ts": source });
  equal(code, 0, stderr);
  match(stderr, /exact, F = 1\.0\n {2}steps {6}1 recorded, 1 hit, 0 misses, 0 unused\n/);
});

Deno.test("--isolation deno does not start what Deno would take for a task", async () => {
  const files = { "deno.json": '{ "tasks": { "dev": "echo started" } }' };
  const { stdout, stderr, code } = await inRoom(`${replay} -- ${deno} run -A dev`, files);
  deepEqual([stdout, code], ["", 2]);
  match(stderr, /Cannot isolate with "deno": there is no file "dev"; use auto, sandbox or proxy/);
});

Deno.test("--isolation deno says what wants the proxy, when a program ends otherwise than it was recorded", async () => {
  const { stderr, code } = await inRoom(`${replay} -- ${deno} run -A main.ts`, {
    "main.ts": `${asks}\nDeno.listen({ port: 0 });`,
  });
  equal(code, 1);
  match(stderr, /NotCapable[^]*warning {4}Under Deno's permissions a program has no server .*--isolation proxy/);
});

Deno.test("--isolation deno is refused with what only the proxy can do", async () => {
  for (const option of ["--drop x.test", "--allow-local 80", "--bypass localhost", "--redact x", "--keep"]) {
    const { stderr, code } = await inRoom(`${replay} ${option} -- ${deno} run -A main.ts`, { "main.ts": asks });
    equal(code, 2, option);
    match(stderr, /^agrepl: Cannot isolate with "deno": .*; use auto, sandbox or proxy$/m);
  }
});

Deno.test("--isolation deno says so when the command's Deno never loaded the preload", async () => {
  const { stderr, code } = await inRoom(`${replay} -- ${deno} run --no-such-flag main.ts`, { "main.ts": asks });
  equal(code, 1, stderr);
  match(stderr, /isolation {2}proxy: .*; the command's Deno never loaded agrepl's preload/);
});

Deno.test("auto takes Deno's permissions where there is no sandbox, and says why not a sandbox", async () => {
  const line = `PATH="$PWD/bin:$PATH" agrepl replay hello.ndjson -- ${deno} run -A main.ts`;
  const files = { "main.ts": asks, "bin/unshare": '#!/bin/sh\necho "unshare: Operation not permitted" >&2\nexit 1\n' };
  const { stdout, stderr, code } = await inRoom(`chmod +x bin/unshare; ${line}`, files);
  deepEqual([stdout, code], ["hello\n\n", 0]);
  match(stderr, /isolation {2}deno: .*; no sandbox, since .*Operation not permitted/);
});

Deno.test("auto says why Deno's permissions do not hold a command", async () => {
  const line = `PATH="$PWD/bin:$PATH" agrepl replay hello.ndjson --allow-unused -- true`;
  const files = { "bin/unshare": '#!/bin/sh\necho "unshare: Operation not permitted" >&2\nexit 1\n' };
  const { stderr } = await inRoom(`chmod +x bin/unshare; ${line}`, files);
  match(stderr, /isolation {2}proxy: .*; Deno's own permissions do not hold it, since "true" is not Deno/);
});
