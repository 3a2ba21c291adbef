/**
 * A service of the host's that nobody in a strict replay may reach, as a process of its own.
 *
 * @module
 */
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("./programs/greeter.ts", import.meta.url));

/** Greets everybody who connects; ends with {@link Greeter.end}. */
export class Greeter {
  readonly port: number;
  readonly #process: Deno.ChildProcess;
  readonly #lines: ReadableStreamDefaultReader<string>;

  private constructor(process: Deno.ChildProcess, lines: ReadableStreamDefaultReader<string>, port: number) {
    this.#process = process;
    this.#lines = lines;
    this.port = port;
  }

  /**
   * Starts it.
   *
   * @param socketPath Where its unix socket is to lie.
   */
  static async start(socketPath: string): Promise<Greeter> {
    const args = ["run", "--no-lock", "--no-check", "-A", program, socketPath];
    const process = new Deno.Command(Deno.execPath(), { args, stdin: "piped", stdout: "piped" }).spawn();
    const lines = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
    return new Greeter(process, lines, Number((await lines.read()).value));
  }

  /** Ends it, and gives how many connections there were. */
  async end(): Promise<number> {
    await this.#process.stdin.close();
    let text = "";
    for (let read = await this.#lines.read(); !read.done; read = await this.#lines.read()) text += read.value;
    await this.#process.status;
    return text.split("\n").length - 1;
  }
}
