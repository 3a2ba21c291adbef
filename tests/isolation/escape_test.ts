/** Whether a strict replay's child gets out, tried by real processes; see docs/ISOLATION.md for the layers. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { testWith } from "../support/machine_test_case.ts";
import { type Breakout, breakOut, needs } from "./outer_world.ts";

/** What a sandbox answers, of all that could be tried; the rest is refused. */
const answered: Readonly<Record<string, string>> = {
  "http-by-address": "told",
  "http-by-unknown-name": "told",
  "tls-by-address": "told",
  "http-by-known-name": "recorded",
  "proxy-variables-unset": "recorded",
  "grandchild": "recorded",
  "node-fetch": "recorded",
  "static-go-binary": "recorded",
  "dns-by-the-system": "stand-in",
  "dns-by-getent": "stand-in",
  "dns-by-hand": "stand-in",
  "dns-by-hand-over-tcp": "stand-in",
  "socket-elsewhere": "HOST",
};

const page = Deno.readTextFileSync(new URL("../../docs/ISOLATION.md", import.meta.url));
const runs = new Map<string, Promise<Breakout>>();

/** Each layer is tried once, by the first test that asks. */
function broken(layer: string): Promise<Breakout> {
  const run = runs.get(layer) ?? breakOut(layer);
  runs.set(layer, run);
  return run;
}

testWith(needs, "A sandboxed replay answers from the trace, or refuses, whatever its child tries", async () => {
  const { escapes, stderr } = await broken("sandbox");
  ok(escapes.size > 35, stderr);
  deepEqual(Object.fromEntries([...escapes].filter(([, outcome]) => outcome !== "refused")), answered);
});

testWith(needs, "A sandboxed replay lets no packet out to the world", async () => {
  deepEqual((await broken("sandbox")).world, []);
});

testWith(
  needs,
  "A sandboxed replay lets nobody to services of the host but on unix sockets outside of /run",
  async () => {
    deepEqual((await broken("sandbox")).host, ["connection elsewhere"]);
  },
);

testWith(needs, "A process that outlives a sandboxed replay finds nobody either", async () => {
  equal((await broken("sandbox")).leftOver, "refused");
});

testWith(needs, "A sandboxed replay reports the names and the ports that it refused", async () => {
  const { stderr } = await broken("sandbox");
  ok(/in no step: .*secret\.outside\.test/.test(stderr), stderr);
  ok(/Refused in the sandbox: \d+ TCP connections/.test(stderr), stderr);
});

testWith(needs, "The same attempts get out of --isolation proxy: they can tell", async () => {
  const { escapes, world } = await broken("proxy");
  equal(escapes.get("tcp-by-address"), "OUTSIDE");
  equal(escapes.get("docker-socket"), "HOST");
  ok(world.length > 20);
});

testWith(needs, "docs/ISOLATION.md has the table of what each layer let out", async () => {
  const [sandbox, proxy] = [await broken("sandbox"), await broken("proxy")];
  const rows = page.matchAll(/^\| `([\w-]+)` +\| ([\w-]+) +\| ([\w-]+) +\|/gm);
  const documented = [...rows].map(([, ...cells]) => cells.join(" "));
  deepEqual(documented, [...sandbox.escapes].map(([name, held]) => `${name} ${held} ${proxy.escapes.get(name)}`));
});
