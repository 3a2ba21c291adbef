/**
 * `agrepl why [RUN]`.
 *
 * @module
 */
import { Command } from "commander";
import type { CliContext } from "./_context.ts";

const examples = `
Examples:
  agrepl why                           why the last replay diverged
  agrepl why 20261120-091233-k3f9 --json`;

/** Makes the command. */
export function whyCommand(context: CliContext, done: (code: number) => void): Command {
  return new Command("why")
    .description("Show the misses of a run's last replay again: what was asked, what came near, which rule would help.")
    .argument("[RUN]", "the run that was replayed: an id, its unique start, a name, latest, or a file")
    .option("--json", "print the whole report as JSON")
    .addHelpText("after", examples)
    .action(async (run: string | undefined, { json }: { readonly json?: boolean }) => {
      const { whyRun } = await import("./_why_run.ts");
      done(whyRun(context, run, json === true));
    });
}
