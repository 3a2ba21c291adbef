/**
 * `agrepl pull ID`.
 *
 * @module
 */
import { Command } from "commander";
import type { CliContext } from "./_context.ts";
import type { PullOptions } from "./_pull_run.ts";
import { exitCode } from "./_exit.ts";

const examples = `
Examples:
  agrepl pull 20261120-091233-k3f9
  agrepl pull 'https://…/exports/….ndjson?X-Amz-…'     a link needs no credentials and no settings`;

/** Makes the command. */
export function pullCommand(context: CliContext, done: (code: number) => void): Command {
  return new Command("pull")
    .description("Get a run from the remote store, checked before anything of it is written.")
    .argument("<ID>", "the id that share printed, a whole digest (sha256:…), or a link")
    .option("--json", "print JSON")
    .addHelpText("after", examples)
    .action(async (id: string, options: PullOptions) => {
      const { pullRunOf } = await import("./_pull_run.ts");
      await pullRunOf(context, id, options);
      done(exitCode.same);
    });
}
