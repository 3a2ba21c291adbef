/**
 * The command under record or replay: its streams are its own, its signals reach it, its exit code is handed on.
 *
 * @module
 */
import { resolve } from "node:path";
import { SignalRelay } from "./_signal_relay.ts";
import { commandStanding } from "./_tool.ts";
import type { Sandbox } from "./sandbox.ts";
import { UsageError } from "../report/mod.ts";

/** A command to run. */
export interface ChildOptions {
  readonly command: readonly string[];
  readonly cwd?: string;
  /** Set beside (and over) the variables of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** What to start it in. */
  readonly sandbox?: Pick<Sandbox, "enter">;
}

/** How a child ended. */
export interface ChildExit {
  /** Its own, or 128 + n for signal n. */
  readonly code: number;
  /** True when a signal that agrepl got, or one that killed the child, ended it. */
  readonly interrupted: boolean;
}

/** A command that could not even be started. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  /** 127: no such command; 126: it is there and cannot be executed (as a shell says it). */
  readonly exitCode: 126 | 127;

  constructor(command: string, exitCode: 126 | 127, cause: unknown) {
    const problem = exitCode === 127
      ? "there is no such command; check the spelling and PATH"
      : "it is there, and cannot be executed; chmod +x, or look at its first line (#!)";
    super(`Cannot run "${command}": ${problem}`, { cause });
    this.exitCode = exitCode;
  }
}

/** A child that runs. Until it is disposed of, the signals that agrepl gets are the child's. */
export interface RunningChild extends Disposable {
  /** Waits for its end. */
  readonly exit: Promise<ChildExit>;
}

/**
 * Starts a command with this process's own stdin, stdout and stderr.
 *
 * @throws {CommandError} when it cannot be started.
 * @throws {UsageError} when the folder to start it in is not there.
 */
export function startChild(options: ChildOptions): RunningChild {
  const signals = new SignalRelay(); // first: a signal that comes while the child starts is for the child
  try {
    const process = spawn(options);
    signals.lead(process);
    const exit = process.status.then((status): ChildExit => {
      return { code: status.code, interrupted: status.signal !== null || signals.ending };
    });
    return { exit, [Symbol.dispose]: () => signals[Symbol.dispose]() };
  } catch (error) {
    signals[Symbol.dispose]();
    throw error;
  }
}

function spawn({ command, cwd, env, sandbox }: ChildOptions): Deno.ChildProcess {
  if (sandbox === undefined) return spawnHere({ command, env, ...(cwd === undefined ? {} : { cwd }) });
  const folder = resolve(cwd ?? Deno.cwd());
  refuseUnrunnable(command[0] ?? "", folder, env["PATH"] ?? Deno.env.get("PATH"));
  return spawnHere({ command: sandbox.enter(command, folder), cwd: folder, env });
}

/** Behind the programs that lead into a sandbox nobody could tell their failure from the command's. */
function refuseUnrunnable(name: string, cwd: string, path: string | undefined): void {
  if (!isThere(cwd)) throw new UsageError(`Cannot run "${name}" in "${cwd}": there is no such folder`);
  const standing = commandStanding(name, cwd, path);
  if (standing !== "executable") throw new CommandError(name, standing === "nothing" ? 127 : 126, undefined);
}

function spawnHere({ command, cwd, env }: Omit<ChildOptions, "sandbox">): Deno.ChildProcess {
  const [name = "", ...args] = command;
  try {
    return new Deno.Command(name, {
      args,
      env: { ...env },
      ...(cwd === undefined ? {} : { cwd }),
      stdin: "inherit",
      stdout: "inherit",
      stderr: "inherit",
    }).spawn();
  } catch (error) {
    throw error instanceof Deno.errors.NotCapable ? error : explainSpawn(name, cwd, error);
  }
}

/** The system says "not found" of three things: the command, its interpreter, and the folder to start it in. */
function explainSpawn(name: string, cwd: string | undefined, error: unknown): Error {
  if (cwd !== undefined && !isThere(cwd)) {
    return new UsageError(`Cannot run "${name}" in "${cwd}": there is no such folder`, { cause: error });
  }
  const absent = error instanceof Deno.errors.NotFound && !(name.includes("/") && isThere(resolve(cwd ?? ".", name)));
  return new CommandError(name, absent ? 127 : 126, error);
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}
