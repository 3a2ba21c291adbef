/**
 * The real command line as a process of its own, to be killed, hung up on and starved.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Words of a shell line that run agrepl, and a client that prints `STATUS BODY` per URL. */
export const agrepl = `"${Deno.execPath()}" run -A --no-lock "${root}cli.ts"`;
export const get = `"${Deno.execPath()}" run --allow-net --no-lock "${root}tests/support/get.ts"`;

/** A folder to record in; whatever was announced there as a process is ended with it. */
export class Room implements Disposable {
  readonly folder: string = Deno.makeTempDirSync({ prefix: "crash-" });

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, text: string): void {
    Deno.writeTextFileSync(this.path(name), text);
  }

  /**
   * Starts a line of sh.
   *
   * @param output What a child that outlives its parent would hold open must not be a pipe that somebody reads.
   */
  start(line: string, output: "piped" | "null" = "piped"): Deno.ChildProcess {
    return new Deno.Command("/bin/sh", {
      args: ["-c", line],
      cwd: this.folder,
      stdin: "null",
      stdout: output,
      stderr: output,
    }).spawn();
  }

  /** Runs a line of sh to its end. */
  async run(line: string): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
    const { code, stdout, stderr } = await this.start(line).output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  }

  /** Waits for a file that another process writes, and gives its first line. */
  async line(name: string): Promise<string> {
    for (let tries = 0; tries < 1500; tries++) {
      const text = this.#read(name);
      if (text.includes("\n")) return text.slice(0, text.indexOf("\n"));
      await new Promise((resolve) => setTimeout(resolve, 10)); // nothing tells when
    }
    throw new TypeError(`Cannot go on: nothing was written to "${name}"`);
  }

  #read(name: string): string {
    try {
      return Deno.readTextFileSync(this.path(name));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return "";
      throw error;
    }
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.folder, { recursive: true });
  }
}

/** Ends a process that the test has started, if it is still there. */
export function endProcess(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
