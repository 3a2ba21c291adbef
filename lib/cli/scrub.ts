/**
 * `agrepl scrub RUN`.
 *
 * @module
 */
import { Command } from "commander";
import type { CliContext } from "./_context.ts";
import { exitCode } from "./_exit.ts";
import { addRedactOption } from "./_options.ts";
import type { ScrubOptions } from "./_scrub_run.ts";

const examples = `
Examples:
  agrepl scrub latest
  agrepl scrub 20261120-091233-k3f9 --redact 'cust-[0-9]{8}'`;

/** Makes the command. */
export function scrubCommand(context: CliContext, done: (code: number) => void): Command {
  const command = new Command("scrub")
    .description("Take secrets out of a recorded trace by today's rules, and remove what it was.")
    .argument("<RUN>", "an id, its unique start, a name, latest, or sha256:<start>")
    .option("--json", "print JSON")
    .addHelpText("after", examples);
  return addRedactOption(command).action(async (run: string, options: ScrubOptions) => {
    const { scrubRun } = await import("./_scrub_run.ts");
    await scrubRun(context, run, options);
    done(exitCode.same);
  });
}
