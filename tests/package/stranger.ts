/**
 * Somebody else's machine: an empty folder and an empty cache, on which nothing of this checkout is known but the
 * registry that both packages were published to.
 *
 * @module
 */
import { ok } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandResult } from "../support/script_room.ts";
import { FakeRegistry } from "./fake_registry.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The packages in the order of their release: what one imports has to be there. */
const members = ["deno.json", "jsr/cli/deno.json"];

/** Publishing asks for a token; the registry does not look at it. */
const publishFlags = ["--token", "none", "--no-provenance", "--allow-dirty", "--no-check", "--no-lock"];

/** A machine with both packages within reach; gone when disposed of. */
export class Stranger implements AsyncDisposable {
  readonly registry: FakeRegistry = new FakeRegistry();
  /** Where commands run. */
  readonly folder: string;
  readonly #home: string;
  readonly #programs: string;
  #offline = false;

  private constructor() {
    this.#home = Deno.makeTempDirSync({ prefix: "stranger-" });
    this.#programs = join(this.#home, "programs");
    this.folder = join(this.#home, "empty");
    for (const folder of [this.#programs, this.folder]) Deno.mkdirSync(folder);
    Deno.symlinkSync(Deno.execPath(), join(this.#programs, "deno")); // whatever it is called here
  }

  /** Publishes both packages from this checkout. */
  static async meet(): Promise<Stranger> {
    await using failing = new AsyncDisposableStack();
    const stranger = failing.use(new Stranger());
    for (const member of members) await stranger.#publish(member);
    failing.move();
    return stranger;
  }

  /** Ends the registry, and leads what asks npm to a port where nobody listens. */
  async goOffline(): Promise<void> {
    this.#offline = true;
    await this.registry[Symbol.asyncDispose]();
  }

  /** Writes a file into the folder. */
  write(name: string, text: string): void {
    Deno.writeTextFileSync(join(this.folder, name), text);
  }

  /** Runs a subcommand of deno in the folder; it takes versions that are younger than a day. */
  deno(subcommand: string, ...args: readonly string[]): Promise<CommandResult> {
    return this.run("deno", subcommand, "--quiet", "--min-dep-age=0", ...args);
  }

  /** Runs deno, or a program in the folder. */
  async run(program: string, ...args: readonly string[]): Promise<CommandResult> {
    const env = this.#environment();
    const options: Deno.CommandOptions = { args: [...args], cwd: this.folder, clearEnv: true, env, stdin: "null" };
    const path = join(program === "deno" ? this.#programs : this.folder, program);
    const { code, stdout, stderr } = await new Deno.Command(path, options).output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#offline) await this.registry[Symbol.asyncDispose]();
    Deno.removeSync(this.#home, { recursive: true });
  }

  async #publish(config: string): Promise<void> {
    const env = { JSR_URL: this.registry.url };
    const args = ["publish", "--config", join(root, config), ...publishFlags];
    const { success, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: root, env }).output();
    ok(success, new TextDecoder().decode(stderr));
  }

  /** Ours, so that npm's settings stay, without what would make the run another one. */
  #environment(): Record<string, string> {
    const ours = Object.entries(Deno.env.toObject());
    const direct = ["127.0.0.1", Deno.env.get("NO_PROXY") ?? Deno.env.get("no_proxy") ?? ""].join(",");
    return {
      ...Object.fromEntries(ours.filter(([name]) => !/^(?:CI|AGREPL_.*|DENO_COVERAGE_DIR)$/.test(name))),
      PATH: [this.#programs, Deno.env.get("PATH") ?? ""].join(":"),
      DENO_DIR: join(this.#home, "cache"),
      JSR_URL: this.registry.url,
      DENO_NO_UPDATE_CHECK: "1",
      NO_COLOR: "1",
      NO_PROXY: direct,
      no_proxy: direct,
      ...(this.#offline ? { HTTPS_PROXY: this.registry.url, https_proxy: this.registry.url } : {}),
    };
  }
}
