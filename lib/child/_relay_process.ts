import { localRelayModule, localSocketOf, loopbackOf } from "../proxy/mod.ts";

/** The program that lets services of this machine into a sandbox, as a process; gone when disposed of. */
export class RelayProcess implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #output: ReadableStreamDefaultReader<Uint8Array>;

  /**
   * Starts it.
   *
   * @param folder Where its sockets are to lie.
   * @param ports Those of loopback that it leads to.
   */
  constructor(folder: string, ports: readonly number[], env: Readonly<Record<string, string>>) {
    const sockets = ports.map((port) => localSocketOf(folder, port));
    const net = [...ports.flatMap(loopbackOf), ...sockets.map((path) => `unix:${path}`)];
    const modules = ["--no-config", "--no-lock", "--cached-only", "--no-prompt"];
    const rights = [`--allow-net=${net}`, `--allow-read=${sockets}`, `--allow-write=${sockets}`];
    this.#process = new Deno.Command(Deno.execPath(), {
      args: ["run", ...modules, ...rights, localRelayModule, folder, ...ports.map(String)],
      clearEnv: true,
      env: { ...env },
      cwd: "/",
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit", // it has nothing to say but a failure
      detached: true, // as the sandbox: a terminal's Ctrl-C is for the child
    }).spawn();
    this.#output = this.#process.stdout.getReader();
  }

  /** Waits until it listens; gives false when it never will. */
  async ready(): Promise<boolean> {
    return !(await this.#output.read()).done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.stdin.close().catch(() => {}); // it has ended
    await this.#output.cancel();
    await this.#process.status;
  }
}
