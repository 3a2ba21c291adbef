/**
 * The whole way of a release: both packages published to a registry on loopback, then used from an empty folder.
 *
 * @module
 */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import config from "../../deno.json" with { type: "json" };
import { startScriptUpstream } from "../support/script_upstream.ts";
import type { Release } from "./fake_registry.ts";
import { Stranger } from "./stranger.ts";

/** What a package holds beside its modules. */
const companions = [
  ...["/CHANGES.md", "/LICENSE", "/README.md", "/deno.json"],
  ...["/schema/diff.v1.schema.json", "/schema/trace.v1.schema.json"],
];

/** How the program below is run; it imports nothing, so that it asks agrepl for nothing but its own exchange. */
const agent = ["deno", "run", "--allow-net", "agent.ts"];

/** A program that asks a server which counts: it gets another answer each time, if it gets to the server. */
function asks(origin: string): string {
  return `console.log((await (await fetch("${origin}/count")).text()).trim());`;
}

/** The same as a function on a cassette. */
function asksOnCassette(origin: string): string {
  return `import { withReplay } from "jsr:@agrepl/core";
    const ask = async () => (await (await fetch("${origin}/count")).text()).trim();
    console.log(await withReplay("count.ndjson", async (t) => t.mode + " " + (await ask())));`;
}

/** Whether a path is product code: another process may be started with a module that no import leads to. */
function isModule(path: string): boolean {
  return /^\/lib\/[a-z]+\/\w+(?:\.d)?\.ts$/.test(path) && !path.endsWith("_test.ts");
}

/** The modules that a package's exports lead to, as paths in it. */
async function reached(stranger: Stranger, { name, version, exports }: Release): Promise<Set<string>> {
  const base = `${stranger.registry.url}/${name}/${version}`;
  const paths = new Set<string>();
  for (const path of Object.values(exports)) {
    const { stdout, stderr } = await stranger.deno("info", "--json", base + path.slice(1));
    ok(stdout, stderr);
    const { modules }: { modules: readonly { readonly specifier: string }[] } = JSON.parse(stdout);
    for (const { specifier } of modules) if (specifier.startsWith(base)) paths.add(specifier.slice(base.length));
  }
  return paths;
}

Deno.test("@agrepl/core is published with all that its exports lead to, and without tests", async () => {
  await using stranger = await Stranger.meet();
  const core = stranger.registry.releases.find((release) => release.name === "@agrepl/core");
  ok(core);
  const published = new Set(core.files.keys());
  const needed = new Set([...await reached(stranger, core), ...companions]);
  const surplus = [...published.difference(needed)].filter((path) => !isModule(path));
  deepEqual({ lacking: [...needed.difference(published)], surplus }, { lacking: [], surplus: [] });
});

Deno.test("@agrepl/cli is published as two files, which name the very version of @agrepl/core", async () => {
  await using stranger = await Stranger.meet();
  const cli = stranger.registry.releases.find((release) => release.name === "@agrepl/cli");
  deepEqual([...cli?.files.keys() ?? []].sort(), ["/cli.ts", "/deno.json"]);
  const source = new TextDecoder().decode(cli?.files.get("/cli.ts"));
  equal(cli?.version, config.version);
  ok(source.includes(`from "jsr:@agrepl/core@${config.version}/cli"`), source);
});

Deno.test("deno run jsr:@agrepl/cli records a program, and runs it again when nothing can be reached", async () => {
  await using stranger = await Stranger.meet();
  await using servers = new AsyncDisposableStack();
  const server = servers.use(await startScriptUpstream());
  stranger.write("agent.ts", asks(server.origin));
  const recorded = await stranger.deno("run", "-A", "jsr:@agrepl/cli", "record", "--", ...agent);
  deepEqual([recorded.code, recorded.stdout], [0, "1\n"], recorded.stderr);
  await Promise.all([servers.disposeAsync(), stranger.goOffline()]);
  const replayed = await stranger.deno("run", "-A", "jsr:@agrepl/cli", "run", "latest");
  deepEqual([replayed.code, replayed.stdout], [0, "1\n"], replayed.stderr);
  match(replayed.stderr, /: exact, F = 1\.0\n {2}steps {6}1 recorded, 1 hit/);
});

Deno.test("jsr:@agrepl/cli holds a Deno child by Deno's own permissions, with a preload from its cache", async () => {
  await using stranger = await Stranger.meet();
  await using servers = new AsyncDisposableStack();
  const server = servers.use(await startScriptUpstream());
  stranger.write("agent.ts", asks(server.origin));
  const recorded = await stranger.deno("run", "-A", "jsr:@agrepl/cli", "record", "--", ...agent);
  equal(recorded.code, 0, recorded.stderr);
  await Promise.all([servers.disposeAsync(), stranger.goOffline()]);
  const replayed = await stranger.deno("run", "-A", "jsr:@agrepl/cli", "run", "latest", "--isolation", "deno");
  deepEqual([replayed.code, replayed.stdout], [0, "1\n"], replayed.stderr);
  match(replayed.stderr, /: exact, F = 1\.0\n {2}steps {6}1 recorded, 1 hit[^]*isolation {2}deno: /);
});

Deno.test("deno install puts agrepl there, and it records although nobody gives out modules any more", async () => {
  await using stranger = await Stranger.meet();
  await using server = await startScriptUpstream();
  const flags = ["--global", "--allow-all", "--root", ".", "--name", "agrepl"];
  const installed = await stranger.deno("install", ...flags, "jsr:@agrepl/cli");
  equal(installed.code, 0, installed.stderr);
  await stranger.goOffline();
  stranger.write("agent.ts", asks(server.origin));
  const recorded = await stranger.run("bin/agrepl", "record", "--", ...agent);
  deepEqual([recorded.code, recorded.stdout], [0, "1\n"], recorded.stderr);
  const told = await stranger.run("bin/agrepl", "--version");
  deepEqual([told.code, told.stdout], [0, `${config.version}\n`], told.stderr);
});

Deno.test("withReplay() of jsr:@agrepl/core replays with no permission but to read its cassette", async () => {
  await using stranger = await Stranger.meet();
  await using servers = new AsyncDisposableStack();
  const server = servers.use(await startScriptUpstream());
  stranger.write("library.ts", asksOnCassette(server.origin));
  const recorded = await stranger.deno("run", "-A", "library.ts");
  deepEqual([recorded.code, recorded.stdout], [0, "record 1\n"], recorded.stderr);
  await Promise.all([servers.disposeAsync(), stranger.goOffline()]);
  const strict = ["--no-prompt", "--ignore-env", "--deny-net", "--allow-read=count.ndjson"];
  const replayed = await stranger.deno("run", ...strict, "library.ts");
  deepEqual([replayed.code, replayed.stdout], [0, "replay 1\n"], replayed.stderr);
});

Deno.test("jsr:@agrepl/core has types that a program elsewhere is checked against", async () => {
  await using stranger = await Stranger.meet();
  stranger.write("wrong.ts", 'import { parseLine } from "jsr:@agrepl/core";\nparseLine(1);');
  const { code, stderr } = await stranger.deno("check", "wrong.ts");
  deepEqual([code, /^TS2554 .*: Expected 2-3 arguments, but got 1\.$/m.test(stderr)], [1, true], stderr);
});
