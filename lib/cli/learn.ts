/**
 * `agrepl learn A B …`.
 *
 * @module
 */
import { Command } from "commander";
import type { CliContext } from "./_context.ts";
import { addRuleOptions, type LearnOptions } from "./_diff_options.ts";
import { addKeyOptions } from "./_options.ts";

const examples = `
Examples:
  agrepl learn monday tuesday
  agrepl learn monday tuesday wednesday --write`;

/** Makes the command. */
export function learnCommand(context: CliContext, done: (code: number) => void): Command {
  const command = new Command("learn")
    .description("Propose rules for what differs between runs of the same thing and carries no meaning.")
    .argument("<A>", "a run, held against each of the others")
    .argument("<B...>", "one run more, or several")
    .option("--write", "write the rules to the store's config.json")
    .option("--json", "print JSON");
  addRuleOptions(command);
  return addKeyOptions(command)
    .addHelpText("after", examples)
    .action(async (a: string, others: readonly string[], options: LearnOptions) => {
      const { learnRun } = await import("./_learn_run.ts");
      done(await learnRun(context, [a, ...others], options));
    });
}
