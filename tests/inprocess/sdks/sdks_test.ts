import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAuthority } from "../../../lib/proxy/mod.ts";
import { CassetteRoom, Loopback } from "../room.ts";
import { anthropic, aws, type Dialect, genai, mcp, openai, plain } from "./dialects.ts";

interface Case {
  readonly dialect: Dialect;
  readonly steps: number;
  readonly gives: unknown;
  /** The server is behind TLS. */
  readonly secure?: boolean;
  /** Permissions that the SDK itself wants: who runs it, on what. */
  readonly permissions?: readonly string[];
}

const authority = createAuthority();
const leaf = authority.leafFor("localhost");

const call = { index: 0, id: "call_1", type: "function", function: { name: "weather", arguments: "{}" } };

const cases: Readonly<Record<string, Case>> = {
  "openai": {
    dialect: openai,
    steps: 3,
    gives: {
      deltas: [{ role: "assistant", tool_calls: [call] }, {}],
      responses: ["response.created", "hel", "lo", "response.completed"],
      whole: "hello",
    },
  },
  "anthropic": { dialect: anthropic, steps: 1, gives: { texts: ["hel", "lo"], stop: "end_turn", tokens: 2 } },
  "genai": { dialect: genai, steps: 1, gives: ["hel", "lo"] },
  "aws": {
    dialect: aws,
    steps: 3,
    gives: { tag: '"e1"', text: "an object", account: "123456789012" },
    secure: true,
    permissions: ["--allow-sys"],
  },
  "axios_and_got": {
    dialect: plain,
    steps: 6,
    gives: {
      data: { got: { a: 1 }, by: "axios" },
      path: "/text",
      byGot: { got: { b: 2 }, by: null },
      text: "a text",
      byWs: ["hello yourself", 1000],
    },
  },
  "vercel_ai": { dialect: openai, steps: 1, gives: ["It is ", "12 degrees"], permissions: ["--allow-sys"] },
  "mcp": { dialect: mcp, steps: 5, gives: { tools: ["add"], content: [{ type: "text", text: "3" }] } },
};

async function run(flags: readonly string[], args: readonly string[], env: Record<string, string>): Promise<unknown> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-lock", "--no-check", ...flags, ...args],
    env: { NO_COLOR: "1", ...env },
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  equal(code, 0, err);
  return JSON.parse(out ?? "");
}

for (const [name, { dialect, steps, gives, secure = false, permissions = [] }] of Object.entries(cases)) {
  Deno.test(`${name}.mjs replays with its server gone, and with no permission for the network`, async () => {
    using room = new CassetteRoom();
    const program = fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
    let args: readonly string[] = [];
    {
      await using server = secure
        ? new Loopback(dialect, { cert: leaf.certPem, key: leaf.keyPem })
        : new Loopback(dialect);
      args = [program, room.path, server.url("/")];
      const trust = join(room.folder, "trust.pem");
      Deno.writeTextFileSync(trust, authority.certificatePem);
      deepEqual(await run(["-A"], args, { AGREPL_MODE: "record", CI: "", DENO_CERT: trust }), gives);
    }
    equal(room.steps().length, steps);
    const hermetic = ["--no-prompt", "--ignore-env", "--deny-net", `--allow-read=${room.folder}`, ...permissions];
    deepEqual(await run(hermetic, args, {}), gives);
  });
}
