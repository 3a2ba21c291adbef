import { equal, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

Deno.test("the CI recipe of examples/agent_test runs, where CI is set and the network denied", async () => {
  const recipe = Deno.readTextFileSync(`${root}examples/agent_test/ci.yaml`);
  const commands = [...recipe.matchAll(/- run: deno (.*)$/gm)].map(([, args = ""]) => args.split(" "));
  equal(commands.length, 2);
  for (const args of commands) {
    const command = { args, cwd: root, env: { NO_COLOR: "1", CI: "true", AGREPL_MODE: "" } };
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), command).output();
    equal(code, 0, [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join(""));
  }
});

Deno.test("README.md shows examples/agent_test/agent_test.ts as it is", () => {
  const shown = Deno.readTextFileSync(`${root}examples/agent_test/agent_test.ts`);
  ok(Deno.readTextFileSync(`${root}README.md`).includes(`\`\`\`ts ignore\n${shown}\`\`\`\n`));
});
