/**
 * The command line: arguments in, exit code out.
 *
 * @module
 */
import { Command, CommanderError } from "commander";
import { UsageError } from "../report/mod.ts";
import { version } from "../step/mod.ts";
import { type CliContext, processContext, write } from "./_context.ts";
import { exitCode, explainFailure } from "./_exit.ts";
import { guardAgainstBugs } from "./_guard.ts";
import { completionCommand } from "./completion.ts";
import { diffCommand } from "./diff.ts";
import { doctorCommand } from "./doctor.ts";
import { exportCommand } from "./export.ts";
import { gcCommand } from "./gc.ts";
import { inspectCommand } from "./inspect.ts";
import { learnCommand } from "./learn.ts";
import { listCommand } from "./list.ts";
import { pullCommand } from "./pull.ts";
import { recordCommand } from "./record.ts";
import { replayCommand } from "./replay.ts";
import { runCommand } from "./run.ts";
import { scanCommand } from "./scan.ts";
import { scrubCommand } from "./scrub.ts";
import { shareCommand } from "./share.ts";
import { verifyCommand } from "./verify.ts";
import { whyCommand } from "./why.ts";

/** Makes one command; what it returns at the end of its work becomes the exit code through `done`. */
export type CommandMaker = (context: CliContext, done: (code: number) => void) => Command;

const commands: readonly CommandMaker[] = [
  recordCommand,
  replayCommand,
  runCommand,
  listCommand,
  inspectCommand,
  diffCommand,
  whyCommand,
  learnCommand,
  verifyCommand,
  exportCommand,
  gcCommand,
  scanCommand,
  scrubCommand,
  shareCommand,
  pullCommand,
  doctorCommand,
  completionCommand,
];

const examples = `
Examples:
  agrepl record -- python agent.py     record a run
  agrepl run latest                    run the same command again, with the network gone
  agrepl replay latest -- python agent.py --verbose
  agrepl inspect latest 3              show step 3
  agrepl diff yesterday latest         show what changed between two runs`;

/**
 * Runs agrepl.
 *
 * @param args The arguments, without the program's name.
 * @returns The exit code, 0 to 255.
 *
 * @example A program that carries agrepl under its own name
 * ```ts
 * import { main } from "@agrepl/core/cli";
 * import { equal } from "node:assert/strict";
 *
 * equal(await main(["--version"]), 0);
 * ```
 */
export async function main(args: readonly string[]): Promise<number> {
  using guard = guardAgainstBugs(tellFailure);
  const code = await carryOut(args);
  return guard.tripped ? exitCode.bug : code;
}

async function carryOut(args: readonly string[]): Promise<number> {
  const split = args.indexOf("--");
  const own = split === -1 ? args : args.slice(0, split);
  let code: number = exitCode.same;
  try {
    const context = processContext(split === -1 ? null : args.slice(split + 1));
    const agrepl = program(context, (ended) => code = ended);
    requireCommand(own[0], agrepl);
    await agrepl.parseAsync([...own], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.same : exitCode.usage;
    return tellFailure(error);
  }
}

function tellFailure(error: unknown): number {
  const { message, code } = explainFailure(error);
  write(Deno.stderr, `agrepl: ${message}\n`);
  return code;
}

function program(context: CliContext, done: (code: number) => void): Command {
  const agrepl = new Command("agrepl")
    .description("Record what a program exchanges with the network, and give it back byte for byte.")
    .version(version, "-V, --version")
    .addHelpText("after", examples)
    .helpCommand("help [command]", "Show what a command does.");
  for (const make of commands) agrepl.addCommand(make(context, done));
  const all = [agrepl, ...agrepl.commands];
  for (const command of all) {
    command.exitOverride();
    command.configureOutput({
      writeOut: (text) => context.print(text.trimEnd()),
      writeErr: (text) => context.tell(text.trimEnd()),
      outputError: (text, write) => write(inOurWords(text, command)),
    });
  }
  return agrepl;
}

/** The parser says "error: unknown option '--x'"; every other message here reads otherwise. */
function inOurWords(text: string, command: Command): string {
  const [first = "", ...rest] = text.trimEnd().replace(/^error: /, "").replace(/\.$/, "").split("\n");
  const sentence = first.charAt(0).toUpperCase() + first.slice(1);
  const help = command.parent === null ? "agrepl --help" : `agrepl ${command.name()} --help`;
  return `agrepl: ${[sentence, ...rest].join(" ")}. See: ${help}`;
}

function requireCommand(name: string | undefined, agrepl: Command): void {
  if (name === undefined) {
    throw new UsageError("No command given. Begin with: agrepl record -- COMMAND. agrepl --help shows the others");
  }
  const names = agrepl.commands.map((command) => command.name());
  if (name.startsWith("-") || name === "help" || names.includes(name)) return;
  throw new UsageError(`There is no command "${name}". The commands are ${names.join(", ")}`);
}
