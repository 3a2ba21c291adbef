/**
 * A door in a process of its own, whose memory can be watched.
 *
 * @module
 */

/** A running door. */
export class DoorProcess implements AsyncDisposable {
  readonly port: number;
  readonly certificatePem: string;
  readonly #process: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #printed: ReadableStreamDefaultReader<Uint8Array>;

  private constructor(
    process: Deno.ChildProcess,
    printed: ReadableStreamDefaultReader<Uint8Array>,
    { port, certificatePem }: { readonly port: number; readonly certificatePem: string },
  ) {
    this.#process = process;
    this.#input = process.stdin.getWriter();
    this.#printed = printed;
    this.port = port;
    this.certificatePem = certificatePem;
  }

  /** Starts a door. */
  static async start(patienceMs: number): Promise<DoorProcess> {
    const program = new URL("door_program.ts", import.meta.url).pathname;
    const process = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-lock", "--no-check", "--v8-flags=--expose-gc", program, String(patienceMs)],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const printed = process.stdout.getReader();
    return new DoorProcess(process, printed, JSON.parse(await lineOf(printed)));
  }

  /** How much memory it holds. */
  async residentBytes(): Promise<number> {
    await this.#input.write(new TextEncoder().encode("\n"));
    return Number(await lineOf(this.#printed));
  }

  /** Ends it; throws when it did not end by itself with 0. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close();
    await this.#printed.cancel();
    const { code } = await this.#process.status;
    if (code !== 0) throw new RangeError(`Cannot end a door: it ended with ${code}, expected 0`);
  }
}

async function lineOf(printed: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let text = "";
  while (!text.endsWith("\n")) {
    const { value, done } = await printed.read();
    if (done) throw new RangeError(`Cannot read of a door: it ended after "${text}", expected a line`);
    text += new TextDecoder().decode(value);
  }
  return text;
}
