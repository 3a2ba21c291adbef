/**
 * `agrepl diff A B`.
 *
 * @module
 */
import { Command, Option } from "commander";
import type { CliContext } from "./_context.ts";
import { addRuleOptions, type DiffOptions } from "./_diff_options.ts";
import { addKeyOptions } from "./_options.ts";

const examples = `
Examples:
  agrepl diff yesterday latest
  agrepl diff before.ndjson after.ndjson --verbose
  agrepl diff main latest --noise 'x-build-*' --noise '#/meta/took'
  agrepl diff main latest --markdown >> "$GITHUB_STEP_SUMMARY"`;

const run = "an id, its unique start, a name, latest, sha256:<start>, or a file";

/** Makes the command. */
export function diffCommand(context: CliContext, done: (code: number) => void): Command {
  const command = new Command("diff")
    .description("Show what changed between two runs: steps matched by what they ask, noise left out.")
    .argument("<A>", run)
    .argument("<B>", run)
    .option("--verbose", "show noise, removed and equal fields too")
    .option("--timing", "show how long each step took")
    .option("--json", "print JSON, with everything in it")
    .option("--markdown", "print Markdown, for a pull request")
    .addOption(
      new Option("--fail-on <what>", "when to end with 1: a difference of signal, any, or never").default("signal")
        .choices(["signal", "any", "never"]),
    );
  addRuleOptions(command);
  return addKeyOptions(command)
    .addHelpText("after", examples)
    .action(async (a: string, b: string, options: DiffOptions) => {
      const { diffRun } = await import("./_diff_run.ts");
      done(await diffRun(context, { a, b }, options));
    });
}
