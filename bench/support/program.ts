/** Processes of a benchmark: each is started here, spoken to over its own streams, and ended by its own handle. */

import { fileURLToPath } from "node:url";
import { WrongAnswerError } from "./wrong_answer_error.ts";

/** A program's surroundings. */
export interface Surroundings {
  /** Set beside what every program gets. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A program that has ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** From its start to its end, milliseconds. */
  readonly wallMs: number;
}

/** A server that runs until it is disposed of. */
export interface Server<Announced> extends AsyncDisposable {
  /** The line of JSON it began with. */
  readonly announced: Announced;
}

/** Long enough for any server here to notice that its stdin has ended. */
const patienceMs = 3000;

/**
 * The command line of a program of the bench.
 *
 * @param file Its path relative to `bench/`.
 * @param args What it is given.
 */
export function denoCommand(file: string, args: readonly string[] = []): readonly string[] {
  return [Deno.execPath(), "run", "-A", "--quiet", fileURLToPath(new URL(`../${file}`, import.meta.url)), ...args];
}

/**
 * Runs a command to its end.
 *
 * @param command Name and arguments.
 * @param surroundings Its variables and folder.
 * @returns How it went, whatever its exit code.
 */
export async function runCommand(command: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  const startMs = performance.now();
  const { code, stdout, stderr } = await toCommand(command, surroundings, "null").output();
  const wallMs = performance.now() - startMs;
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr), wallMs };
}

/**
 * Runs a command that must succeed.
 *
 * @param command Name and arguments.
 * @param surroundings Its variables and folder.
 * @returns How it went.
 * @throws {WrongAnswerError} when it ends with anything but 0.
 */
export async function runSucceeding(command: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  const ended = await runCommand(command, surroundings);
  if (ended.code === 0) return ended;
  throw new WrongAnswerError(command.join(" "), `exit code ${ended.code}\n${ended.stderr}${ended.stdout}`);
}

/**
 * Starts a server: a program that announces itself by one line of JSON on stdout and ends when its stdin does.
 *
 * @param command Name and arguments.
 * @param surroundings Its variables and folder.
 * @returns The server, listening.
 */
export async function startServer<Announced>(
  command: readonly string[],
  surroundings: Surroundings = {},
): Promise<Server<Announced>> {
  const child = toCommand(command, surroundings, "piped").spawn();
  const errors = new Response(child.stderr).text();
  const output = child.stdout.getReader();
  const line = await readLine(output);
  if (line === null) throw new WrongAnswerError(command.join(" "), `it ended at once\n${await errors}`);
  return {
    announced: JSON.parse(line),
    async [Symbol.asyncDispose]() {
      await Promise.all([child.stdin.close(), output.cancel()]);
      const timer = setTimeout(() => child.kill("SIGKILL"), patienceMs);
      await child.status;
      clearTimeout(timer);
      await errors;
    },
  };
}

function toCommand(
  [name = "", ...args]: readonly string[],
  { env = {}, cwd }: Surroundings,
  stdin: "null" | "piped",
): Deno.Command {
  return new Deno.Command(name, {
    args,
    clearEnv: true, // proxies and certificates of whoever runs the bench are none of its business
    env: { ...keptEnvironment(), ...env },
    ...(cwd === undefined ? {} : { cwd }),
    stdin,
    stdout: "piped",
    stderr: "piped",
  });
}

function keptEnvironment(): Record<string, string> {
  const kept = ["PATH", "HOME", "TMPDIR", "DENO_DIR"].map((name) => [name, Deno.env.get(name)]);
  return { DENO_NO_UPDATE_CHECK: "1", ...Object.fromEntries(kept.filter(([, value]) => value !== undefined)) };
}

async function readLine(output: ReadableStreamDefaultReader<Uint8Array>): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes("\n")) {
    const { done, value } = await output.read();
    if (done) return null;
    text += decoder.decode(value, { stream: true });
  }
  return text.slice(0, text.indexOf("\n"));
}
