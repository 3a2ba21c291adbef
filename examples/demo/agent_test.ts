import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { startWorld, type World } from "../../bench/world/mod.ts";

const agent = fileURLToPath(new URL("agent.ts", import.meta.url));

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly report: string;
}

async function runAgent(world: World, ...question: readonly string[]): Promise<Ended> {
  const reportPath = await Deno.makeTempFile({ suffix: ".md" });
  const env = {
    OPENAI_API_KEY: "sk-example",
    OPENAI_BASE_URL: `${world.origin}/v1`,
    SEARCH_URL: `${world.origin}/search`,
  };
  const args = ["run", "-A", "--quiet", "--no-lock", agent, reportPath, ...question];
  const { code, stdout } = await new Deno.Command(Deno.execPath(), { args, env }).output();
  const report = await Deno.readTextFile(reportPath);
  await Deno.remove(reportPath);
  return { code, stdout: new TextDecoder().decode(stdout).replaceAll(reportPath, "report.md"), report };
}

Deno.test("agent.ts searches, streams its answer and writes it down when it is run", async () => {
  await using world = await startWorld({ key: "", cert: "", plain: true });
  const { code, stdout, report } = await runAgent(world, "Tell me about sundials.");
  const [heading, , answer] = report.split("\n");
  assert.equal(code, 0);
  assert.equal(world.requests(), 3);
  assert.match(stdout, /^\[searching for “sundials/);
  assert.equal(heading, "# Tell me about sundials.");
  assert.equal(stdout.split("\n")[1], answer);
  assert.match(answer ?? "", /On sundials/);
});

Deno.test("agent.ts prints the same when the world answers alike, and else another text", async () => {
  await using one = await startWorld({ key: "", cert: "", plain: true, seed: 1 });
  await using same = await startWorld({ key: "", cert: "", plain: true, seed: 1 });
  await using other = await startWorld({ key: "", cert: "", plain: true, seed: 2 });
  const first = await runAgent(one);
  assert.deepEqual(await runAgent(same), first);
  assert.notEqual((await runAgent(other)).report, first.report);
});

Deno.test("agent.ts exits with 2 when SEARCH_URL is not set", async () => {
  const env = { OPENAI_API_KEY: "sk-example", SEARCH_URL: "" };
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-lock", agent],
    env,
  })
    .output();
  assert.equal(code, 2);
  assert.match(new TextDecoder().decode(stderr), /SEARCH_URL is not set/);
});
