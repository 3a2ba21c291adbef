import { join } from "node:path";
import { type Paint, plainPaint, terminalPaint } from "../report/mod.ts";
import { Store } from "../store/mod.ts";

/** What every command is given. */
export interface CliContext {
  /** What stood behind `--`; `null` when there was no `--`. */
  readonly childCommand: readonly string[] | null;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly store: Store;
  /** Emphasis for stderr. */
  readonly paint: Paint;
  /** Emphasis for stdout. */
  readonly outPaint: Paint;
  /** The command's own output: what a program may read. */
  readonly print: (text: string) => void;
  /** Everything meant for the user's eyes only. */
  readonly tell: (text: string) => void;
  /** Where work that takes long says how far it is; `null` off a terminal. */
  readonly progress: ((text: string) => void) | null;
}

/** Makes the context of this process. */
export function processContext(childCommand: readonly string[] | null): CliContext {
  const env = Deno.env.toObject();
  const cwd = Deno.cwd();
  return {
    childCommand,
    env,
    cwd,
    store: new Store(env["AGREPL_DIR"] || join(cwd, ".agrepl")),
    paint: paintFor(Deno.stderr, env),
    outPaint: paintFor(Deno.stdout, env),
    print: (text) => write(Deno.stdout, `${text}\n`),
    tell: (text) => write(Deno.stderr, `${text}\n`),
    progress: Deno.stderr.isTerminal() ? (text) => write(Deno.stderr, text) : null,
  };
}

/** Emphasis for a stream: none off a terminal, or where the user wants none. */
export function paintFor(stream: { isTerminal(): boolean }, env: Readonly<Record<string, string>>): Paint {
  const wanted = (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb"; // no-color.org
  return wanted && stream.isTerminal() ? terminalPaint : plainPaint;
}

/** Writes the whole of a text; a reader that has gone is no failure. */
export function write(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  let rest = new TextEncoder().encode(text);
  try {
    while (rest.length > 0) rest = rest.subarray(stream.writeSync(rest));
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error; // `| head` has seen enough
  }
}
