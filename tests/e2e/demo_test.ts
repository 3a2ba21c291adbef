import { deepEqual, equal, match } from "node:assert/strict";
import { fileURLToPath } from "node:url";

const demo = fileURLToPath(new URL("../../examples/demo/demo.ts", import.meta.url));

interface Shown {
  readonly code: number;
  readonly stdout: string;
  /** What it left in the folder for temporary files. */
  readonly left: readonly string[];
}

async function runDemo(env: Readonly<Record<string, string>> = {}): Promise<Shown> {
  const temporary = await Deno.makeTempDir();
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-lock", demo],
    env: { ...env, TMPDIR: temporary },
  }).output();
  const left = (await Array.fromAsync(Deno.readDir(temporary))).map((entry) => entry.name);
  await Deno.remove(temporary, { recursive: true });
  return { code, stdout: new TextDecoder().decode(stdout), left };
}

Deno.test("demo.ts holds all its claims, without colours and without leaving a file, when it is piped", async () => {
  const { code, stdout, left } = await runDemo();
  equal(code, 0, stdout);
  equal(stdout.match(/^ {3}ok /gm)?.length, 15);
  match(stdout, /^ {3}all claims hold; /m);
  equal(stdout.includes("\x1b["), false);
  deepEqual(left, []);
});

Deno.test("demo.ts ends with 1 and names the claim when one does not hold", async () => {
  const { code, stdout, left } = await runDemo({ SSL_CERT_FILE: "/there/is/no/such/file.pem" });
  equal(code, 1, stdout);
  match(stdout, /\n {3}does not hold: the agent ended with 0\n$/);
  deepEqual(left, []);
});
