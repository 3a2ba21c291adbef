/**
 * Commands that start Deno, so that its own permissions hold it and a preload of ours answers it.
 *
 * @module
 */
import { type Grant, readDenoFlags, spellsAll } from "./_deno_flags.ts";
import { programIndex } from "./program_of.ts";

export type { Grant } from "./_deno_flags.ts";

/** A command that starts Deno, taken apart. */
export interface DenoCommand {
  readonly kind: "deno";
  /** The word that starts Deno. */
  readonly program: string;
  /** Up to where flags may stand: wrappers, the program, `run` or `test`. */
  readonly head: readonly string[];
  /** Its own flags, its script and the script's arguments; without denials of the network, which would narrow ours. */
  readonly rest: readonly string[];
  /** What it grants as a whole: to grant a part beside that would take the whole away. */
  readonly grantsAll: ReadonlySet<Grant>;
}

/** A command that Deno's permissions cannot hold. */
export interface DenoRefusal {
  readonly kind: "refusal";
  /** One clause, to stand behind "since". */
  readonly reason: string;
}

/** What decides whether a command can be held. */
export interface DenoSurroundings {
  /** Tells whether a word names this very Deno, whatever it is called. */
  readonly isThisDeno: (word: string) => boolean;
  /** Tells whether a path, seen from the child's folder, is a file. */
  readonly isFile: (path: string) => boolean;
  /** The variables that the child would have without agrepl. */
  readonly env: Readonly<Record<string, string>>;
}

/** What a preload is and what it uses. */
export interface PreloadFlags {
  /** Its URL. */
  readonly module: string;
  readonly env: readonly string[];
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/**
 * Takes a command apart that runs `deno run`, `deno test` or `deno FILE`.
 *
 * @param command The command and its arguments.
 * @param surroundings Where it is to run.
 * @returns Its parts, or why Deno's permissions cannot hold it.
 */
export function readDenoCommand(command: readonly string[], surroundings: DenoSurroundings): DenoCommand | DenoRefusal {
  const at = programIndex(command);
  const program = command[at] ?? "";
  if (!/(?:^|[/\\])deno(?:\.exe)?$/.test(program) && !surroundings.isThisDeno(program)) {
    return refusal(`"${program}" is not Deno`);
  }
  const broker = command.slice(0, at).some((word) => word.startsWith(`${brokerVariable}=`));
  if (broker || (surroundings.env[brokerVariable] ?? "") !== "") {
    return refusal(`${brokerVariable} lets another program decide on Deno's permissions`);
  }
  const behind = command.slice(at + 1);
  const verb = behind.findIndex((word) => !globalFlags.test(word));
  const [word = ""] = verb === -1 ? [] : behind.slice(verb);
  if (word !== "run" && word !== "test") {
    return readBare({ program, head: command.slice(0, at + 1), rest: behind }, surroundings);
  }
  const split = at + 1 + verb + 1;
  const parts = { program, head: command.slice(0, split), rest: command.slice(split) };
  return readRest(parts, { ...surroundings, takesScript: word === "run" });
}

/** Names a program that decides on permissions in the place of all flags. */
const brokerVariable = "DENO_PERMISSION_BROKER_PATH";

/** Flags that may stand between `deno` and its verb. */
const globalFlags = /^(?:-q|--quiet|--unstable(?:-[\w-]+)?|--log-level=\w+)$/;

type Parts = Pick<DenoCommand, "program" | "head" | "rest">;

/** `deno FILE` runs a file. */
function readBare(parts: Parts, surroundings: DenoSurroundings): DenoCommand | DenoRefusal {
  const script = parts.rest[readDenoFlags(parts.rest, true).script] ?? "";
  if (/[./:]/.test(script)) return readRest(parts, { ...surroundings, takesScript: true });
  return refusal(
    script === ""
      ? "the command names no file for Deno to run"
      : `"deno ${script}" is neither "deno run" nor "deno test"`,
  );
}

function readRest(
  { program, head, rest }: Parts,
  { takesScript, isFile }: DenoSurroundings & { readonly takesScript: boolean },
): DenoCommand | DenoRefusal {
  const { flags, script } = readDenoFlags(rest, takesScript);
  const word = rest[script];
  if (takesScript && !isRunnable(word, isFile)) {
    // Deno looks for a task of that name then, which starts programs without any of these flags.
    return refusal(word === undefined ? "the command names no file for Deno to run" : `there is no file "${word}"`);
  }
  const texts = flags.map((flag) => rest[flag] ?? "");
  const set = texts.find((text) => /^(?:-P|--permission-set)\b/.test(text));
  if (set !== undefined) return refusal(`${set} takes Deno's permissions from its configuration`);
  const grantsAll = new Set(grants.filter((grant) => spellsAll(texts, grant)));
  const closed = grants.find((grant) => grantsAll.has(grant) && texts.some((text) => denialOf(grant).test(text)));
  if (closed !== undefined) return refusal(`its flags take ${closed} permission from agrepl's preload as well`);
  const denials = new Set(flags.filter((flag) => /^--deny-net(?:=|$)/.test(rest[flag] ?? "")));
  return { kind: "deno", program, head, rest: rest.filter((_, index) => !denials.has(index)), grantsAll };
}

const grants: readonly Grant[] = ["env", "read", "write"];

function denialOf(grant: Grant): RegExp {
  return new RegExp(`^--(?:deny|ignore)-${grant}(?:=|$)`);
}

/** A word that cannot be a task's name: a file that is there, stdin, a URL. */
function isRunnable(word: string | undefined, isFile: (path: string) => boolean): boolean {
  if (word === undefined) return false;
  return word === "-" || /^(?:https?:\/\/|file:\/\/|jsr:@|npm:.*[@/])/.test(word) || isFile(word);
}

function refusal(reason: string): DenoRefusal {
  return { kind: "refusal", reason };
}

/**
 * Puts a command together again, without the network and with a preload.
 *
 * @param command Its parts.
 * @param preload What is loaded before the program, and what it uses: granted only where the command has not done so.
 * @returns The command.
 */
export function formatDenoCommand(command: DenoCommand, preload: PreloadFlags): string[] {
  const wanted = grants.filter((grant) => !command.grantsAll.has(grant));
  const granted = wanted.map((grant) => `--allow-${grant}=${preload[grant].map(escapeComma).join(",")}`);
  return [...command.head, "--deny-net", "--preload", preload.module, ...granted, ...command.rest];
}

/** A comma parts the entries of a list, and two stand for one. */
function escapeComma(text: string): string {
  return text.replaceAll(",", ",,");
}
