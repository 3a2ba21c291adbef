/**
 * `agrepl record -- COMMAND`.
 *
 * @module
 */
import { Command, InvalidArgumentError } from "commander";
import type { CliContext } from "./_context.ts";
import {
  addChildOptions,
  addKeyOptions,
  addRedactOption,
  addSandboxOptions,
  type RecordOptions,
  reportOption,
  requireChildCommand,
} from "./_options.ts";

const examples = `
Examples:
  agrepl record -- python agent.py
  agrepl record --name login -- curl https://api.example.com/me
  agrepl record --ignore-query ts -- deno run -A agent.ts`;

/** Makes the command. */
export function recordCommand(context: CliContext, done: (code: number) => void): Command {
  const command = new Command("record")
    .description("Run a command and record what it exchanges with the network.")
    .usage("[options] -- COMMAND [ARGUMENTS]")
    .option("--name <name>", "call the run by a name of its own", parseName)
    .option("--sandbox", "give the child a network on which every address leads to agrepl (Linux)")
    .addOption(reportOption())
    .addHelpText("after", examples)
    .allowExcessArguments();
  addSandboxOptions(addChildOptions(addKeyOptions(addRedactOption(command))));
  command.option("--no-redact", "write everything as it is, secrets included");
  return command.action(async (options: RecordOptions) => {
    const child = requireChildCommand(context.childCommand, "agrepl record -- python agent.py", command.args);
    const { recordRun } = await import("./_record_run.ts");
    done(await recordRun(context, child, options));
  });
}

function parseName(text: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(text) && text !== "latest") return text;
  throw new InvalidArgumentError('Expected letters, digits, dots and dashes, and not "latest".');
}
