import assert from "node:assert/strict";
import { createAuthority } from "../../lib/proxy/mod.ts";
import { startWorld, type World, type WorldOptions } from "../world/mod.ts";
import { type Workload, workloads } from "./workloads.ts";

const authority = createAuthority();
const { keyPem, certPem } = authority.leafFor("localhost");

function startPlain(options: Partial<WorldOptions> = {}): Promise<World> {
  return startWorld({ key: "", cert: "", plain: true, ...options });
}

async function inTempDir<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await Deno.makeTempDir();
  try {
    return await use(directory);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

function runIn(world: World, { run }: Workload): Promise<string> {
  return inTempDir((directory) => run(world.origin, { directory }));
}

function runAsProgram(workload: Workload, directory: string, env: Record<string, string>) {
  const args = ["run", "-A", "--quiet", "--no-lock", workload.file, directory];
  return new Deno.Command(Deno.execPath(), { args, env }).output();
}

for (const workload of workloads) {
  const { name, steps } = workload;

  Deno.test(`${name} makes ${steps} requests and never ends alike when the world is live`, async () => {
    await using world = await startPlain();
    const first = await runIn(world, workload);
    assert.equal(world.requests(), steps);
    assert.notEqual(await runIn(world, workload), first);
  });

  Deno.test(`${name} ends alike when the answers are alike`, async () => {
    await using one = await startPlain({ seed: 5 });
    await using other = await startPlain({ seed: 5 });
    assert.equal(await runIn(one, workload), await runIn(other, workload));
  });

  Deno.test(`${name} prints its result and its time when it is run as a program over HTTPS`, async () => {
    await using world = await startWorld({ key: keyPem, cert: certPem });
    await inTempDir(async (directory) => {
      const ca = `${directory}/ca.pem`;
      await Deno.writeTextFile(ca, authority.certificatePem);
      const env = { AGREPL_WORLD: world.origin, AGREPL_TIMINGS: "1", AGREPL_RUNS: "2", DENO_CERT: ca };
      const { code, stdout, stderr } = await runAsProgram(workload, directory, env);
      const timings = new TextDecoder().decode(stderr).trim().split("\n").map((line) => JSON.parse(line));
      assert.deepEqual([code, world.requests()], [0, 2 * steps]);
      assert.ok(stdout.byteLength > 50);
      assert.deepEqual(timings.map(({ workload, run }) => [workload, run]), [[name, 0], [name, 1]]);
      assert.ok(timings.every(({ ms }) => ms > 0));
    });
  });
}

Deno.test("workloads take a world's whole time when it has the paper's delays", async () => {
  await using world = await startPlain({ delays: true });
  await Promise.all(workloads.map(async (workload) => {
    const startMs = performance.now();
    await runIn(world, workload);
    // Jitter takes 2 % at most, an early timer a millisecond a step.
    assert.ok(performance.now() - startMs > workload.liveMs * 0.98 - workload.steps, workload.name);
  }));
});

Deno.test("W3 tells what the article says when it has read it", async () => {
  await using world = await startPlain();
  const w3 = workloads.find(({ name }) => name === "W3") ?? assert.fail("There is no W3");
  assert.match(await runIn(world, w3), /The device was lifted from a wreck off Antikythera in 1901/);
});

Deno.test("W5 leaves the code that it printed when it has written it", async () => {
  await using world = await startPlain();
  const w5 = workloads.find(({ name }) => name === "W5") ?? assert.fail("There is no W5");
  await inTempDir(async (directory) => {
    const result = await w5.run(world.origin, { directory });
    assert.equal(result, `slug.ts\n${await Deno.readTextFile(`${directory}/slug.ts`)}`);
  });
});

Deno.test("W1 rejects when the world does not know the path", async () => {
  await using world = await startPlain();
  const w1 = workloads.find(({ name }) => name === "W1") ?? assert.fail("There is no W1");
  await assert.rejects(w1.run(`${world.origin}/nowhere`, {}), { name: "NetworkError", message: /404/ });
});

Deno.test("a workload exits with 2 when AGREPL_WORLD is not set", async () => {
  const w1 = workloads.find(({ name }) => name === "W1") ?? assert.fail("There is no W1");
  const { code, stderr } = await runAsProgram(w1, ".", { AGREPL_WORLD: "" });
  assert.equal(code, 2);
  assert.match(new TextDecoder().decode(stderr), /^Cannot run W1: AGREPL_WORLD is not set/);
});
