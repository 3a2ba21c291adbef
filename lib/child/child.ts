/**
 * The command under record or replay: its streams are its own, its signals reach it, its exit code is handed on.
 *
 * @module
 */

/** A command to run. */
export interface ChildOptions {
  readonly command: readonly string[];
  readonly cwd?: string;
  /** Set beside (and over) the variables of this process. */
  readonly env: Readonly<Record<string, string>>;
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
      : "it is there, and cannot be executed; chmod +x, or name the interpreter";
    super(`Cannot run "${command}": ${problem}`, { cause });
    this.exitCode = exitCode;
  }
}

/** A child that runs. */
export interface RunningChild {
  /** Waits for its end. */
  readonly exit: Promise<ChildExit>;
}

/**
 * Starts a command with this process's own stdin, stdout and stderr.
 *
 * @throws {CommandError} when it cannot be started.
 */
export function startChild(options: ChildOptions): RunningChild {
  const [name = "", ...args] = options.command;
  const process = spawn(name, args, options);
  const signals = forwardSignals(process);
  const exit = process.status.then((status): ChildExit => {
    signals[Symbol.dispose]();
    return { code: status.code, interrupted: status.signal !== null || signals.received };
  });
  return { exit };
}

function spawn(name: string, args: readonly string[], options: ChildOptions): Deno.ChildProcess {
  try {
    return new Deno.Command(name, {
      args: [...args],
      env: { ...options.env },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      stdin: "inherit",
      stdout: "inherit",
      stderr: "inherit",
    }).spawn();
  } catch (error) {
    throw new CommandError(name, error instanceof Deno.errors.NotFound ? 127 : 126, error);
  }
}

interface ForwardedSignals extends Disposable {
  /** Whether one has come. */
  readonly received: boolean;
}

/**
 * Passes signals on. Ctrl-C at a terminal reaches the child by itself, since it is in the same process group; agrepl only
 * has to outlive it.
 */
function forwardSignals(process: Deno.ChildProcess): ForwardedSignals {
  const atTerminal = Deno.stdin.isTerminal();
  let received = false;
  const forwarded: [Deno.Signal, () => void][] = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((
    signal,
  ) => [signal, () => {
    received = true;
    if (signal === "SIGINT" && atTerminal) return;
    kill(process, signal);
  }]);
  const supported = Deno.build.os === "windows" ? forwarded.slice(0, 1) : forwarded;
  for (const [signal, listener] of supported) Deno.addSignalListener(signal, listener);
  return {
    get received() {
      return received;
    },
    [Symbol.dispose]() {
      for (const [signal, listener] of supported) Deno.removeSignalListener(signal, listener);
    },
  };
}

function kill(process: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    process.kill(signal);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // TypeError: the child has ended already
  }
}
