/**
 * A folder of its own for one script, with agrepl and its like on the PATH.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** How a command went. */
export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Variables of this process that a command may see; the others, credentials above all, it must not. */
const kept = ["HOME", "DENO_DIR", "TMPDIR", "DENO_COVERAGE_DIR"] as const;

/** A folder with a few programs; gone when disposed of. */
export class ScriptRoom implements Disposable {
  readonly folder: string;
  readonly #programs: string;
  readonly #variables: Readonly<Record<string, string>>;

  /** @param variables What commands find in their environment beside the usual. */
  constructor(variables: Readonly<Record<string, string>> = {}) {
    this.folder = Deno.makeTempDirSync({ prefix: "script-" });
    this.#programs = Deno.makeTempDirSync({ prefix: "script-bin-" });
    this.#variables = variables;
    this.#program("agrepl", `run -A --no-lock "${root}cli.ts"`);
    this.#program("get", `run --allow-net --no-lock "${root}tests/support/get.ts"`);
  }

  /** Writes a file, with the folders it wants. */
  write(path: string, text: string): void {
    Deno.mkdirSync(join(this.folder, path, ".."), { recursive: true });
    Deno.writeTextFileSync(join(this.folder, path), text);
  }

  /** Runs a line as sh does. */
  async run(line: string): Promise<CommandResult> {
    const path = `${this.#programs}:${Deno.env.get("PATH") ?? ""}`;
    const env: Record<string, string> = { ...this.#variables };
    for (const name of kept) {
      const value = Deno.env.get(name);
      if (value !== undefined) env[name] = value;
    }
    const { code, stdout, stderr } = await new Deno.Command("/bin/sh", {
      args: ["-c", line],
      cwd: this.folder,
      clearEnv: true,
      env: { ...env, PATH: path },
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.folder, { recursive: true });
    Deno.removeSync(this.#programs, { recursive: true });
  }

  #program(name: string, deno: string): void {
    const text = `#!/bin/sh\nexec "${Deno.execPath()}" ${deno} "$@"\n`;
    Deno.writeTextFileSync(join(this.#programs, name), text, { mode: 0o755 });
  }
}
