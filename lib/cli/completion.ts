/**
 * `agrepl completion SHELL`.
 *
 * @module
 */
import { Argument, Command } from "commander";
import { completionScript, type Shell, shells } from "./_completion_script.ts";
import type { CliContext } from "./_context.ts";
import { exitCode } from "./_exit.ts";

const examples = `
Examples:
  source <(agrepl completion bash)                                   in ~/.bashrc
  source <(agrepl completion zsh)                                    in ~/.zshrc
  agrepl completion fish > ~/.config/fish/completions/agrepl.fish`;

/** Makes the command. */
export function completionCommand(context: CliContext, done: (code: number) => void): Command {
  return new Command("completion")
    .description("Print what makes a shell complete agrepl's commands and options.")
    .addArgument(new Argument("<SHELL>", "the shell").choices([...shells]))
    .addHelpText("after", examples)
    .action((shell: Shell, _options: unknown, command: Command) => {
      context.print(completionScript(shell, command.parent ?? command));
      done(exitCode.same);
    });
}
